import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { Serial } from '../../node/index.ts';
import { ServiceError } from './base/service-error.ts';
import type { WritableStore } from './open.ts';

/**
 * Runs each commit of a writer: called with the connection and the transaction to run, once, and returns what it returns.
 * A host can put something around it that watches what is committed, or keeps it elsewhere before it counts: the next task
 * waits for the promise. Readers do not, so what is not to be seen yet must not be in the file at a wait.
 */
export type AroundCommit = <T>(sqlite: Database.Database, transaction: () => T) => T | Promise<T>;

/** Before each try to empty the log; readers hold an earlier state for a page of records, or for one bundle's frame. */
const EMPTYING_PAUSES_MS = [0, 5, 10, 20, 50, 100, 200, 400, 800, 1600];

/** A change of the database: synchronous, for it runs within one transaction. */
type Change<T> = (store: WritableStore) => T;

/**
 * The one writer: everything that changes the ledger or what its checks rely on runs here, one after the other. What a
 * task has read is still so when it writes, although reading and writing are asynchronous. Only `commit` hands out a store
 * that can be changed; all other code has a read-only view of it (read-only-view.ts).
 */
export class Writer {
  readonly #store: WritableStore;
  readonly #around: AroundCommit | undefined;
  readonly #tasks = new Serial();
  /** Whether a task is under way. */
  #busy = false;
  readonly #transaction: <T>(change: Change<T>) => T;
  #generation = 0;
  readonly #dataVersion: Database.Statement;
  #version = 0;
  #asked = false;

  constructor(store: WritableStore, around?: AroundCommit) {
    this.#store = store;
    this.#around = around;
    this.#dataVersion = store.sqlite.prepare('PRAGMA data_version').pluck();
    // Made once: making a transaction of a function costs more than a small commit's statements.
    this.#transaction = store.sqlite.transaction((change: Change<unknown>) => change(store)) as <T>(
      change: Change<T>,
    ) => T;
  }

  /**
   * Changes whenever a task may have changed anything but the ledger, or somebody else wrote to the file: what was remembered
   * is to be read again. The file is asked once in a turn of the event loop, for asking takes a lock.
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
    return this.append(async () => {
      try {
        return await task();
      } finally {
        this.#generation++;
      }
    });
  }

  /** Like run, for a task that adds to the ledger and changes nothing that accounts, tokens, agents or keys are looked up by. */
  append<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#tasks.run(async () => {
      this.#busy = true;
      try {
        return await task();
      } finally {
        this.#busy = false;
      }
    });
  }

  /**
   * Commits a change in one transaction, within a task of this writer. The only way to change the ledger's database. The
   * task has to wait for it: what it does next may rely on the change, and another host may keep it elsewhere first.
   * @throws Error outside of a task
   */
  async commit<T>(change: Change<T>): Promise<T> {
    if (!this.#busy) throw new Error('a commit outside a task of the writer');
    const transaction = (): T => this.#transaction(change);
    return this.#around === undefined ? transaction() : this.#around(this.#store.sqlite, transaction);
  }

  /**
   * Commits a change as a separate task: all of it is on disk when the promise is kept, or none. A crash before the
   * commit leaves nothing of the task. A crash right after it leaves all of it and a caller without an answer, who finds
   * out by asking: an act is either listed, with its admin event, or it is not.
   */
  transact<T>(change: Change<T>): Promise<T> {
    return this.run(() => this.commit(change));
  }

  /**
   * Commits what nobody waits for and no evidence depends on, without touching what callers and agents are looked up by. A node that
   * is not the active one has no place for it.
   */
  async aside(change: Change<void>): Promise<void> {
    try {
      await this.append(() => this.commit(change));
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'NOT_ACTIVE')) throw error;
    }
  }

  /**
   * Moves the write-ahead log into the database, in the writer's turn, as far as readers allow it.
   */
  async checkpoint(): Promise<void> {
    await this.append(() => this.#store.sqlite.pragma('wal_checkpoint(PASSIVE)'));
  }

  /**
   * Empties the write-ahead log, so that what was overwritten is in no file any more. Waits for those who read an earlier
   * state, without keeping anybody waiting itself.
   * @returns false where a reader held on for longer; then the log is emptied by the next one, or by a clean stop
   */
  async emptyLog(): Promise<boolean> {
    const { sqlite } = this.#store;
    for (const pause of EMPTYING_PAUSES_MS) {
      await sleep(pause);
      const isEmpty = await this.append(() => {
        const timeout = sqlite.pragma('busy_timeout', { simple: true });
        sqlite.pragma('busy_timeout = 0');
        const [result] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as [{ readonly busy: number }];
        sqlite.pragma(`busy_timeout = ${String(timeout)}`);
        return result.busy === 0;
      });
      if (isEmpty) return true;
    }
    return false;
  }
}
