import type Database from 'better-sqlite3';
import { type OperationTerms, TermKeys } from './posting-keys.ts';
import { PostingPlaces } from './posting-places.ts';
import type { UnindexedTail } from './tail.ts';

/** What operations are searched by; `from` inclusive, `to` exclusive, in milliseconds, on the time of issue. */
export interface OperationQuery extends OperationTerms {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only those with a smaller sequence number; of counts, for a page of a search says where it begins. */
  readonly before?: number | undefined;
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

const EARLIEST = Number.MIN_SAFE_INTEGER;
const LATEST = Number.MAX_SAFE_INTEGER;

const COLUMNS = `operation_id, agent_id, operation_type, subject, action, issued_at, issued_at_ms, seq_no, received_at`;

/** Finds operations, newest first, through the index and, for what is not in it yet, in the ledger itself. */
export class OperationSearch {
  readonly #terms = new TermKeys();
  readonly #places: PostingPlaces;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(ledger: Database.Database, index: Database.Database) {
    this.#places = new PostingPlaces(index);
    this.#statements = prepare(ledger, index);
  }

  /**
   * Operations of an organization before a sequence number, newest first.
   * @param org null where the index knows nothing of it yet
   * @param tail records that the index has not taken up, where they are in memory; the ledger itself is gone through otherwise
   */
  page(
    orgId: string,
    org: IndexedOrg | null,
    query: OperationQuery,
    before: number | null,
    limit: number,
    tail?: UnindexedTail,
  ): FoundOperation[] {
    const end = before ?? LATEST;
    const indexed = org?.indexed_seq ?? 0;
    // Read after the mark was: what is indexed meanwhile is found twice over by nobody.
    const found =
      tail === undefined
        ? this.#walk(orgId, query, indexed, end, limit)
        : this.#check(orgId, query, tail.search(query, indexed, end, limit), limit);
    if (found.length < limit && org !== null) {
      const older = this.#indexed(orgId, org, query, Math.min(end, indexed + 1), limit - found.length);
      found.push(...older);
    }
    return found;
  }

  /** The first operations of an agent after a sequence number, oldest first. */
  following(orgId: string, org: IndexedOrg | null, agentId: string, after: number, limit: number): number[] {
    const { postedAfter, nextOf } = this.#statements;
    const found: number[] = [];
    const key = this.#terms.of(orgId, { agentId });
    // What is taken up meanwhile is found in the ledger: in the index it may be after what was looked at already.
    const indexed = org?.indexed_seq ?? 0;
    const places = org === null ? [] : this.#places.from(org.org_no, key, after + 1);
    for (const { segment, runNo } of places) {
      for (let from = after; ; ) {
        const wanted = limit - found.length;
        const posted = postedAfter.all(segment, key, runNo, from, indexed, wanted) as number[];
        found.push(...this.#check(orgId, { agentId }, posted, wanted).map(({ seq_no }) => seq_no));
        if (found.length === limit) return found;
        if (posted.length < wanted) break;
        from = posted.at(-1) ?? from;
      }
    }
    const recent = nextOf.all(orgId, Math.max(after, indexed), agentId, limit - found.length) as number[];
    return [...found, ...recent];
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

  /**
   * Goes down through the index from `end`, run by run, those without the terms left out. In each it goes straight to what
   * was issued in the window: neither many operations of other times nor many of other terms are gone through one by one.
   */
  #indexed(orgId: string, org: IndexedOrg, query: OperationQuery, end: number, limit: number): FoundOperation[] {
    const { agentId, operationType, subject, from, to } = query;
    if ([agentId, operationType, subject, from, to].every((member) => member === undefined)) {
      return this.#walk(orgId, query, 0, end, limit);
    }
    const asked = { key: this.#terms.of(orgId, query), from: from ?? EARLIEST, to: to ?? LATEST };
    const found: FoundOperation[] = [];
    for (const place of this.#places.before(org.org_no, asked.key, end)) {
      for (let before = end; ; ) {
        const wanted = limit - found.length;
        const candidates = this.#statements.posted.all({ ...asked, ...place, before, limit: wanted }) as number[];
        found.push(...this.#check(orgId, query, candidates, wanted));
        if (found.length === limit) return found;
        if (candidates.length < wanted) break;
        // As many as wanted, of which some are not what their keys seemed to say: on from the last of them.
        before = candidates.at(-1) ?? 0;
      }
    }
    return found;
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
         WHERE segment = @segment AND key = @key AND run_no = @runNo
           AND issued_at >= @from AND issued_at < @to AND seq_no < @before
         ORDER BY seq_no DESC LIMIT @limit`,
      )
      .pluck(),
    postedAfter: index
      .prepare(
        `SELECT seq_no FROM postings WHERE segment = ? AND key = ? AND run_no = ? AND seq_no > ? AND seq_no <= ?
         ORDER BY seq_no LIMIT ?`,
      )
      .pluck(),
    nextOf: ledger
      .prepare('SELECT seq_no FROM operations WHERE org_id = ? AND seq_no > ? AND agent_id = ? ORDER BY seq_no LIMIT ?')
      .pluck(),
  };
}
