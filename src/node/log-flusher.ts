import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const flush = promisify(fdatasync);

/**
 * Has the disk keep what SQLite wrote to a write-ahead log, while the thread works on what comes next: waiting for the disk within the
 * transaction would stop everything else. SQLite locks the database's file and not this one, so that closing it here gives up nothing.
 */
export class LogFlusher {
  readonly #path: string;
  #file: number | null = null;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** What was written before the call is on disk once it resolves. All who ask while the disk is busy share the next turn. */
  flushed(): Promise<void> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<void> | null): Promise<void> {
    // Its failure is told to those who wait for it. It may have begun before what is waited for here was written.
    await running?.catch(() => undefined);
    this.#next = null;
    this.#file ??= openSync(this.#path, 'r+');
    this.#running = flush(this.#file);
    await this.#running;
  }

  /** To be called when nobody asks any more. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next]);
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
