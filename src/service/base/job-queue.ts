import { RequestStopped } from '../../runtime/index.ts';
import type { ServiceError } from './service-error.ts';

/** Jobs that others wait for, of one owner, in the order in which they came. */
type Job = () => Promise<void>;

/** Jobs of one lane: one is done at a time, of each owner in turn. */
class Lane {
  /** The next owner first. */
  readonly #waiting = new Map<string, Job[]>();
  readonly #onError: (error: unknown) => void;
  #running: Promise<void> | null = null;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(owner: string, job: Job): void {
    const jobs = this.#waiting.get(owner);
    if (jobs === undefined) this.#waiting.set(owner, [job]);
    else jobs.push(job);
    this.#running ??= this.#run();
  }

  /** Takes a job out whose turn has not come. @returns whether it was there */
  remove(owner: string, job: Job): boolean {
    const jobs = this.#waiting.get(owner) ?? [];
    const at = jobs.indexOf(job);
    if (at < 0) return false;
    jobs.splice(at, 1);
    if (jobs.length === 0) this.#waiting.delete(owner);
    return true;
  }

  async #run(): Promise<void> {
    // Whoever adds jobs has its turn to end first.
    await Promise.resolve();
    for (let job = this.#next(); job !== undefined; job = this.#next()) await job().catch(this.#onError);
    this.#running = null;
  }

  #next(): Job | undefined {
    for (const [owner, jobs] of this.#waiting) {
      const job = jobs.shift();
      // Behind the others, whose turn is next.
      this.#waiting.delete(owner);
      if (jobs.length > 0) this.#waiting.set(owner, jobs);
      if (job !== undefined) return job;
    }
    return undefined;
  }

  async idle(): Promise<void> {
    await this.#running;
  }
}

/** What one owner may have of jobs that somebody waits for and that have not ended. */
export interface OwnerBound {
  readonly most: number;
  /** The answer to one more. */
  readonly refusal: () => ServiceError;
}

/**
 * Long jobs of many owners. Owners of a lane have turns, one job each, so that nobody waits for all that another has asked
 * for; and what is in one lane waits for nothing in another.
 */
export class JobQueue<LaneName extends string> {
  readonly #lanes = new Map<LaneName, Lane>();
  readonly #onError: (error: unknown) => void;
  readonly #bound: OwnerBound | null;
  /** Jobs of owners that somebody waits for, where there is a bound. */
  readonly #unfinished = new Map<string, number>();

  constructor(onError: (error: unknown) => void, bound: OwnerBound | null = null) {
    this.#onError = onError;
    this.#bound = bound;
  }

  add(lane: LaneName, owner: string, job: Job): void {
    this.#laneOf(lane).add(owner, job);
  }

  /**
   * The same for a job whose caller waits for what comes of it. One that nobody waits for any more before its turn has none.
   * @param bounded whether it counts towards what the owner may have; a job that the service needs itself does not
   * @throws what the job fails with; RequestStopped where `signal` stops it before its turn; the refusal of the bound
   */
  async run<T>(
    lane: LaneName,
    owner: string,
    job: () => Promise<T>,
    { signal, bounded = true }: { readonly signal?: AbortSignal | undefined; readonly bounded?: boolean } = {},
  ): Promise<T> {
    if (signal?.aborted === true) throw new RequestStopped();
    const leave = bounded ? this.#enter(owner) : null;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // What it fails with is its caller's.
    const task = (): Promise<void> => job().then(resolve, reject);
    const giveUp = (): void => {
      if (this.#laneOf(lane).remove(owner, task)) reject(new RequestStopped());
    };
    signal?.addEventListener('abort', giveUp);
    this.add(lane, owner, task);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
      leave?.();
    }
  }

  #enter(owner: string): (() => void) | null {
    if (this.#bound === null) return null;
    const unfinished = this.#unfinished.get(owner) ?? 0;
    if (unfinished >= this.#bound.most) throw this.#bound.refusal();
    this.#unfinished.set(owner, unfinished + 1);
    return () => {
      const left = (this.#unfinished.get(owner) ?? 1) - 1;
      if (left > 0) this.#unfinished.set(owner, left);
      else this.#unfinished.delete(owner);
    };
  }

  #laneOf(lane: LaneName): Lane {
    let found = this.#lanes.get(lane);
    if (found === undefined) {
      found = new Lane(this.#onError);
      this.#lanes.set(lane, found);
    }
    return found;
  }

  /** Waits until all that was added is done. */
  async idle(): Promise<void> {
    for (const lane of this.#lanes.values()) await lane.idle();
  }
}
