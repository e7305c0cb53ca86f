import type Database from 'better-sqlite3';
import { BLOCK } from './index-file.ts';
import { type OperationTerms, TermKeys } from './posting-keys.ts';

/** What operations are searched by; `from` inclusive, `to` exclusive, in milliseconds, on the time of issue. */
export interface OperationQuery extends OperationTerms {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** An operation as a search finds it: without its payload. */
export interface FoundOperation {
  readonly operation_id: string;
  readonly agent_id: string;
  readonly operation_type: string;
  readonly subject: string;
  readonly action: string;
  readonly issued_at: string;
  readonly issued_at_ms: number;
  readonly seq_no: number;
  readonly received_at: number;
}

/** An organization as the index knows it. */
export interface IndexedOrg {
  readonly org_no: number;
  readonly indexed_seq: number;
}

/** A window with at most so many records is looked through as a whole; a larger one is walked from its newest. */
const SMALL_WINDOW = 2000;

/** How many candidates are looked up at a time. */
const STRIDE = 256;

const EARLIEST = Number.MIN_SAFE_INTEGER;
const LATEST = Number.MAX_SAFE_INTEGER;

const COLUMNS = `operation_id, agent_id, operation_type, subject, action, issued_at, issued_at_ms, seq_no, received_at`;

/** Finds operations, newest first, through the index and, for what is not in it yet, in the ledger itself. */
export class OperationSearch {
  readonly #terms = new TermKeys();
  readonly #statements: ReturnType<typeof prepare>;

  constructor(ledger: Database.Database, index: Database.Database) {
    this.#statements = prepare(ledger, index);
  }

  /**
   * Operations of an organization before a sequence number, newest first.
   * @param org null where the index knows nothing of it yet
   */
  page(orgId: string, org: IndexedOrg | null, query: OperationQuery, before: number | null, limit: number) {
    const end = before ?? LATEST;
    const indexed = org?.indexed_seq ?? 0;
    // Read after the mark was: what is indexed meanwhile is found twice over by nobody.
    const found = this.#walk(orgId, query, indexed, end, limit);
    if (found.length < limit && org !== null) {
      const older = this.#indexed(orgId, org, query, Math.min(end, indexed + 1), limit - found.length);
      found.push(...older);
    }
    return found;
  }

  /** The first operations of an agent after a sequence number, oldest first. */
  following(orgId: string, org: IndexedOrg | null, agentId: string, after: number, limit: number): number[] {
    const key = this.#terms.of(orgId, { agentId }) ?? 0;
    const found: number[] = [];
    for (const seqNo of this.#statements.postedAfter.iterate(key, after) as Iterable<number>) {
      if (this.#check(orgId, { agentId }, [seqNo], 1).length > 0 && found.push(seqNo) === limit) return found;
    }
    const indexed = Math.max(after, org?.indexed_seq ?? 0, found.at(-1) ?? 0);
    return [...found, ...(this.#statements.nextOf.all(orgId, indexed, agentId, limit - found.length) as number[])];
  }

  /** Goes through the ledger itself, from the newest before `end` down to after `after`. */
  #walk(orgId: string, query: OperationQuery, after: number, end: number, limit: number): FoundOperation[] {
    return this.#statements.walk.all({
      orgId,
      after,
      end,
      limit,
      agentId: query.agentId ?? null,
      operationType: query.operationType ?? null,
      subject: query.subject ?? null,
      from: query.from ?? EARLIEST,
      to: query.to ?? LATEST,
    }) as FoundOperation[];
  }

  #indexed(orgId: string, org: IndexedOrg, query: OperationQuery, end: number, limit: number): FoundOperation[] {
    const window = this.#window(org, query, end);
    if (window === null) return [];
    const key = this.#terms.of(orgId, query);
    if (window.members !== null) return this.#check(orgId, query, window.members, limit);
    if (key === null) return this.#walk(orgId, query, window.after, window.end, limit);
    const found: FoundOperation[] = [];
    const bounds = { key, after: window.after, from: query.from ?? EARLIEST, to: query.to ?? LATEST };
    for (let before = window.end; found.length < limit; ) {
      const candidates = this.#statements.posted.all({ ...bounds, end: before, limit: STRIDE }) as number[];
      found.push(...this.#check(orgId, query, candidates, limit - found.length));
      if (candidates.length < STRIDE) break;
      before = candidates.at(-1) ?? 0;
    }
    return found;
  }

