import type Database from 'better-sqlite3';
import { BLOCK } from './index-file.ts';
import { type IndexedOperation, nonceKey, operationIdKey, TermKeys } from './posting-keys.ts';
import { RowInserter } from './row-inserter.ts';
import { TileWriter } from './tile-writer.ts';

/** How far an organization's ledger is in the index. */
export interface IndexedUpTo {
  readonly orgId: string;
  readonly seqNo: number;
}

interface Row extends IndexedOperation {
  readonly seqNo: number;
  readonly issuedAtMs: number;
  readonly leafHash: Buffer;
}

interface OrgRow {
  readonly org_no: number;
  readonly org_id: string;
  readonly indexed_seq: number;
}

/** The most records of an organization that one step takes up: bounds its memory. The more there are, the cheaper each becomes. */
const MAX_STEP = 16_384;

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
  readonly #terms = new TermKeys();
  readonly #tiles: TileWriter;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #postings: RowInserter;
  readonly #issueTimes: RowInserter;

  /**
   * @param ledger a connection for reading only
   * @param index a connection that may write
   * @param maxStep how many records of an organization one step takes up at most
   */
  constructor(ledger: Database.Database, index: Database.Database, maxStep = MAX_STEP) {
    this.#index = index;
    this.#maxStep = maxStep;
    this.#tiles = new TileWriter(ledger, index);
    this.#statements = prepare(ledger, index);
    this.#postings = new RowInserter(index, 'postings', 3);
    this.#issueTimes = new RowInserter(index, 'issue_times', 4);
  }

  /**
   * One step for every organization.
   * @returns how far each that had something new is now, and whether there is more
   */
  step(): { readonly upTo: readonly IndexedUpTo[]; readonly more: boolean } {
    const upTo: IndexedUpTo[] = [];
    let more = false;
    for (const org of this.#orgs()) {
      const rows = this.#statements.rowsAfter.all(org.org_id, org.indexed_seq, this.#maxStep) as Row[];
      const last = rows.at(-1);
      if (last !== undefined) {
        this.#takeUp(org, rows, last);
        upTo.push({ orgId: org.org_id, seqNo: last.seqNo });
      }
      const moreEpochs = this.#tiles.tileSealedEpochs(org.org_no, org.org_id);
      more ||= rows.length === this.#maxStep || moreEpochs;
    }
    return { upTo, more };
  }

  /** Looks for some records of an organization whether each is found by all that it should be found by. */
  check(orgId: string, after: number): IndexCheck {
    const { rowsAfter, hasPosting, hasIssueTime } = this.#statements;
    const org = this.#orgs().find(({ org_id }) => org_id === orgId);
    if (org === undefined) return { to: null, sound: true };
    const rows = (rowsAfter.all(orgId, after, CHECK_STEP) as Row[]).filter(({ seqNo }) => seqNo <= org.indexed_seq);
    const sound = rows.every(
      (row) =>
        this.#keysOf(orgId, row).every((key) => hasPosting.get(key, row.seqNo) === row.issuedAtMs) &&
        hasIssueTime.get(org.org_no, blockOf(row), row.issuedAtMs, row.seqNo) !== undefined,
    );
    return { to: rows.length < CHECK_STEP ? null : (rows.at(-1)?.seqNo ?? null), sound };
  }

  #keysOf(orgId: string, row: Row): number[] {
    const { operationId, agentId, nonce } = row;
    return [operationIdKey(orgId, operationId), nonceKey(orgId, agentId, nonce), ...this.#terms.all(orgId, row)];
  }

  #orgs(): OrgRow[] {
    const known = new Set((this.#statements.orgs.all() as OrgRow[]).map(({ org_id }) => org_id));
    for (const { org_id } of this.#statements.ledgerOrgs.all() as { org_id: string }[]) {
      if (!known.has(org_id)) this.#statements.addOrg.run(org_id);
    }
    return this.#statements.orgs.all() as OrgRow[];
  }

  #takeUp(org: OrgRow, rows: readonly Row[], last: Row): void {
    const { moveMark } = this.#statements;
    const postings = this.#postingsOf(org.org_id, rows);
    // Float64Array sorts numbers natively, many times faster than a comparison in JavaScript.
    const keys = Float64Array.from(postings.keys()).sort();
    const byIssueTime = [...rows].sort(
      (a, b) => blockOf(a) - blockOf(b) || a.issuedAtMs - b.issuedAtMs || a.seqNo - b.seqNo,
    );
    // A crash before the commit leaves the mark where it was, and all of this is done again.
    this.#index.transaction(() => {
      for (const key of keys) {
        for (const { seqNo, issuedAtMs } of postings.get(key) ?? []) this.#postings.add(key, seqNo, issuedAtMs);
      }
      this.#postings.flush();
      for (const row of byIssueTime) this.#issueTimes.add(org.org_no, blockOf(row), row.issuedAtMs, row.seqNo);
      this.#issueTimes.flush();
      this.#extendBlocks(org.org_no, rows);
      moveMark.run(last.seqNo, last.leafHash, org.org_no);
    })();
  }

  /** Every key with its operations in order. */
  #postingsOf(orgId: string, rows: readonly Row[]): Map<number, Row[]> {
    const lists = new Map<number, Row[]>();
    for (const row of rows) {
      for (const key of this.#keysOf(orgId, row)) {
        const list = lists.get(key);
        if (list === undefined) lists.set(key, [row]);
        // Two terms may have one key, by chance.
        else if (list.at(-1) !== row) list.push(row);
      }
    }
    return lists;
  }

  #extendBlocks(orgNo: number, rows: readonly Row[]): void {
    const blocks = new Map<number, [first: number, last: number]>();
    for (const row of rows) {
      const { issuedAtMs } = row;
      const blockNo = blockOf(row);
      const bounds = blocks.get(blockNo);
      if (bounds === undefined) blocks.set(blockNo, [issuedAtMs, issuedAtMs]);
      else {
        if (issuedAtMs < bounds[0]) bounds[0] = issuedAtMs;
        if (issuedAtMs > bounds[1]) bounds[1] = issuedAtMs;
      }
    }
    for (const [blockNo, [first, last]] of blocks) this.#statements.extendBlock.run(orgNo, blockNo, first, last);
  }
}

