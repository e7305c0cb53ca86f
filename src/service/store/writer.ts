import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { LogFlusher, Serial } from '../../node/index.ts';
import { messageOf } from '../../protocol/light.ts';
import { ServiceError } from './base/service-error.ts';
import { connectionTo, type OpenStore, storeOn, type WritableStore } from './open.ts';

/**
 * Runs each commit of a writer: called with the connection and the transaction to run, once, and returns what it returns.
 * A host can put something around it that watches what is committed, or keeps it elsewhere before it counts: the next task
 * waits for the promise. Readers do not, so what is not to be seen yet must not be in the file at a wait.
 */
export type AroundCommit = <T>(sqlite: Database.Database, transaction: () => T) => T | Promise<T>;

/** One row that a commit changed: what was there by its key, and what is there now. */
export interface RowImage {
  readonly table: string;
  /** The key of the row before; null for a new row. */
  readonly key: readonly unknown[] | null;
  /** The columns of the row now, by name, of one that was there at least those that changed; null for one that is gone. */
  readonly row: Readonly<Record<string, unknown>> | null;
}

/** Notes a row that a change made. */
export type NoteRow = (image: RowImage) => void;

/**
 * Runs a commit whose change says itself which rows it makes: called with a connection by which nobody reads, so what is not to be
 * seen yet may wait in an open transaction of it. It returns with what the change returns, once that is committed.
 */
export type HoldCommit = <T>(sqlite: Database.Database, change: (note: NoteRow) => T) => Promise<T>;

/** Before each try to empty the log; readers hold an earlier state for a page of records, or for one bundle's frame. */
const EMPTYING_PAUSES_MS = [0, 5, 10, 20, 50, 100, 200, 400, 800, 1600];

/** What has the disk keep the write-ahead log. */
export type LogFlush = Pick<LogFlusher, 'flushed' | 'close'>;

/** A change of the database: synchronous, for it runs within one transaction. */
type Change<T> = (store: WritableStore) => T;

/** The same which, where somebody asks for that, notes every row that it makes, in order. */
type NotingChange<T> = (store: WritableStore, note?: NoteRow) => T;

interface WriterOptions {
  /**
   * Whether all that is committed is on another host's disk before it is made in this file, which gets it again after a power cut:
   * then nobody waits for this one.
   */
  readonly isKeptElsewhere?: boolean;
  /** For what is added to the ledger, where it is kept elsewhere. */
  readonly hold?: HoldCommit | undefined;
  readonly log?: LogFlush | undefined;
}

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
  readonly #isKeptElsewhere: boolean;
  readonly #hold: HoldCommit | undefined;
  /** A second connection, for what is held: opened at first use. */
  #held: OpenStore | null = null;
  /** As the connection is set at present: SQLite takes as long to set it as to insert a record. */
  #synchronous: 'FULL' | 'NORMAL' = 'FULL';
  readonly #log: LogFlush;
  /** What is on its way to the disk; kept where that failed. */
  #flushing: Promise<void> | null = null;
  #failure: Error | null = null;
  #generation = 0;
  readonly #dataVersion: Database.Statement;
  #version = 0;
  #asked = false;

  constructor(store: WritableStore, around?: AroundCommit, { isKeptElsewhere = false, hold, log }: WriterOptions = {}) {
    this.#store = store;
    this.#around = around;
    this.#isKeptElsewhere = isKeptElsewhere;
    this.#hold = hold;
    if (isKeptElsewhere) store.sqlite.pragma('synchronous = NORMAL');
    this.#log = log ?? new LogFlusher(`${store.sqlite.name}-wal`);
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
      this.#lookAtFile();
    }
    return this.#generation;
  }

  #lookAtFile(): void {
    const version = this.#dataVersion.get() as number;
    if (version !== this.#version) this.#generation++;
    this.#version = version;
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
  commit<T>(change: Change<T>): Promise<T> {
    return this.#commit(change, 'FULL');
  }

  #mustCommit(): void {
    if (!this.#busy) throw new Error('a commit outside a task of the writer');
    if (this.#failure !== null) throw this.#failure;
  }

  async #commit<T>(change: Change<T>, synchronous: 'FULL' | 'NORMAL'): Promise<T> {
    this.#mustCommit();
    if (synchronous !== this.#synchronous && !this.#isKeptElsewhere) {
      this.#store.sqlite.pragma(`synchronous = ${synchronous}`);
      this.#synchronous = synchronous;
    }
    const transaction = (): T => this.#transaction(change);
    return this.#around === undefined ? transaction() : this.#around(this.#store.sqlite, transaction);
  }

  /**
   * The same for what is added to the ledger while others wait for this thread: it does not stand still until the disk has it, which
   * is what a commit costs most. Readers see the change before that, and a power cut may still take it from them: nothing that was
   * read leaves this process before `flushed`.
   *
   * A crash of the process leaves all of it or nothing. A power cut before the promise is kept leaves commits up to some point, in
   * their order, and nobody has an answer that tells of the others.
   * @throws what the disk failed with. From then on nothing is written or answered until the next start has looked at the file: what
   *   it kept nobody knows, and an operating system says so only once.
   */
  async commitFlushedBeside<T>(change: NotingChange<T>): Promise<T> {
    if (this.#hold !== undefined) return this.#commitHeld(change, this.#hold);
    if (this.#isKeptElsewhere) return this.commit((store) => change(store));
    const result = await this.#commit((store) => change(store), 'NORMAL');
    await this.#flush();
    return result;
  }

  async #commitHeld<T>(change: NotingChange<T>, hold: HoldCommit): Promise<T> {
    this.#mustCommit();
    this.#held ??= this.#secondStore();
    const held = this.#held;
    const result = await hold(held.sqlite, (note) => {
      // From here on nobody else can write to the file.
      this.#lookAtFile();
      return change(held, note);
    });
    // It has another version by this very commit, of which nothing is to be read again.
    this.#version = this.#dataVersion.get() as number;
    return result;
  }

  #secondStore(): OpenStore {
    const sqlite = connectionTo(this.#store.sqlite.name);
    sqlite.pragma('synchronous = NORMAL');
    return storeOn(sqlite, this.#store.clock);
  }

  async #flush(): Promise<void> {
    const flushing = this.#log.flushed();
    this.#flushing = flushing;
    try {
      await flushing;
      this.#flushing = null;
    } catch (error) {
      this.#failure = new Error(`the disk failed to keep the ledger: ${messageOf(error)}. Start the service again`, {
        cause: error,
      });
      throw this.#failure;
    }
  }

  /**
   * Once it is kept, the disk has what any reader has seen so far, here or on a host that keeps it too; null where it has it already.
   * @throws what the disk failed with
   */
  get flushed(): Promise<void> | null {
    return this.#failure === null ? this.#flushing : Promise.reject(this.#failure);
  }

  /** Waits until the file itself has on disk what was committed, which is soon the case; to be called in the writer's turn. */
  async flushFile(): Promise<void> {
    if (this.#isKeptElsewhere) await this.#flush();
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

  /** To be called once no task comes any more. */
  async close(): Promise<void> {
    this.#held?.close();
    await this.#log.close();
  }
}
