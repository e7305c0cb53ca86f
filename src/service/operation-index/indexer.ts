import type Database from 'better-sqlite3';
import { runOf } from './index-file.ts';
import { PostingInserter } from './posting-inserter.ts';
import { type IndexedOperation, nonceKey, operationIdKey, TermKeys } from './posting-keys.ts';
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
  readonly #postings: PostingInserter;

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
    this.#postings = new PostingInserter(index);
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
    const { rowsAfter, hasPosting } = this.#statements;
    const org = this.#orgs().find(({ org_id }) => org_id === orgId);
    if (org === undefined) return { to: null, sound: true };
    const rows = (rowsAfter.all(orgId, after, CHECK_STEP) as Row[]).filter(({ seqNo }) => seqNo <= org.indexed_seq);
    const sound = rows.every((row) =>
      this.#keysOf(orgId, row).every(
        (key) => hasPosting.get(key, runOf(row.seqNo), row.issuedAtMs, row.seqNo) !== undefined,
      ),
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
    // A crash before the commit leaves the mark where it was, and all of this is done again.
    this.#index.transaction(() => {
      for (const key of keys) {
        for (const { seqNo, issuedAtMs } of postings.get(key) ?? []) {
          this.#postings.add(key, runOf(seqNo), issuedAtMs, seqNo);
        }
      }
      this.#postings.flush();
      moveMark.run(last.seqNo, last.leafHash, org.org_no);
    })();
  }

  /** Every key with its operations, in the order of the table. */
  #postingsOf(orgId: string, rows: readonly Row[]): Map<number, Row[]> {
    const lists = new Map<number, Row[]>();
    const inOrder = [...rows].sort(
      (a, b) => runOf(a.seqNo) - runOf(b.seqNo) || a.issuedAtMs - b.issuedAtMs || a.seqNo - b.seqNo,
    );
    for (const row of inOrder) {
      for (const key of this.#keysOf(orgId, row)) {
        const list = lists.get(key);
        if (list === undefined) lists.set(key, [row]);
        // Two terms may have one key, by chance.
        else if (list.at(-1) !== row) list.push(row);
      }
    }
    return lists;
  }
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    ledgerOrgs: ledger.prepare('SELECT org_id FROM organizations'),
    rowsAfter: ledger.prepare(
      `SELECT seq_no AS seqNo, operation_id AS operationId, agent_id AS agentId, nonce, operation_type AS operationType,
              subject, issued_at_ms AS issuedAtMs, leaf_hash AS leafHash
       FROM operations WHERE org_id = ? AND seq_no > ? ORDER BY seq_no LIMIT ?`,
    ),
    hasPosting: index.prepare('SELECT 1 FROM postings WHERE key = ? AND run_no = ? AND issued_at = ? AND seq_no = ?'),
    orgs: index.prepare('SELECT org_no, org_id, indexed_seq FROM orgs'),
    addOrg: index.prepare('INSERT INTO orgs (org_id, indexed_seq, tiled_epoch) VALUES (?, 0, 0)'),
    moveMark: index.prepare('UPDATE orgs SET indexed_seq = ?, leaf_hash = ? WHERE org_no = ?'),
  };
}
