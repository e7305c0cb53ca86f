import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { TermKeys } from './posting-keys.ts';
import { type PostingPlace, PostingPlaces } from './posting-places.ts';
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

/** This many runs are counted at a time, and then others get their turn: some 10 ms. */
const RUNS_AT_ONCE = 16;

/**
 * Counts operations through the index and, for what is not in it yet, in the ledger itself. It counts postings, not
 * rows: two terms whose digests collide in 48 bits would be counted together.
 */
export class OperationCounts {
  readonly #terms = new TermKeys();
  readonly #places: PostingPlaces;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(ledger: Database.Database, index: Database.Database) {
    this.#places = new PostingPlaces(index);
    this.#statements = prepare(ledger, index);
  }

  /** When the first and last operations were issued that a query finds; null where it finds none. */
  async span(orgId: string, org: IndexedOrg | null, query: OperationQuery): Promise<IssueSpan | null> {
    const bounds = { ...boundsOf(query), indexed: indexedOf(org, query) };
    const ends = [this.#statements.recentEnds.get({ ...bounds, ...recentOf(orgId, org, query) }) as Ends];
    if (org !== null) {
      await this.#eachRun(org, this.#terms.of(orgId, query), (run) => {
        ends.push(this.#statements.postedEnds.get({ ...bounds, ...run }) as Ends);
      });
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
      // What is taken up meanwhile has been counted in the ledger.
      indexed: indexedOf(org, query),
    };
    const add = (rows: unknown[]): void => {
      for (const [bucket, count] of rows as [number, number][]) counts[bucket] = (counts[bucket] ?? 0) + count;
    };
    add(this.#statements.recentCounts.all({ ...bounds, ...recentOf(orgId, org, query) }));
    if (org === null) return counts;
    await this.#eachRun(org, this.#terms.of(orgId, query), (run) => {
      add(this.#statements.postedCounts.all({ ...bounds, ...run }));
    });
    return counts;
  }

  /** Every run that has postings under a key, oldest first. */
  async #eachRun(
    { org_no }: IndexedOrg,
    key: number,
    count: (run: PostingPlace & { readonly key: number }) => void,
  ): Promise<void> {
    let done = 0;
    for (const place of this.#places.from(org_no, key, 0)) {
      count({ key, ...place });
      if (++done % RUNS_AT_ONCE === 0) await setImmediate();
    }
  }
}

function boundsOf({ from = EARLIEST, to = LATEST }: OperationQuery): { readonly from: number; readonly to: number } {
  return { from, to };
}

/** Up to which sequence number postings are counted. */
function indexedOf(org: IndexedOrg | null, { before = LATEST }: OperationQuery): number {
  return Math.min(org?.indexed_seq ?? 0, before - 1);
}

function recentOf(orgId: string, org: IndexedOrg | null, query: OperationQuery) {
  return {
    orgId,
    after: org?.indexed_seq ?? 0,
    before: query.before ?? LATEST,
    agentId: query.agentId ?? null,
    operationType: query.operationType ?? null,
    subject: query.subject ?? null,
  };
}

function prepare(ledger: Database.Database, index: Database.Database) {
  const posted = `FROM postings WHERE segment = @segment AND key = @key AND run_no = @runNo
    AND issued_at >= @from AND issued_at < @to AND seq_no <= @indexed`;
  const recent = `FROM operations
    WHERE org_id = @orgId AND seq_no > @after AND seq_no < @before AND issued_at_ms >= @from AND issued_at_ms < @to
      AND (@agentId IS NULL OR agent_id = @agentId)
      AND (@operationType IS NULL OR operation_type = @operationType)
      AND (@subject IS NULL OR subject = @subject)`;
  return {
    postedCounts: index
      .prepare(`SELECT CAST((issued_at - @start) / @width AS INTEGER) AS bucket, count(*) ${posted} GROUP BY bucket`)
      .raw(),
    // Both ends apart: each is one step in the table, where min and max together would go through all of it.
    postedEnds: index.prepare(
      `SELECT (SELECT issued_at ${posted} ORDER BY issued_at LIMIT 1) AS first,
              (SELECT issued_at ${posted} ORDER BY issued_at DESC LIMIT 1) AS last`,
    ),
    recentCounts: ledger
      .prepare(`SELECT CAST((issued_at_ms - @start) / @width AS INTEGER) AS bucket, count(*) ${recent} GROUP BY bucket`)
      .raw(),
    recentEnds: ledger.prepare(`SELECT min(issued_at_ms) AS first, max(issued_at_ms) AS last ${recent}`),
  };
}
