import type Database from 'better-sqlite3';
import { orderOfKeys } from './key-order.ts';
import type { NameFilter } from './name-filter.ts';
import { agentKey, type IndexedOperation, nonceKey, operationIdKey } from './record-keys.ts';
import { Segments } from './segments.ts';

/** Rows in one statement: beyond this the calls into SQLite are no longer what costs. */
const ROWS = 64;
const COLUMNS = 3;

/** Inserts rows of segment, key and sequence number, many to a statement, leaving out those that are there. To be used within a transaction. */
class RowInserter {
  readonly #many: Database.Statement;
  readonly #one: Database.Statement;
  #values: number[] = [];

  constructor(database: Database.Database, table: 'names' | 'agents') {
    const row = '(?, ?, ?)';
    const insert = (rows: number): Database.Statement =>
      database.prepare(`INSERT OR IGNORE INTO ${table} VALUES ${Array(rows).fill(row).join(', ')}`);
    this.#many = insert(ROWS);
    this.#one = insert(1);
  }

  add(segment: number, key: number, seqNo: number): void {
    this.#values.push(segment, key, seqNo);
    if (this.#values.length < ROWS * COLUMNS) return;
    this.#many.run(this.#values);
    this.#values = [];
  }

  /** Inserts what add has kept back. */
  flush(): void {
    for (let at = 0; at < this.#values.length; at += COLUMNS) {
      this.#one.run(this.#values.slice(at, at + COLUMNS));
    }
    this.#values = [];
  }
}

/** How far an organization's ledger is in the index. */
export interface IndexedUpTo {
  readonly orgId: string;
  readonly seqNo: number;
}

interface Row extends IndexedOperation {
  readonly seqNo: number;
}

interface OrgRow {
  readonly org_no: number;
  readonly org_id: string;
  readonly indexed_seq: number;
}

/** The most records of an organization that one step adds: bounds its memory. The more there are, the cheaper each becomes. */
const MAX_STEP = 16_384;

export interface IndexerOptions {
  /** A connection for reading only. */
  readonly ledger: Database.Database;
  /** A connection that may write. */
  readonly index: Database.Database;
  /** The filter of the index's names, with room for what the next step adds. */
  readonly filter: NameFilter;
  /** How many records of an organization one step adds at most. */
  readonly maxStep?: number;
  /** How many records a segment has when it is full. */
  readonly segmentSize?: number;
}

/** Records in one step of a check: what else the thread has to do waits so long. */
const CHECK_STEP = 4096;

/** How far a check of the index came, null where it came to its end, and whether all it looked at was there. */
export interface IndexCheck {
  readonly to: number | null;
  readonly sound: boolean;
}

/**
 * Takes what the ledger got into the index, many records at a time, sorted, so that each page of the index is written
 * once for all of them. Reads committed records only, and moves its mark in the same transaction.
 */
export class Indexer {
  readonly #index: Database.Database;
  readonly #maxStep: number;
  readonly #filter: NameFilter;
  readonly #segments: Segments;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #names: RowInserter;
  readonly #agents: RowInserter;

  constructor({ ledger, index, filter, maxStep = MAX_STEP, segmentSize }: IndexerOptions) {
    this.#index = index;
    this.#maxStep = maxStep;
    this.#filter = filter;
    this.#segments = new Segments(index, filter, segmentSize);
    this.#statements = prepare(ledger, index);
    this.#names = new RowInserter(index, 'names');
    this.#agents = new RowInserter(index, 'agents');
  }

  /**
   * One step for every organization.
   * @returns how far each that had something new is now, and whether there is more
   */
  step(): { readonly upTo: readonly IndexedUpTo[]; readonly more: boolean } {
    const upTo: IndexedUpTo[] = [];
    let more = false;
    for (const org of this.#orgs()) {
      const { segment, room } = this.#segments.open();
      // Without a place in the filter nothing of it would be found: the next step has one.
      const most = this.#filter.covers(segment) ? Math.min(this.#maxStep, room) : 0;
      const rows = this.#statements.rowsAfter.all(org.org_id, org.indexed_seq, most) as Row[];
      const [first, last] = [rows[0], rows.at(-1)];
      if (first !== undefined && last !== undefined) {
        this.#takeUp(org, segment, rows, first, last);
        upTo.push({ orgId: org.org_id, seqNo: last.seqNo });
      }
      more ||= rows.length === most;
    }
    return { upTo, more };
  }

  /** Takes all names of the index into its filter. */
  loadFilter(): void {
    this.#segments.loadFilter();
  }

