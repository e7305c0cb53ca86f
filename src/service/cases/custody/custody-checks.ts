import type Database from 'better-sqlite3';
import { nodeCrypto } from '../../../node/index.ts';
import type { CustodyCheck } from './check-custody.ts';
import { WholeLog, type WholeLogCheck } from './check-whole-log.ts';
import type { LogOf } from './custody-entry.ts';
import { KnownSignatures } from './known-signatures.ts';

/** Keys that are named. */
export const MAX_EXAMINERS = 100;

/** How often a log is checked again where it changes meanwhile; then once without letting others write. */
const ATTEMPTS = 2;

/** What is known of the whole log of an open case. */
export interface KnownLog extends Omit<WholeLogCheck, 'examiners'> {
  /** The first of those whose keys signed. */
  readonly examiners: CustodyCheck['examiners'];
  readonly examinersTotal: number;
}

/** How far the file of a log has come. */
interface FileState {
  /** Changes with each write by any other connection. */
  readonly foreign: number;
  /** Changes with each write by this one. */
  readonly own: number;
}

interface Kept {
  readonly of: LogOf;
  readonly state: FileState;
  readonly check: WholeLog;
  readonly log: KnownLog;
}

/**
 * Checks the log of an open case, and remembers what was found: each page of the log tells of all of it.
 *
 * Remembered is, in memory and of a log without damage alone: number and hash of the newest entry that was checked, which entries are signed and
 * how, the counts, the items by the log, and which acts there are. What this connection writes after that is checked from there on: the new
 * entries with their links, the signatures that came since, the notes that the new entries name, and all items. A service appends to the log and
 * changes nothing of it, and each of its changes to notes is in one transaction with its entry.
 *
 * Whoever owns the machine can change the file. What another connection commits is seen, and the log is then checked from its first
 * entry, as it is when a case is opened on this thread (at the first look after a start, after *Verify again*, and once eight other cases were looked
 * at), for a certificate, where something is damaged, and entry by entry where a case file is opened or examined by the command. Bytes that
 * somebody writes into the file past SQLite while the case is open are found by those checks, and not before.
 */
export class CustodyChecks {
  readonly #sqlite: Database.Database;
  readonly signatures = new KnownSignatures(nodeCrypto);
  #kept: Kept | null = null;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /**
   * What is known of the whole log as it is now. Others have their turn on the thread while it is checked; whoever asks next has to wait
   * until this has answered.
   */
  async known(of: LogOf): Promise<KnownLog> {
    const kept = this.#kept;
    const now = this.#state();
    if (kept === null || kept.of.caseId !== of.caseId || kept.of.caseSha256 !== of.caseSha256) return this.whole(of);
    if (isSame(kept.state, now)) return kept.log;
    const goesOn = kept.state.foreign === now.foreign && kept.log.damage.length === 0;
    return (goesOn ? await this.#continued(kept) : null) ?? this.whole(of);
  }

  /** The same, with every entry checked now, whatever is remembered. */
  async whole(of: LogOf): Promise<KnownLog> {
    this.#kept = null;
    for (let attempt = 1; ; attempt += 1) {
      const state = this.#state();
      const pauses = attempt <= ATTEMPTS;
      const check = new WholeLog(this.#sqlite, of, this.signatures);
      const log = knownOf(await check.takeAll(pauses));
      // What was written meanwhile is in one part of what was compared and not in another.
      if (isSame(this.#state(), state)) this.#kept = { of, state, check, log };
      if (this.#kept !== null || !pauses) return log;
    }
  }

  /** What is known with what was written since; null where it has to be checked whole. */
  async #continued({ of, check, state: { foreign } }: Kept): Promise<KnownLog | null> {
    // Should this fail halfway, nothing is remembered.
    this.#kept = null;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const state = this.#state();
      if (state.foreign !== foreign) return null;
      await check.takeNew();
      if (!isSame(this.#state(), state)) continue;
      const log = knownOf(check.resultOfNew());
      this.#kept = { of, state, check, log };
      return log;
    }
    return null;
  }

  #state(): FileState {
    const own = this.#sqlite.prepare('SELECT total_changes()').pluck().get() as number;
    return { foreign: this.#sqlite.pragma('data_version', { simple: true }) as number, own };
  }
}

function isSame(one: FileState, other: FileState): boolean {
  return one.foreign === other.foreign && one.own === other.own;
}

function knownOf(check: WholeLogCheck): KnownLog {
  return { ...check, examiners: check.examiners.slice(0, MAX_EXAMINERS), examinersTotal: check.examiners.length };
}
