import { setTimeout as sleep } from 'node:timers/promises';
import { RequestStopped } from '../../node/index.ts';
import { isHeldByClock } from '../store/base/held-by-clock.ts';
import { JobQueue } from '../store/base/job-queue.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { isStorageFull } from '../store/sqlite-errors.ts';
import type { Writer } from '../store/writer.ts';
import type { JobEnd, JobKind, JobMeans, OpenJob } from './job-kind.ts';

/** How soon a job is tried again that the machine's clock or a full disk holds back, in milliseconds. */
const HELD_RETRY_MS = 5000;

export interface JobsContext {
  readonly writer: Pick<Writer, 'run' | 'commit'>;
  /** Whether an owner is the workstation or the home organization, which wait for no guest. */
  readonly isHome: (owner: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/** What a job is to all kinds. */
interface AnyJob {
  readonly subjects: readonly string[];
  readonly cancel: AbortController;
  /** Kept once the job is over, however it ended. */
  done: Promise<void>;
}

interface Job<Work, Progress> extends AnyJob, OpenJob<Work, Progress> {
  readonly owner: string;
  readonly key: string | symbol;
  /** Of `cancel`, and of a stop of the service. */
  readonly signal: AbortSignal;
  progress: Progress | undefined;
  isOutdated: boolean;
}

/** What all kinds share. */
interface Shared {
  readonly context: JobsContext;
  readonly queue: JobQueue<string>;
  readonly stopping: AbortSignal;
  readonly open: Set<AnyJob>;
}

/** The long jobs of a service. */
export class Jobs {
  readonly #stop = new AbortController();
  readonly #shared: Shared;

  constructor(context: JobsContext) {
    const queue = new JobQueue<string>();
    this.#shared = { context, queue, stopping: this.#stop.signal, open: new Set() };
  }

  /** The jobs of a kind. */
  of<Work, Result, Progress = never>(kind: JobKind<Work, Result, Progress>): JobsOfKind<Work, Result, Progress> {
    return new JobsOfKind(kind, this.#shared);
  }

  /** Cancels all jobs about something that is about to be deleted. Kept once none of them has its files open. */
  async endAbout(subject: string): Promise<void> {
    const about = [...this.#shared.open].filter(({ subjects }) => subjects.includes(subject));
    for (const { cancel } of about) cancel.abort();
    await Promise.all(about.map(({ done }) => done));
  }

  /** Stops all jobs, and waits until each has closed its files. What has not ended is resumed by the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    for (const { open } = this.#shared; open.size > 0; ) await Promise.all([...open].map(({ done }) => done));
  }
}

/** The open jobs of one kind, and how they are started and ended. */
export class JobsOfKind<Work, Result, Progress> {
  readonly #kind: JobKind<Work, Result, Progress>;
  readonly #shared: Shared;
  readonly #open = new Map<string | symbol, Job<Work, Progress>>();

  constructor(kind: JobKind<Work, Result, Progress>, shared: Shared) {
    this.#kind = kind;
    this.#shared = shared;
  }

  /** undefined where there is none, or it has ended. */
  find(key: string): OpenJob<Work, Progress> | undefined {
    return this.#open.get(key);
  }

  /**
   * Starts a job that nobody waits for. Its key is taken before anything is awaited: of several who ask at once, one gets it.
   * @param first what has to be kept before the job may begin, such as its row; where that fails, there is no job
   * @returns kept once `first` is, or fails with it
   * @throws ServiceError CONFLICT where the key is taken, what `bound` refuses with; both at once, not by the promise
   */
  start(work: Work, first: () => Promise<unknown> = async () => undefined): Promise<void> {
    const job = this.#claim(work);
    const begun = first();
    this.#track(job, Promise.allSettled([begun.then(() => this.#attend(job))]));
    return begun.then(() => undefined);
  }

  /**
   * The same for a job whose caller waits for its result. Whatever holds it back is the caller's to know.
   * @param waits aborted once nobody waits any more, which cancels the job
   * @throws what the job fails with; RequestStopped where it is stopped or cancelled; ServiceError as `start`
   */
  run(work: Work, waits?: AbortSignal): Promise<Result> {
    const job = this.#claim(work, waits);
    const result = this.#inTurn(job, () => this.#kind.run(work, this.#meansOf(job)));
    // What it fails with is the caller's.
    this.#track(job, Promise.allSettled([result]));
    return result;
  }

  /** Cancels a job, where there is one. Kept once it has closed its files and its end is kept. */
  async cancel(key: string): Promise<void> {
    const job = this.#open.get(key);
    job?.cancel.abort();
    await job?.done;
  }

  /**
   * Says that what an open job has read was changed: it runs again instead of being completed. Asked for within the writer's turn, it
   * reaches a job of a kind that keeps its end there as long as that is not kept; afterwards there is no job.
   */
  outdate(key: string): void {
    const job = this.#open.get(key);
    if (job !== undefined) job.isOutdated = true;
  }

  #claim(work: Work, waits?: AbortSignal): Job<Work, Progress> {
    const { keyOf, taken, bound, ownerOf, about } = this.#kind;
    const { stopping, open } = this.#shared;
    if (stopping.aborted) throw new RequestStopped();
    const key = keyOf?.(work) ?? Symbol();
    if (this.#open.has(key)) throw new ServiceError('CONFLICT', taken ?? 'this is under way already');
    const owner = ownerOf(work);
    const own = [...this.#open.values()].filter((job) => job.owner === owner);
    if (bound !== undefined && own.length >= bound.most) throw bound.refusal();
    const cancel = new AbortController();
    const signal = AbortSignal.any([cancel.signal, stopping, ...(waits === undefined ? [] : [waits])]);
    const subjects = about?.(work) ?? [];
    const state = { progress: undefined, isOutdated: false, done: Promise.resolve() };
    const job: Job<Work, Progress> = { work, owner, key, subjects, cancel, signal, ...state };
    this.#open.set(key, job);
    open.add(job);
    return job;
  }

  #track(job: Job<Work, Progress>, settled: Promise<unknown>): void {
    job.done = settled.then(() => {
      this.#forget(job);
      this.#shared.open.delete(job);
    });
  }

  /** Gives the key back, once. */
  #forget(job: Job<Work, Progress>): void {
    if (this.#open.get(job.key) === job) this.#open.delete(job.key);
  }

  #meansOf(job: Job<Work, Progress>): JobMeans<Progress> {
    const tell = (progress: Progress): void => {
      job.progress = progress;
    };
    return { signal: job.signal, tell };
  }

  #inTurn<T>({ owner, signal }: Job<Work, Progress>, task: () => Promise<T>): Promise<T> {
    const { lane, guestsApart } = this.#kind;
    const { queue, context } = this.#shared;
    const ofGuests = guestsApart === true && !context.isHome(owner);
    return queue.run(ofGuests ? `${lane} of guests` : lane, owner, task, signal);
  }

  /** Runs a job to its end, with another turn each time that the machine's clock held it back. */
  async #attend(job: Job<Work, Progress>): Promise<void> {
    const { stopping } = this.#shared;
    for (;;) {
      try {
        if (await this.#inTurn(job, () => this.#once(job))) return;
      } catch (error) {
        if (stopping.aborted) return;
        if (job.signal.aborted) return this.#endSomehow(job, { status: 'cancelled', failure: null });
        if (!isHeldByClock(error)) return this.#endSomehow(job, this.#failed(error));
        await this.#pause(job.signal);
      }
    }
  }

  /** @returns whether the job is over */
  async #once(job: Job<Work, Progress>): Promise<boolean> {
    job.isOutdated = false;
    const result = await this.#kind.run(job.work, this.#meansOf(job));
    if (this.#kind.needsTurn?.(result) === true) return false;
    return this.#end(job, { status: 'completed', result, failure: null });
  }

  /** @returns false where the job was outdated meanwhile: then it has no end */
  async #end(job: Job<Work, Progress>, end: JobEnd<Result>): Promise<boolean> {
    const { keep, ended } = this.#kind;
    const isOver = (): boolean => !(job.isOutdated && end.status === 'completed');
    const { writer } = this.#shared.context;
    if (keep === undefined) {
      if (isOver()) await ended?.(job, end);
      if (!isOver()) return false;
      // In the same task: whoever would outdate it finds no open job.
      this.#forget(job);
      return true;
    }
    return writer.run(async () => {
      if (!isOver()) return false;
      await writer.commit((store) => keep(store, job, end));
      // In the same task: whoever has the next one finds the end in the database and no open job.
      this.#forget(job);
      return true;
    });
  }

  #failed(error: unknown): JobEnd<Result> {
    const foreseen = this.#kind.foreseen?.(error);
    if (foreseen === undefined) this.#shared.context.onError(error);
    return { status: 'failed', failure: foreseen ?? failureOf(error), error };
  }

  /** Keeps how a job ended that did not succeed, as soon as the disk has room for that. */
  async #endSomehow(job: Job<Work, Progress>, end: JobEnd<Result>): Promise<void> {
    const { context, stopping } = this.#shared;
    for (;;) {
      try {
        await this.#end(job, end);
        return;
      } catch (error) {
        if (!isStorageFull(error)) return context.onError(error);
      }
      await this.#pause(stopping);
      if (stopping.aborted) return;
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    // Woken early by the abort, at which whoever pauses looks next.
    await sleep(HELD_RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** What people read about an error that its kind did not foresee. */
function failureOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  return isStorageFull(error) ? 'the disk of the data folder is full' : UNEXPECTED;
}

/** What people read about an error that nobody foresaw. */
export const UNEXPECTED = 'unexpected error; the log of the service has it';