function blockOf({ seqNo }: Row): number {
  return Math.floor(seqNo / BLOCK);
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    ledgerOrgs: ledger.prepare('SELECT org_id FROM organizations'),
    rowsAfter: ledger.prepare(
      `SELECT seq_no AS seqNo, operation_id AS operationId, agent_id AS agentId, nonce, operation_type AS operationType,
              subject, issued_at_ms AS issuedAtMs, leaf_hash AS leafHash
       FROM operations WHERE org_id = ? AND seq_no > ? ORDER BY seq_no LIMIT ?`,
    ),
    hasPosting: index.prepare('SELECT issued_at FROM postings WHERE key = ? AND seq_no = ?').pluck(),
    hasIssueTime: index
      .prepare('SELECT 1 FROM issue_times WHERE org_no = ? AND block_no = ? AND issued_at = ? AND seq_no = ?')
      .pluck(),
    orgs: index.prepare('SELECT org_no, org_id, indexed_seq FROM orgs'),
    addOrg: index.prepare('INSERT INTO orgs (org_id, indexed_seq, tiled_epoch) VALUES (?, 0, 0)'),
    extendBlock: index.prepare(
      `INSERT INTO blocks VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
         first_issued = min(first_issued, excluded.first_issued), last_issued = max(last_issued, excluded.last_issued)`,
    ),
    moveMark: index.prepare('UPDATE orgs SET indexed_seq = ?, leaf_hash = ? WHERE org_no = ?'),
  };
}
