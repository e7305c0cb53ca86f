import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
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
    if (org !== null && key === null)
      ends.push(this.#statements.timeEnds.get({ ...bounds, orgNo: org.org_no }) as Ends);
    if (org !== null && key !== null) {
      for (let after = 0; after <= org.indexed_seq; after += STRIDE) {
        ends.push(this.#statements.termEnds.get({ ...bounds, key, after, end: after + STRIDE }) as Ends);
        await setImmediate();
      }
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
    if (key === null) {
      for (let bucket = 0; bucket < counts.length; bucket++) {
        const from = Math.max(bounds.from, start + bucket * width);
        const to = Math.min(bounds.to, start + (bucket + 1) * width);
        const found = this.#statements.issuedWithin.get({ orgNo: org.org_no, from, to }) as number;
        counts[bucket] = (counts[bucket] ?? 0) + found;
        if (found > 0) await setImmediate();
      }
      return counts;
    }
    for (let after = 0; after <= org.indexed_seq; after += STRIDE) {
      add(this.#statements.postedCounts.all({ ...bounds, key, after, end: after + STRIDE }));
      await setImmediate();
    }
    return counts;
  }
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
  const recent = `FROM operations
    WHERE org_id = @orgId AND seq_no > @after AND issued_at_ms >= @from AND issued_at_ms < @to
      AND (@agentId IS NULL OR agent_id = @agentId)
      AND (@operationType IS NULL OR operation_type = @operationType)
      AND (@subject IS NULL OR subject = @subject)`;
  return {
    issuedWithin: index.prepare(`SELECT count(*) FROM issue_times WHERE org_no = @orgNo AND ${within}`).pluck(),
    postedCounts: index
      .prepare(
        `SELECT CAST((issued_at - @start) / @width AS INTEGER) AS bucket, count(*) FROM postings
         WHERE key = @key AND seq_no > @after AND seq_no <= @end AND ${within} GROUP BY bucket`,
      )
      .raw(),
    recentCounts: ledger
      .prepare(`SELECT CAST((issued_at_ms - @start) / @width AS INTEGER) AS bucket, count(*) ${recent} GROUP BY bucket`)
      .raw(),
    // Two look-ups at the ends of the table, where min and max in one query would go through all of it.
    timeEnds: index.prepare(
      `SELECT (SELECT min(issued_at) FROM issue_times WHERE org_no = @orgNo AND ${within}) AS first,
              (SELECT max(issued_at) FROM issue_times WHERE org_no = @orgNo AND ${within}) AS last`,
    ),
    termEnds: index.prepare(
      `SELECT min(issued_at) AS first, max(issued_at) AS last FROM postings
       WHERE key = @key AND seq_no > @after AND seq_no <= @end AND ${within}`,
    ),
    recentEnds: ledger.prepare(`SELECT min(issued_at_ms) AS first, max(issued_at_ms) AS last ${recent}`),
  };
}
