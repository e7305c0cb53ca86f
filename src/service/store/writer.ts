import type { Statement } from 'better-sqlite3';
import { Serial } from '../../runtime/index.ts';
import type { Store } from './open.ts';

/**
 * The one writer: everything that changes the ledger or what its checks rely on runs here, one after the other. What a
 * task has read is still so when it writes, although reading and writing are asynchronous.
 */
export class Writer {
  readonly #store: Store;
  readonly #tasks = new Serial();
  #generation = 0;
  readonly #dataVersion: Statement;
  #version = 0;
  #asked = false;

  constructor(store: Store) {
    this.#store = store;
    this.#dataVersion = store.sqlite.prepare('PRAGMA data_version').pluck();
  }

  /**
   * Changes whenever a task may have changed anything but the ledger, or somebody else wrote to the file: what was remembered
   * is to be read anew. The file is asked once in a turn of the event loop, for asking takes a lock.
   */
  get generation(): number {
    if (!this.#asked) {
      this.#asked = true;
      setImmediate(() => {
        this.#asked = false;
      });
      const version = this.#dataVersion.get() as number;
      if (version !== this.#version) this.#generation++;
      this.#version = version;
    }
    return this.#generation;
  }

  /** Runs a task after all those before it. Its failure is its caller's and stops no later one. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#tasks.run(async () => {
      try {
        return await task();
      } finally {
        this.#generation++;
      }
    });
  }

  /** Like run, for a task that adds to the ledger and changes nothing that accounts, tokens, agents or keys are looked up by. */
  append<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#tasks.run(task);
  }

  /**
   * Runs a task in one transaction: all of its changes are on disk when the promise is kept, or none. A crash before the
   * commit leaves nothing of the task. A crash right after it leaves all of it and a caller without an answer, who finds
   * out by asking: an act is either listed, with its admin event, or it is not.
   */
  transact<T>(task: () => T): Promise<T> {
    return this.run(() => this.#store.sqlite.transaction(task)());
  }
}
