import type Database from 'better-sqlite3';
import { BLOCK } from './index-file.ts';
import { type OperationTerms, TermKeys } from './posting-keys.ts';
import type { UnindexedTail } from './tail.ts';

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

/** How many postings are gone through before the search looks whether their time of issue lets it jump ahead. */
const STRIDE = 4096;

/** Of a block with at most so many operations of a window these are looked up, whatever has been posted in it. */
const FEW = 8;

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

  /**
   * Goes down through the index from `end`: by strides of postings where there are terms, and where a time window is given
   * by blocks that have something of it. So neither many operations of other times nor many of other terms are gone
   * through one by one.
   */
  #indexed(orgId: string, org: IndexedOrg, query: OperationQuery, end: number, limit: number): FoundOperation[] {
    const key = this.#terms.of(orgId, query);
    const isWindowed = query.from !== undefined || query.to !== undefined;
    if (key === null && !isWindowed) return this.#walk(orgId, query, 0, end, limit);
    const times = { from: query.from ?? EARLIEST, to: query.to ?? LATEST };
    const found: FoundOperation[] = [];
    let before = end;
    let jumps = key === null;
    while (found.length < limit && before > 1) {
      const wanted = limit - found.length;
      if (key !== null && !jumps) {
        const after = isWindowed ? this.#bottomOfStride(key, before) : 0;
        const posted = this.#statements.posted.all({ ...times, key, after, before, limit: wanted }) as number[];
        found.push(...this.#check(orgId, query, posted, wanted));
        // As many as wanted, of which some may not be what their keys seemed to say: on from the last of them.
        before = posted.length === wanted ? (posted.at(-1) ?? 0) : after + 1;
        jumps = isWindowed;
        continue;
      }
      const block = this.#newestBlock({ ...times, orgNo: org.org_no }, before, key === null ? wanted : FEW + 1);
      if (block === null) break;
      before = Math.min(before, block.end);
      jumps = key === null || block.members.length <= FEW;
      if (!jumps) continue;
      found.push(...this.#check(orgId, query, block.members, wanted));
      before = key === null && block.members.length === wanted ? (block.members.at(-1) ?? 0) : block.start;
    }
    return found;
  }

  /** The posting under a key that is a stride before a sequence number; 0 where there are fewer. */
  #bottomOfStride(key: number, before: number): number {
    return (this.#statements.bottomOfStride.get(key, before) as number | undefined) ?? 0;
  }

  /** The newest block that has operations of a time window before a sequence number, with the newest of these. */
  #newestBlock(times: { orgNo: number; from: number; to: number }, before: number, limit: number) {
    const { newestBlock, issuedWithin } = this.#statements;
    const bounds = { ...times, before };
    const blockNo = newestBlock.get({ ...bounds, last: Math.floor((before - 1) / BLOCK) }) as number | undefined;
    if (blockNo === undefined) return null;
    const members = issuedWithin.all({ ...bounds, blockNo, limit }) as number[];
    return { start: blockNo * BLOCK, end: (blockNo + 1) * BLOCK, members };
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
         WHERE key = @key AND seq_no > @after AND seq_no < @before AND issued_at >= @from AND issued_at < @to
         ORDER BY seq_no DESC LIMIT @limit`,
      )
      .pluck(),
    bottomOfStride: index
      .prepare(`SELECT seq_no FROM postings WHERE key = ? AND seq_no < ? ORDER BY seq_no DESC LIMIT 1 OFFSET ${STRIDE}`)
      .pluck(),
    postedAfter: index.prepare('SELECT seq_no FROM postings WHERE key = ? AND seq_no > ? ORDER BY seq_no').pluck(),
    nextOf: ledger
      .prepare('SELECT seq_no FROM operations WHERE org_id = ? AND seq_no > ? AND agent_id = ? ORDER BY seq_no LIMIT ?')
      .pluck(),
    newestBlock: index
      .prepare(
        `SELECT block_no FROM blocks AS b
         WHERE org_no = @orgNo AND block_no <= @last AND first_issued < @to AND last_issued >= @from
           AND EXISTS (SELECT 1 FROM issue_times
                       WHERE org_no = b.org_no AND block_no = b.block_no
                         AND issued_at >= @from AND issued_at < @to AND seq_no < @before)
         ORDER BY block_no DESC LIMIT 1`,
      )
      .pluck(),
    issuedWithin: index
      .prepare(
        `SELECT seq_no FROM issue_times
         WHERE org_no = @orgNo AND block_no = @blockNo AND issued_at >= @from AND issued_at < @to AND seq_no < @before
         ORDER BY seq_no DESC LIMIT @limit`,
      )
      .pluck(),
  };
}