  /** Looks for some records of an organization whether each is found by all that it should be found by. */
  check(orgId: string, after: number): IndexCheck {
    const { rowsAfter } = this.#statements;
    const org = this.#orgs().find(({ org_id }) => org_id === orgId);
    if (org === undefined) return { to: null, sound: true };
    const rows = (rowsAfter.all(orgId, after, CHECK_STEP) as Row[]).filter(({ seqNo }) => seqNo <= org.indexed_seq);
    const sound = rows.every((row) => this.#isFound(org, row));
    return { to: rows.length < CHECK_STEP ? null : (rows.at(-1)?.seqNo ?? null), sound };
  }

  #isFound(org: OrgRow, row: Row): boolean {
    const { hasName, hasAgent } = this.#statements;
    const { seqNo, agentId } = row;
    const segment = this.#segments.of(org.org_no, seqNo);
    if (segment === null || !this.#filter.covers(segment)) return false;
    return (
      namesOf(org.org_id, row).every(
        (key) => this.#filter.mayHave(segment, key) && hasName.get(segment, key, seqNo) !== undefined,
      ) && hasAgent.get(segment, agentKey(org.org_id, agentId), seqNo) !== undefined
    );
  }

  #orgs(): OrgRow[] {
    const known = new Set((this.#statements.orgs.all() as OrgRow[]).map(({ org_id }) => org_id));
    for (const { org_id } of this.#statements.ledgerOrgs.all() as { org_id: string }[]) {
      if (!known.has(org_id)) this.#statements.addOrg.run(org_id);
    }
    return this.#statements.orgs.all() as OrgRow[];
  }

  #takeUp(org: OrgRow, segment: number, rows: readonly Row[], first: Row, last: Row): void {
    const agentKeys = new Map(
      Array.from(new Set(rows.map(({ agentId }) => agentId)), (id) => [id, agentKey(org.org_id, id)]),
    );
    // A crash before the commit leaves the mark where it was, and all of this is done again.
    this.#index.transaction(() => {
      eachKey(
        rows,
        (row) => namesOf(org.org_id, row),
        (key, { seqNo }) => {
          this.#names.add(segment, key, seqNo);
          // Nobody finds it in memory any more once this is committed. If it is not, it is looked for in vain.
          this.#filter.add(segment, key);
        },
      );
      this.#names.flush();
      eachKey(
        rows,
        ({ agentId }) => [agentKeys.get(agentId) ?? 0],
        (key, { seqNo }) => this.#agents.add(segment, key, seqNo),
      );
      this.#agents.flush();
      this.#segments.added(segment, org.org_no, first.seqNo, rows.length);
      const leafHash = this.#statements.leafHash.get(org.org_id, last.seqNo);
      this.#statements.moveMark.run(last.seqNo, leafHash, rows.length, org.org_no);
    })();
  }
}

function namesOf(orgId: string, { operationId, agentId, nonce }: Row): number[] {
  return [operationIdKey(orgId, operationId), nonceKey(orgId, agentId, nonce)];
}

/** Goes through rows key by key, in the order of the keys: as the table has them, for each page of it to be written once. */
function eachKey(
  rows: readonly Row[],
  keysOf: (row: Row) => readonly number[],
  take: (key: number, row: Row) => void,
): void {
  const keys: number[] = [];
  const owners: Row[] = [];
  for (const row of rows) {
    for (const key of keysOf(row)) {
      keys.push(key);
      owners.push(row);
    }
  }
  for (const at of orderOfKeys(Float64Array.from(keys))) take(keys[at] ?? 0, owners[at] as Row);
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    ledgerOrgs: ledger.prepare('SELECT org_id FROM organizations'),
    rowsAfter: ledger.prepare(
      `SELECT seq_no AS seqNo, operation_id AS operationId, agent_id AS agentId, nonce
       FROM operations WHERE org_id = ? AND seq_no > ? ORDER BY seq_no LIMIT ?`,
    ),
    // Of the last one alone: a buffer for each of thousands would take more memory than all else of it.
    leafHash: ledger.prepare('SELECT leaf_hash FROM operations WHERE org_id = ? AND seq_no = ?').pluck(),
    hasName: index.prepare('SELECT 1 FROM names WHERE segment = ? AND key = ? AND seq_no = ?'),
    hasAgent: index.prepare('SELECT 1 FROM agents WHERE segment = ? AND key = ? AND seq_no = ?'),
    orgs: index.prepare('SELECT org_no, org_id, indexed_seq FROM orgs'),
    addOrg: index.prepare('INSERT INTO orgs (org_id, indexed_seq, records) VALUES (?, 0, 0)'),
    moveMark: index.prepare('UPDATE orgs SET indexed_seq = ?, leaf_hash = ?, records = records + ? WHERE org_no = ?'),
  };
}
