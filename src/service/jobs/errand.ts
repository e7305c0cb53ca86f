import { RequestStopped } from '../../node/index.ts';
import type { Jobs, JobsOfKind } from './jobs.ts';

/** Something elsewhere refused or cannot be reached, in a code that is known; its message is for the log, and may name paths. */
export class ErrandFailed extends Error {
  override readonly name = 'ErrandFailed';
  readonly code: string;

  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.code = code;
  }
}

export interface ErrandContext {
  readonly jobs: Jobs;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
}

export interface ErrandKind<Result> {
  /** The lane of jobs that it runs in, by itself. */
  readonly lane: string;
  readonly isSet: () => boolean;
  /** @throws ErrandFailed; RequestStopped */
  readonly run: (signal: AbortSignal) => Promise<Result>;
  /** After one that ended well, in milliseconds. */
  readonly everyMs: number;
  /** After a failure, the longest wait. */
  readonly mostWaitMs: number;
  /** Of a failure that no code says. */
  readonly otherwise: string;
  /** Codes that are no failure, with how long to wait. */
  readonly busy?: Readonly<Record<string, number>>;
}

/** What is known of an errand: nothing but what this service saw since its start. */
export interface ErrandState<Result> {
  readonly isSet: boolean;
  /** What the newest one came to, and when; null where none has ended well since the start. */
  readonly result: Result | null;
  readonly doneAt: number | null;
  /** Why the newest one failed, and since when none has succeeded. */
  readonly failure: { readonly code: string; readonly since: number } | null;
}

/** After a failure, the first wait in milliseconds; it doubles. */
const FIRST_WAIT_MS = 15_000;

/** What the service does elsewhere over and over, by itself: one at a time, and later where it failed. */
export class Errand<Result> {
  readonly #context: ErrandContext;
  readonly #kind: ErrandKind<Result>;
  readonly #jobs: JobsOfKind<null, Result, never>;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #failures = 0;
  #state: Omit<ErrandState<Result>, 'isSet'> = { result: null, doneAt: null, failure: null };

  constructor(context: ErrandContext, kind: ErrandKind<Result>) {
    this.#context = context;
    this.#kind = kind;
    this.#jobs = context.jobs.of<null, Result>({
      lane: kind.lane,
      ownerOf: () => kind.lane,
      keyOf: () => kind.lane,
      run: (_, { signal }) => this.#run(signal),
      // Told by health and, once, by the log.
      foreseen: (error) => (error instanceof ErrandFailed ? error.message : undefined),
    });
  }

  /** Runs now, where it is set; also after the settings have changed. */
  look(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const { lane, isSet } = this.#kind;
    if (this.#isClosed || !isSet() || this.#jobs.find(lane) !== undefined) return;
    void this.#jobs.start(null).catch(this.#context.onError);
  }

  async #run(signal: AbortSignal): Promise<Result> {
    const { now, random = Math.random } = this.#context;
    const { everyMs, mostWaitMs, otherwise, busy = {} } = this.#kind;
    const begun = now();
    let wait = everyMs;
    try {
      const result = await this.#kind.run(signal);
      this.#failures = 0;
      this.#state = { result, doneAt: now(), failure: null };
      return result;
    } catch (error) {
      if (error instanceof RequestStopped) throw error;
      const code = error instanceof ErrandFailed ? error.code : otherwise;
      const busyFor = busy[code];
      if (busyFor !== undefined) wait = busyFor;
      else {
        const longest = Math.min(mostWaitMs, FIRST_WAIT_MS * 2 ** this.#failures++);
        // Many services whose other side comes back do not all come at once.
        wait = longest / 2 + (random() * longest) / 2;
        // Whoever reads the log is told once of each kind of failure.
        if (error instanceof ErrandFailed && this.#state.failure?.code !== code) this.#context.onError(error);
        this.#state = { ...this.#state, failure: { code, since: this.#state.failure?.since ?? begun } };
      }
      throw error;
    } finally {
      this.#sleep(wait);
    }
  }

  #sleep(wait: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.look(), wait);
    this.#timer.unref();
  }

  get state(): ErrandState<Result> {
    return { isSet: this.#kind.isSet(), ...this.#state };
  }

  /** From now on nothing is begun; what runs ends with the jobs. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
