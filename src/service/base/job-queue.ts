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

/**
 * Long jobs of many owners. Owners of a lane have turns, one job each, so that nobody waits for all that another has asked
 * for; and what is in one lane waits for nothing in another.
 */
export class JobQueue<LaneName extends string> {
  readonly #lanes = new Map<LaneName, Lane>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(lane: LaneName, owner: string, job: Job): void {
    let found = this.#lanes.get(lane);
    if (found === undefined) {
      found = new Lane(this.#onError);
      this.#lanes.set(lane, found);
    }
    found.add(owner, job);
  }

  /** Waits until all that was added is done. */
  async idle(): Promise<void> {
    for (const lane of this.#lanes.values()) await lane.idle();
  }
}
