import type Database from 'better-sqlite3';
import type { CustodySignatureState } from '../../../contract/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';
import { type CheckedEntry, type CustodyCheck, KnownSignatures } from './check-custody.ts';
import { checkWholeLog } from './check-whole-log.ts';
import type { LogOf } from './custody-entry.ts';

/** Keys that are named. */
export const MAX_EXAMINERS = 100;

/** Acts that a paper tells of one by one: those that are not about a single record. */
const MAX_ACTS = 500;

/** How often a log is checked again where it changes meanwhile; then once without letting others write. */
const ATTEMPTS = 2;

/** What is known of the whole log of an open case. */
export interface KnownLog extends Omit<CustodyCheck, 'examiners'> {
  /** The first of those whose keys signed. */
  readonly examiners: CustodyCheck['examiners'];
  readonly examinersTotal: number;
  /** Of entries that somebody signed; no other has a state. */
  readonly states: ReadonlyMap<number, CustodySignatureState>;
  /** The numbers of acts that are about no single record, oldest first. */
  readonly acts: readonly number[];
  readonly actsTotal: number;
  /**
   * The newest entry that says that the case was opened from a file, which this service wrote when it opened it: what stands
   * before it, and who is said to have done that, was chosen by whoever made the file. 0 of a case that was begun here.
   */
  readonly openedAt: number;
}

/** Checks the log of an open case, and remembers what was found until its file changes: each page of the log tells of all of it. */
export class CustodyChecks {
  readonly #sqlite: Database.Database;
  readonly signatures = new KnownSignatures(nodeCrypto);
  #known: { readonly state: string; readonly log: KnownLog } | null = null;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /** What is known of the whole log as it is now. Others have their turn on the thread while it is checked. */
  async known(of: LogOf): Promise<KnownLog> {
    for (let attempt = 1; ; attempt += 1) {
      const state = this.#state();
      if (this.#known?.state === state) return this.#known.log;
      const pauses = attempt <= ATTEMPTS;
      const log = await this.#check(of, pauses);
      // What was written meanwhile is in one part of what was compared and not in another.
      if (this.#state() === state) this.#known = { state, log };
      if (this.#known?.log === log || !pauses) return log;
    }
  }

  /** Changes with each write to the file: by this connection, and by any other. */
  #state(): string {
    const own = this.#sqlite.prepare('SELECT total_changes()').pluck().get();
    return `${this.#sqlite.pragma('data_version', { simple: true })} ${own}`;
  }

  async #check(of: LogOf, pauses: boolean): Promise<KnownLog> {
    const states = new Map<number, CustodySignatureState>();
    const acts: number[] = [];
    let [actsTotal, openedAt] = [0, 0];
    const onEntry = ({ entry_no, entry, signature }: CheckedEntry): void => {
      if (signature !== 'unsigned') states.set(entry_no, signature);
      if (entry?.action === 'case.open') openedAt = entry_no;
      if (entry === null || entry.details['operation_id'] !== undefined) return;
      actsTotal += 1;
      if (acts.length < MAX_ACTS) acts.push(entry_no);
    };
    const { signatures } = this;
    const check = await checkWholeLog(this.#sqlite, { of, signatures, pauses, onEntry });
    const examiners = check.examiners.slice(0, MAX_EXAMINERS);
    return { ...check, examiners, examinersTotal: check.examiners.length, states, acts, actsTotal, openedAt };
  }
}
