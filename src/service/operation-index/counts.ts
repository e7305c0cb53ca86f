import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { BLOCK } from './index-file.ts';
import { TermKeys } from './posting-keys.ts';
import type { IndexedOrg, OperationQuery } from './search.ts';

/** When the first and the last of some operations were issued, in milliseconds since the Unix epoch. */
export interface IssueSpan {
  readonly first: number;
  readonly last: number;
}

/** Equally long stretches of time; times in milliseconds. */
export interface Buckets {
  readonly start: number;
  readonly width: number;
  readonly count: number;
}

interface Ends {
  readonly first: number | null;
  readonly last: number | null;
}

const EARLIEST = Number.MIN_SAFE_INTEGER;
const LATEST = Number.MAX_SAFE_INTEGER;

/** So many sequence numbers are counted at a time, and then others get their turn: some 10 ms. */
const STRIDE = 65_536;

/**
 * Counts operations through the index and, for what is not in it yet, in the ledger itself. It counts postings, not
 * rows: two terms whose digests collide in 48 bits would be counted together.
 */
export class OperationCounts {
  readonly #terms = new TermKeys();
  readonly #statements: ReturnType<typeof prepare>;

  constructor(ledger: Database.Database, index: Database.Database) {
    this.#statements = prepare(ledger, index);
  }

  /** When the first and last operations were issued that a query finds; null where it finds none. */
  async span(orgId: string, org: IndexedOrg | null, query: OperationQuery): Promise<IssueSpan | null> {
    const bounds = boundsOf(query);
    const key = this.#terms.of(orgId, query);
    const ends = [this.#statements.recentEnds.get({ ...bounds, ...recentOf(orgId, org, query) }) as Ends];
    for (let after = 0; org !== null && after <= org.indexed_seq; after += STRIDE) {
      ends.push(this.#endsWithin(org, key, { ...bounds, after, end: after + STRIDE }));
      await setImmediate();
    }
    const times = ends.flatMap(({ first, last }) => (first === null || last === null ? [] : [first, last]));
    if (times.length === 0) return null;
    return { first: Math.min(...times), last: Math.max(...times) };
  }

  /** How many operations were issued in each stretch of time. What arrives meanwhile may be missing. */
  async histogram(orgId: string, org: IndexedOrg | null, query: OperationQuery, buckets: Buckets): Promise<number[]> {
    const counts = new Array<number>(buckets.count).fill(0);
    const { start, width } = buckets;
    const asked = boundsOf(query);
    const bounds = {
      from: Math.max(start, asked.from),
      to: Math.min(start + width * buckets.count, asked.to),
      start,
      width,
    };
    const add = (rows: unknown[]): void => {
      for (const [bucket, count] of rows as [number, number][]) counts[bucket] = (counts[bucket] ?? 0) + count;
    };
    add(this.#statements.recentCounts.all({ ...bounds, ...recentOf(orgId, org, query) }));
    if (org === null) return counts;
    const key = this.#terms.of(orgId, query);
    for (let after = 0; after <= org.indexed_seq; after += STRIDE) {
      const stretch = { ...bounds, after, end: after + STRIDE };
      const { postedCounts, issuedCounts } = this.#statements;
      add(key === null ? issuedCounts.all(blocksOf(org, stretch)) : postedCounts.all({ ...stretch, key }));
      await setImmediate();
    }
    return counts;
  }

  #endsWithin(org: IndexedOrg, key: number | null, stretch: Stretch): Ends {
    const { timeEnds, termEnds } = this.#statements;
    return (key === null ? timeEnds.get(blocksOf(org, stretch)) : termEnds.get({ ...stretch, key })) as Ends;
  }
}

/** A stretch of sequence numbers, after one and up to another, and a window of time. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly after: number;
  readonly end: number;
}

/** The same by blocks: a stretch begins and ends with one. */
function blocksOf({ org_no: orgNo }: IndexedOrg, stretch: Stretch) {
  return { ...stretch, orgNo, firstBlock: stretch.after / BLOCK, endBlock: stretch.end / BLOCK };
}

function boundsOf({ from = EARLIEST, to = LATEST }: OperationQuery): { readonly from: number; readonly to: number } {
  return { from, to };
}

function recentOf(orgId: string, org: IndexedOrg | null, query: OperationQuery) {
  return {
    orgId,
    after: org?.indexed_seq ?? 0,
    agentId: query.agentId ?? null,
    operationType: query.operationType ?? null,
    subject: query.subject ?? null,
  };
}

function prepare(ledger: Database.Database, index: Database.Database) {
  const within = 'issued_at >= @from AND issued_at < @to';
  // Blocks that have nothing of the window are left out by their bounds.
  const ofBlocks = `org_no = @orgNo AND block_no IN (
    SELECT block_no FROM blocks WHERE org_no = @orgNo AND block_no >= @firstBlock AND block_no < @endBlock
      AND first_issued < @to AND last_issued >= @from)`;
  const recent = `FROM operations
    WHERE org_id = @orgId AND seq_no > @after AND issued_at_ms >= @from AND issued_at_ms < @to
      AND (@agentId IS NULL OR agent_id = @agentId)
      AND (@operationType IS NULL OR operation_type = @operationType)
      AND (@subject IS NULL OR subject = @subject)`;
  return {
    issuedCounts: index
      .prepare(
        `SELECT CAST((issued_at - @start) / @width AS INTEGER) AS bucket, count(*) FROM issue_times
         WHERE ${ofBlocks} AND ${within} GROUP BY bucket`,
      )
      .raw(),
    postedCounts: index
      .prepare(
        `SELECT CAST((issued_at - @start) / @width AS INTEGER) AS bucket, count(*) FROM postings
         WHERE key = @key AND seq_no > @after AND seq_no <= @end AND ${within} GROUP BY bucket`,
      )
      .raw(),
    recentCounts: ledger
      .prepare(`SELECT CAST((issued_at_ms - @start) / @width AS INTEGER) AS bucket, count(*) ${recent} GROUP BY bucket`)
      .raw(),
    timeEnds: index.prepare(
      `SELECT min(issued_at) AS first, max(issued_at) AS last FROM issue_times WHERE ${ofBlocks} AND ${within}`,
    ),
    termEnds: index.prepare(
      `SELECT min(issued_at) AS first, max(issued_at) AS last FROM postings
       WHERE key = @key AND seq_no > @after AND seq_no <= @end AND ${within}`,
    ),
    recentEnds: ledger.prepare(`SELECT min(issued_at_ms) AS first, max(issued_at_ms) AS last ${recent}`),
  };
}