  /**
   * Where the records of a time window are: between two sequence numbers, or, where they are few, which ones. Null where
   * there are none.
   */
  #window({ org_no: orgNo }: IndexedOrg, { from, to }: OperationQuery, end: number) {
    if (from === undefined && to === undefined) return { after: 0, end, members: null };
    const times = { orgNo, from: from ?? EARLIEST, to: to ?? LATEST };
    const { lastBlock, firstBlock, issuedWithin } = this.#statements;
    const last = lastBlock.get({ ...times, endBlock: Math.floor(Math.min(end, LATEST) / BLOCK) }) as number | undefined;
    const first = firstBlock.get(times) as number | undefined;
    if (last === undefined || first === undefined) return null;
    const few = issuedWithin.all({ ...times, limit: SMALL_WINDOW + 1 }) as number[];
    const members = few.length > SMALL_WINDOW ? null : few.filter((seqNo) => seqNo < end).sort((a, b) => b - a);
    return { after: first * BLOCK - 1, end: Math.min(end, (last + 1) * BLOCK), members };
  }

  /** Looks candidates up: keys are digests, and what a row says counts. */
  #check(orgId: string, query: OperationQuery, candidates: readonly number[], limit: number): FoundOperation[] {
    const { agentId, operationType, subject, from = EARLIEST, to = LATEST } = query;
    const found: FoundOperation[] = [];
    for (const seqNo of candidates) {
      if (found.length >= limit) break;
      const row = this.#statements.row.get(orgId, seqNo) as FoundOperation | undefined;
      if (row === undefined || row.issued_at_ms < from || row.issued_at_ms >= to) continue;
      if (agentId !== undefined && row.agent_id !== agentId) continue;
      if (operationType !== undefined && row.operation_type !== operationType) continue;
      if (subject !== undefined && row.subject !== subject) continue;
      found.push(row);
    }
    return found;
  }
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    walk: ledger.prepare(
      `SELECT ${COLUMNS} FROM operations
       WHERE org_id = @orgId AND seq_no > @after AND seq_no < @end
         AND issued_at_ms >= @from AND issued_at_ms < @to
         AND (@agentId IS NULL OR agent_id = @agentId)
         AND (@operationType IS NULL OR operation_type = @operationType)
         AND (@subject IS NULL OR subject = @subject)
       ORDER BY seq_no DESC LIMIT @limit`,
    ),
    row: ledger.prepare(`SELECT ${COLUMNS} FROM operations WHERE org_id = ? AND seq_no = ?`),
    posted: index
      .prepare(
        `SELECT seq_no FROM postings
         WHERE key = @key AND seq_no > @after AND seq_no < @end AND issued_at >= @from AND issued_at < @to
         ORDER BY seq_no DESC LIMIT @limit`,
      )
      .pluck(),
    postedAfter: index.prepare('SELECT seq_no FROM postings WHERE key = ? AND seq_no > ? ORDER BY seq_no').pluck(),
    nextOf: ledger
      .prepare('SELECT seq_no FROM operations WHERE org_id = ? AND seq_no > ? AND agent_id = ? ORDER BY seq_no LIMIT ?')
      .pluck(),
    issuedWithin: index
      .prepare(
        `SELECT seq_no FROM issue_times WHERE org_no = @orgNo AND issued_at >= @from AND issued_at < @to LIMIT @limit`,
      )
      .pluck(),
    lastBlock: index
      .prepare(
        `SELECT block_no FROM blocks WHERE org_no = @orgNo AND block_no <= @endBlock AND first_issued < @to AND last_issued >= @from
         ORDER BY block_no DESC LIMIT 1`,
      )
      .pluck(),
    firstBlock: index
      .prepare(
        `SELECT block_no FROM blocks WHERE org_no = @orgNo AND first_issued < @to AND last_issued >= @from
         ORDER BY block_no LIMIT 1`,
      )
      .pluck(),
  };
}
