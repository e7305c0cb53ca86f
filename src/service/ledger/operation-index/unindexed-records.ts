import type Database from 'better-sqlite3';
import type { NewOperationRow } from '../../store/schema.ts';
import type { IndexedUpTo } from './indexer.ts';
import { type TailEntry, UnindexedTail } from './tail.ts';

/** A record that was committed, as far as it is found by it. */
export type CommittedRecord = Pick<NewOperationRow, 'orgId' | 'seqNo' | 'operationId' | 'agentId' | 'nonce'>;

/**
 * The records that the ledger has and the index does not have yet, in memory: a tail per organization. Together with the
 * index they cover every committed record.
 */
export class UnindexedRecords {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #tails = new Map<string, UnindexedTail>();
  #count = 0;
  /** Whether records may be missing here: a commit failed, and nobody knows whether it took place all the same. */
  #inDoubt = false;

  constructor(ledger: Database.Database, index: Database.Database) {
    this.#statements = prepare(ledger, index);
  }

  /** How many records are in memory. */
  get count(): number {
    return this.#count;
  }

  /** How many records of the ledger are not indexed, and how many it has; asks the files. */
  lag(): { readonly behind: number; readonly total: number } {
    return this.#statements.lag.get(this.#marks()) as { behind: number; total: number };
  }

  #marks(): string {
    const rows = this.#statements.marks.all() as { org_id: string; indexed_seq: number }[];
    return JSON.stringify(Object.fromEntries(rows.map((row) => [row.org_id, row.indexed_seq])));
  }

  /** Reads from the ledger what is not indexed. */
  read(): void {
    const unindexed = this.#statements.unindexed.iterate(this.#marks());
    for (const { orgId, ...entry } of unindexed as Iterable<TailEntry & { orgId: string }>) {
      this.tail(orgId).add(entry);
      this.#count++;
    }
  }

  /** Adds records that were committed. */
  add(rows: readonly CommittedRecord[]): void {
    for (const row of rows) {
      const { seqNo, operationId, agentId, nonce } = row;
      this.tail(row.orgId).add({ seqNo, operationId, agentId, nonce });
    }
    this.#count += rows.length;
  }

  /** Has the next resolveDoubt read everything from the ledger again. */
  doubt(): void {
    this.#inDoubt = true;
  }

  /** Reads the records again if they are in doubt. @returns whether they were */
  resolveDoubt(): boolean {
    if (!this.#inDoubt) return false;
    this.#tails.clear();
    this.#count = 0;
    this.read();
    this.#inDoubt = false;
    return true;
  }

  /** Drops the records that are indexed now. */
  drop(upTo: readonly IndexedUpTo[]): void {
    for (const { orgId, seqNo } of upTo) {
      const tail = this.tail(orgId);
      const before = tail.size;
      tail.drop(seqNo);
      this.#count -= before - tail.size;
    }
  }

  /** Drops what the index has by its own account. */
  dropIndexed(): void {
    this.drop(this.#statements.upTo.all() as IndexedUpTo[]);
  }

  /** An organization's records; an empty tail where there are none. */
  tail(orgId: string): UnindexedTail {
    let tail = this.#tails.get(orgId);
    if (tail === undefined) {
      tail = new UnindexedTail(orgId);
      this.#tails.set(orgId, tail);
    }
    return tail;
  }

  /** An organization's records, where it has had any since the start. */
  existingTail(orgId: string): UnindexedTail | undefined {
    return this.#tails.get(orgId);
  }
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    upTo: index.prepare('SELECT org_id AS orgId, indexed_seq AS seqNo FROM orgs'),
    marks: index.prepare('SELECT org_id, indexed_seq FROM orgs'),
    lag: ledger.prepare(
      `SELECT coalesce(sum(last - indexed), 0) AS behind, coalesce(sum(last), 0) AS total FROM (
         SELECT coalesce((SELECT max(seq_no) FROM operations WHERE org_id = o.org_id), 0) AS last,
                coalesce(json_extract(?, '$."' || o.org_id || '"'), 0) AS indexed
         FROM organizations o)`,
    ),
    unindexed: ledger.prepare(
      `SELECT p.org_id AS orgId, p.seq_no AS seqNo, p.operation_id AS operationId, p.agent_id AS agentId, p.nonce AS nonce
       FROM organizations o CROSS JOIN operations p
       ON p.org_id = o.org_id AND p.seq_no > coalesce(json_extract(?, '$."' || o.org_id || '"'), 0)`,
    ),
  };
}
