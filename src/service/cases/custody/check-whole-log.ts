import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { CustodyDamage, CustodySignatureState } from '../../../api/index.ts';
import { type CheckedEntry, type CustodyCheck, LogChecker, MAX_DAMAGE } from './check-custody.ts';
import { type HeldItem, LoggedItems } from './check-items.ts';
import { NotedRecords } from './check-notes.ts';
import type { LogOf, StoredEntry } from './custody-entry.ts';
import { custodyRows, ROWS } from './custody-log.ts';
import type { KnownSignatures } from './known-signatures.ts';

/** Entries after which others have their turn on the thread. */
const PIECE = 512;

async function* withPauses(rows: Iterable<StoredEntry>): AsyncGenerator<StoredEntry> {
  let count = 0;
  for (const row of rows) {
    yield row;
    count += 1;
    if (count % PIECE === 0) await setImmediate();
  }
}

/** Acts that a paper tells of one by one: those that are not about a single record. */
const MAX_ACTS = 500;

/** What was found about the log of an open case besides what every check of a log finds. */
export interface WholeLogCheck extends CustodyCheck {
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

/** Checks the log of an open case: itself, its signatures, and items, tags and notes by what it says of them. */
export class WholeLog {
  readonly #sqlite: Database.Database;
  readonly #checker: LogChecker;
  readonly #items = new LoggedItems();
  /** Of the entries that notes were not held against yet. */
  #noted = new NotedRecords();
  readonly #states = new Map<number, CustodySignatureState>();
  readonly #acts: number[] = [];
  #actsTotal = 0;
  #openedAt = 0;

  constructor(sqlite: Database.Database, of: LogOf, signatures: KnownSignatures) {
    this.#sqlite = sqlite;
    this.#checker = new LogChecker(of, signatures);
  }

  /**
   * Takes all entries.
   * @param pauses whether others have their turn in between, who may write meanwhile
   * @returns what was found; it is of one moment only if nobody wrote meanwhile
   */
  async takeAll(pauses: boolean): Promise<WholeLogCheck> {
    const rows = custodyRows(this.#sqlite);
    await this.#checker.take(pauses ? withPauses(rows) : rows, (checked) => this.#take(checked));
    return this.#result(noteRows(this.#sqlite));
  }

  /** Takes the entries after the newest one that was taken, and the signatures that came since. */
  async takeNew(): Promise<void> {
    await this.#checker.take(custodyRows(this.#sqlite, this.#checker.last), (checked) => this.#take(checked));
    const signed = this.#sqlite.prepare('SELECT entry_no FROM custody_signatures').pluck().all() as number[];
    const find = this.#sqlite.prepare(`${ROWS} WHERE entry_no = ?`);
    const rows = signed.flatMap((entryNo) => {
      if (this.#states.has(entryNo) || entryNo > this.#checker.last) return [];
      return (find.get(entryNo) as StoredEntry | undefined) ?? [];
    });
    await this.#checker.sign(rows, ({ entry_no, signature }) => void this.#states.set(entry_no, signature));
  }

  /** What is known once `takeNew` took what is new: of notes, those are looked at that the new entries name. */
  resultOfNew(): WholeLogCheck {
    return this.#result(noteRows(this.#sqlite, this.#noted.operationIds));
  }

  #take(checked: CheckedEntry): void {
    const { entry_no, entry, signature } = checked;
    this.#noted.take(checked);
    this.#items.take(checked);
    if (signature !== 'unsigned') this.#states.set(entry_no, signature);
    if (entry?.action === 'case.open') this.#openedAt = entry_no;
    if (entry === null || entry.details['operation_id'] !== undefined) return;
    this.#actsTotal += 1;
    if (this.#acts.length < MAX_ACTS) this.#acts.push(entry_no);
  }

  #result(notes: Iterable<NoteRow>): WholeLogCheck {
    const check = this.#checker.result();
    const found = [
      ...check.damage,
      ...lostEnds(this.#sqlite),
      ...changedItems(this.#sqlite, this.#items),
      ...changedNotes(notes, this.#noted),
    ];
    this.#noted = new NotedRecords();
    return {
      ...check,
      damage: found.slice(0, MAX_DAMAGE),
      states: this.#states,
      acts: this.#acts,
      actsTotal: this.#actsTotal,
      openedAt: this.#openedAt,
    };
  }
}

/** Signatures of entries that are not there. */
function lostEnds(sqlite: Database.Database): CustodyDamage[] {
  const sql = `SELECT entry_no FROM custody_signatures
    WHERE entry_no > (SELECT coalesce(max(entry_no), 0) FROM custody) ORDER BY entry_no LIMIT ${MAX_DAMAGE}`;
  const lost = sqlite.prepare(sql).pluck().all() as number[];
  return lost.map((entry_no) => ({ entry_no, code: 'ENTRY_MISSING' }));
}

function changedItems(sqlite: Database.Database, logged: LoggedItems): CustodyDamage[] {
  const items = sqlite.prepare('SELECT item_no, name, bytes, sha256, added_by FROM items').all() as HeldItem[];
  return logged.changed(items).map((changed) => ({ ...changed, code: 'ITEM_CHANGED' }));
}

interface NoteRow {
  readonly operation_id: string;
  readonly note: string;
  readonly bookmarked: number;
  readonly updated_by: string | null;
  /** JSON: an array of texts. */
  readonly tags: string;
}

const NOTES = `SELECT operation_id, note, bookmarked, updated_by, (SELECT json_group_array(tag) FROM
  (SELECT tag FROM tags t WHERE t.operation_id = a.operation_id ORDER BY place)) AS tags FROM annotations a`;

/** What is written about records. @param operationIds of which; of all where it is left out */
function noteRows(sqlite: Database.Database, operationIds?: Iterable<string>): NoteRow[] {
  if (operationIds === undefined) return sqlite.prepare(NOTES).all() as NoteRow[];
  const find = sqlite.prepare(`${NOTES} WHERE a.operation_id = ?`);
  return Array.from(operationIds).flatMap((operationId) => find.all(operationId) as NoteRow[]);
}

function changedNotes(rows: Iterable<NoteRow>, noted: NotedRecords): CustodyDamage[] {
  const changed: number[] = [];
  for (const { operation_id, note, bookmarked, tags, updated_by: by } of rows) {
    const written = { tags: JSON.parse(tags) as string[], note, bookmarked: bookmarked === 1, by };
    const entryNo = noted.differsFrom(operation_id, written);
    if (entryNo !== null) changed.push(entryNo);
  }
  return [...changed, ...noted.missing()].sort((a, b) => a - b).map((entry_no) => ({ entry_no, code: 'NOTE_CHANGED' }));
}
