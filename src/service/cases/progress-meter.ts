import type { CaseProgress } from '../../api/index.ts';
import type { JobProgress } from './job-messages.ts';

/** No speed is reported over less than this, in milliseconds: it would jump. */
const SETTLE_MS = 500;

/** How far a job is, how fast, and how long its phase still takes. */
export class ProgressMeter {
  readonly #totalBytes: number;
  #last: JobProgress | null = null;
  #phaseBegan = 0;
  #seconds = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** @param at milliseconds of a clock that only goes forward */
  take(progress: JobProgress, at = performance.now()): void {
    if (this.#last?.phase !== progress.phase) this.#phaseBegan = at;
    this.#last = progress;
    this.#seconds = (at - this.#phaseBegan) / 1000;
  }

  get progress(): CaseProgress {
    const total_bytes = this.#totalBytes;
    if (this.#last === null) {
      return { phase: 'waiting', bytes: 0, total_bytes, records: 0, records_per_second: 0, remaining_seconds: null };
    }
    const { phase, records } = this.#last;
    const bytes = Math.min(this.#last.bytes, total_bytes);
    const isSettled = this.#seconds * 1000 >= SETTLE_MS;
    const pace = isSettled ? bytes / this.#seconds : 0;
    return {
      phase,
      bytes,
      total_bytes,
      records,
      records_per_second: isSettled ? Math.round(records / this.#seconds) : 0,
      remaining_seconds: pace > 0 && phase !== 'finishing' ? Math.ceil((total_bytes - bytes) / pace) : null,
    };
  }
}
