import type { Store } from './open.ts';

/**
 * The one writer: everything that changes the ledger or what its checks rely on runs here, one after the other. What a
 * task has read is still so when it writes, although reading and writing are asynchronous.
 */
export class Writer {
  readonly #store: Store;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Runs a task after all those before it. Its failure is its caller's and stops no later one. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
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
