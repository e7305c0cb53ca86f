/**
 * At this many pending records they are indexed whatever else happens. With fewer, indexing waits until submissions come
 * slowly: the more are indexed at once, the less each costs, and until then they are found in memory.
 */
const STEP_SIZE = 65_536;

/** How often it looks whether they do, and how many records meanwhile are slow. */
const STEP_DELAY_MS = 500;
const CALM = 500;

/** After a failure, a full disk say, the index is tried again so much later. */
const RETRY_MS = 5000;

export interface StepScheduleOptions {
  /** One step. @returns whether there is more to take up at once */
  readonly step: () => Promise<boolean>;
  /** How many records wait. */
  readonly waiting: () => number;
  /** Notified when a step failed. */
  readonly onError: (error: unknown) => void;
}

/** Says when the index adds new records: at once where much waits, else in a calm moment; one step at a time. */
export class StepSchedule {
  readonly #options: StepScheduleOptions;
  #timer: NodeJS.Timeout | null = null;
  /** How many records waited when the timer was set. */
  #waited = 0;
  #stepping: Promise<void> | null = null;
  /** The last step failed, and the next waits for its time. */
  #resting = false;
  #closed = false;

  constructor(options: StepScheduleOptions) {
    this.#options = options;
  }

  /** Says that there may be records to take up. */
  wake(): void {
    if (this.#closed || this.#stepping !== null || this.#resting) return;
    if (this.#options.waiting() >= STEP_SIZE) this.#step();
    else this.#later(STEP_DELAY_MS);
  }

  #later(delay: number): void {
    if (this.#timer !== null || this.#closed) return;
    this.#waited = this.#options.waiting();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#resting = false;
      const came = this.#options.waiting() - this.#waited;
      if (came > CALM) this.#later(STEP_DELAY_MS);
      else this.#step();
    }, delay);
    this.#timer.unref();
  }

  #step(): void {
    if (this.#closed || this.#stepping !== null) return;
    this.#stopTimer();
    this.#stepping = this.#options
      .step()
      .then((more) => {
        this.#stepping = null;
        const waiting = this.#options.waiting();
        if (more || waiting >= STEP_SIZE) this.#step();
        else if (waiting > 0) this.#later(STEP_DELAY_MS);
      })
      .catch((error: unknown) => {
        this.#stepping = null;
        if (this.#closed) return;
        this.#resting = true;
        this.#options.onError(error);
        this.#later(RETRY_MS);
      });
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Waits for the step that runs; no other follows. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopTimer();
    await this.#stepping;
  }
}
