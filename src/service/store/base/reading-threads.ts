import { RequestThread, type RequestThreadOptions, ThreadEnded } from '../../../node/index.ts';
import { JobQueue } from './job-queue.ts';
import { type Refusal, ServiceError } from './service-error.ts';

/** Questions of one owner that have no answer yet. A screen asks some ten at once. */
const MOST_OF_OWNER = 64;

/** How long to stay away, in seconds. */
const RETRY_AFTER = 2;

/** How long a thread stays that nobody asks anything, in milliseconds: what it holds in memory makes the next answer faster. */
const IDLE_MS = 300_000;

/**
 * How long a stop waits for a thread, in milliseconds. By then requests have been aborted, and a question ends between two records: what
 * is left is one call of SQLite.
 */
const END_MS = 2000;

/** Who asks, and until when. */
export interface Asking {
  /** Whose turn it takes: an organization, or the workstation. */
  readonly owner: string;
  /** Whether that is the workstation or the home organization, who wait for no guest. */
  readonly isHome: boolean;
  /** Of the request that waits for the answer; a job of the service has none. */
  readonly signal?: AbortSignal | undefined;
}

/** Questions of requests that the thread of a side has. Those that pause for others may take long, and are no part of it. */
export interface SideLoad {
  /** Questions that wait for their turn. */
  readonly waiting: number;
  /** How long the oldest of them has been waiting, in milliseconds. */
  readonly oldestMs: number;
  /** How long ago the thread began with the one that it answers, in milliseconds; null where there is none. */
  readonly busyMs: number | null;
}

type Side = 'home' | 'guests';

/** What reading threads have to do, for the home organization and for all guests. */
export type ReadingLoad = Readonly<Record<Side, SideLoad>>;

/** A question of a request that has no answer: when it came, and when its thread began with it, by performance.now. */
interface Open {
  readonly side: Side;
  readonly owner: string;
  readonly isAside: boolean;
  readonly since: number;
  begun: number | null;
}

type Lane = Side | `${Side} aside`;

/**
 * Threads that answer questions about many records: one for the home organization, one for all guests, each begun by its first
 * question. A thread has one question at a time, of each owner in turn, so that what nobody waits for any more never reaches it,
 * and nobody waits for all that another has asked.
 */
export class ReadingThreads<Request> {
  readonly #threads: Readonly<Record<Side, RequestThread<Request, unknown, never, Refusal>>>;
  readonly #queue = new JobQueue<Lane>();
  /** The oldest first. */
  readonly #open = new Set<Open>();

  constructor(options: Omit<RequestThreadOptions<Request, Refusal>, 'refused' | 'idleMs'>) {
    const thread = () =>
      new RequestThread<Request, unknown, never, Refusal>({
        ...options,
        idleMs: IDLE_MS,
        refused: ({ code, message }) => new ServiceError(code, message),
      });
    this.#threads = { home: thread(), guests: thread() };
  }

  /**
   * @param isAside of a question that pauses for others: it waits for none but such questions
   * @throws ServiceError what the thread refuses with; RATE_LIMITED where the owner waits for too much already; OVERLOADED where
   *   the thread ended with it; RequestStopped
   */
  async ask({ owner, isHome, signal }: Asking, request: Request, isAside = false): Promise<unknown> {
    const side: Side = isHome ? 'home' : 'guests';
    const entry: Open = { side, owner, isAside, since: performance.now(), begun: null };
    const job = (): Promise<unknown> => {
      entry.begun = performance.now();
      return this.#threads[side].ask(request, { signal });
    };
    // What the service asks for its own work is not to fail by what others ask.
    if (signal !== undefined) {
      if ([...this.#open].filter((one) => one.owner === owner).length >= MOST_OF_OWNER)
        throw new ServiceError(
          'RATE_LIMITED',
          `${MOST_OF_OWNER} questions of yours have no answer yet`,
          {},
          RETRY_AFTER,
        );
      this.#open.add(entry);
    }
    try {
      return await this.#queue.run(isAside ? `${side} aside` : side, owner, job, signal);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      // Most likely it ran out of memory: the next question has another thread.
      throw new ServiceError('OVERLOADED', 'the answer took too much: try again, or ask for less', {}, RETRY_AFTER);
    } finally {
      this.#open.delete(entry);
    }
  }

  /**
   * Has the threads let go of something, ahead of the questions in its queue. Kept once the thread that answers this owner's questions
   * has; the other one is told too, and holds nobody up.
   */
  async letGo({ isHome }: Pick<Asking, 'isHome'>, request: Request): Promise<void> {
    const { home, guests } = this.#threads;
    const [own, other] = isHome ? [home, guests] : [guests, home];
    other.tell(request);
    if (!own.isRunning) return;
    await own.ask(request).catch((error: unknown) => {
      // Whatever it held is gone with it.
      if (!(error instanceof ThreadEnded)) throw error;
    });
  }

  get load(): ReadingLoad {
    return { home: this.#loadOf('home'), guests: this.#loadOf('guests') };
  }

  #loadOf(side: Side): SideLoad {
    const now = performance.now();
    const open = [...this.#open].filter((entry) => entry.side === side && !entry.isAside);
    const waiting = open.filter(({ begun }) => begun === null);
    const [oldest] = waiting;
    const answered = open.find(({ begun }) => begun !== null);
    return {
      waiting: waiting.length,
      oldestMs: oldest === undefined ? 0 : now - oldest.since,
      busyMs: answered?.begun == null ? null : now - answered.begun,
    };
  }

  /** Ends the threads, which answer what they have and close their files first; one that takes too long is left (`killIfLeft`). */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#threads).map((thread) => thread.endWithin(END_MS)));
  }
}
