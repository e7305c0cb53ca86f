import type { Writer } from './writer.ts';

/** After this many commits the write-ahead log is moved into the database. */
const COMMITS = 64;

export interface CheckpointerOptions {
  readonly writer: Writer;
  /** Does the bulk of it elsewhere, beside commits that go on. */
  readonly inBackground: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Moves the write-ahead log into the database off the thread that commits: a commit that has to do it itself keeps everybody
 * waiting. What was committed meanwhile is moved last, in the writer's turn, so that the log is empty for a moment and
 * starts over instead of growing. A crash at any moment leaves a log that the next opening goes through again.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #commits = 0;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
  }

  /** Tells of a commit. */
  committed(): void {
    if (++this.#commits < COMMITS || this.#running !== null || this.#closed) return;
    this.#commits = 0;
    this.#running = this.#checkpoint()
      .catch((error: unknown) => {
        // SQLite's own limit on the log still holds.
        if (!this.#closed) this.#options.onError(error);
      })
      .finally(() => {
        this.#running = null;
      });
  }

  async #checkpoint(): Promise<void> {
    const { writer, inBackground } = this.#options;
    await inBackground();
    if (this.#closed) return;
    await writer.checkpoint();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }
}
