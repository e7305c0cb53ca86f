import type { Store } from './open.ts';

/**
 * The one writer: everything that changes the ledger or what its checks rely on runs here, one after the other. What a
 * task has read is still so when it writes, although reading and writing are asynchronous.
 */
export class Writer {
  readonly #store: Store;
  #last: Promise<unknown> = Promise.resolve();
  #generation = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Changes whenever a task may have changed anything but the ledger: what was remembered of the rest is to be read anew. */
  get generation(): number {
    return this.#generation;
  }

  /** Runs a task after all those before it. Its failure is its caller's and stops no later one. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const changed = (): void => void this.#generation++;
    const result = this.#last.then(task).finally(changed);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Like run, for a task that adds to the ledger and changes nothing that accounts, tokens, agents or keys are looked up by. */
  append<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Runs a task in one transaction: all of its changes are on disk when the promise is kept, or none. */
  transact<T>(task: () => T): Promise<T> {
    return this.run(() => this.#store.sqlite.transaction(task)());
  }
}
