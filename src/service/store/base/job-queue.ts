import { RequestStopped } from '../../../node/index.ts';

/** Never fails: what a job fails with is its caller's. */
type Job = () => Promise<void>;

/** Jobs of one lane: one is done at a time, of each owner in turn. */
class Lane {
  /** The next owner first. */
  readonly #waiting = new Map<string, Job[]>();
  #running: Promise<void> | null = null;

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
    for (let job = this.#next(); job !== undefined; job = this.#next()) await job();
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

/**
 * The turns of many owners. Owners of a lane have turns, one job each, so that nobody waits for all that another has asked
 * for; and what is in one lane waits for nothing in another.
 */
export class JobQueue<LaneName extends string> {
  readonly #lanes = new Map<LaneName, Lane>();

  /**
   * Does a job in its turn. One that nobody waits for any more before its turn has none.
   * @throws what the job fails with; RequestStopped where `signal` stops it before its turn
   */
  async run<T>(lane: LaneName, owner: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted === true) throw new RequestStopped();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const task = (): Promise<void> => job().then(resolve, reject);
    const giveUp = (): void => {
      if (this.#laneOf(lane).remove(owner, task)) reject(new RequestStopped());
    };
    signal?.addEventListener('abort', giveUp);
    this.#laneOf(lane).add(owner, task);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #laneOf(lane: LaneName): Lane {
    const found = this.#lanes.get(lane) ?? new Lane();
    this.#lanes.set(lane, found);
    return found;
  }

  /** Waits until all that was added is done. */
  async idle(): Promise<void> {
    for (const lane of this.#lanes.values()) await lane.idle();
  }
}
