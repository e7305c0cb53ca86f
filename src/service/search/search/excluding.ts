import { setImmediate } from 'node:timers/promises';
import type { AuditRow, Exclusion } from '../../../api/index.ts';
import type { Buckets } from '../../ledger/operation-index/counts.ts';
import type { OperationIndex } from '../../ledger/operation-index/operation-index.ts';
import type { OperationQuery } from '../../ledger/operation-index/search.ts';

/** What counts over time are made from. */
export type Counter = Pick<OperationIndex, 'issueSpan' | 'histogram'>;

type Term = 'agentId' | 'operationType' | 'subject';

/** The members that the index has counts of. */
const TERMS: Readonly<Record<Exclude<Exclusion[0], 'action'>, Term>> = {
  agent_id: 'agentId',
  operation_type: 'operationType',
  subject: 'subject',
};

/** This many rows are looked at before others get their turn: a few milliseconds. */
const ROWS_AT_ONCE = 500;

interface Summand {
  readonly sign: 1 | -1;
  readonly query: OperationQuery;
}

/**
 * The counts that what is left comes to, by inclusion and exclusion: without A and without B is all, less A, less B, and
 * A with B once more. Values of one member exclude each other. Empty where nothing can be left.
 */
export function summandsOf(query: OperationQuery, without: readonly Exclusion[]): readonly Summand[] {
  let summands: readonly Summand[] = [{ sign: 1, query }];
  for (const [member, term] of Object.entries(TERMS)) {
    const values = new Set(without.filter(([name]) => name === member).map(([, value]) => value));
    const wanted = query[term];
    if (wanted !== undefined && values.has(wanted)) return [];
    // Where one value is wanted, no other is there to be left out.
    if (wanted !== undefined) continue;
    const excluded = summands.flatMap(({ sign, query: before }) =>
      [...values].map((value): Summand => ({ sign: sign === 1 ? -1 : 1, query: { ...before, [term]: value } })),
    );
    summands = [...summands, ...excluded];
  }
  return summands;
}

/** Whether a row has none of the values. */
function isLeft(row: Pick<AuditRow, Exclusion[0]>, without: readonly Exclusion[]): boolean {
  return without.every(([member, value]) => row[member] !== value);
}

/** The index has no counts of actions: what is found is looked at row by row. */
async function countRows(
  index: Pick<OperationIndex, 'search'>,
  orgId: string,
  query: OperationQuery,
  without: readonly Exclusion[],
  { start, width, count }: Buckets,
): Promise<number[]> {
  const counts = new Array<number>(count).fill(0);
  for (let before = query.before ?? null; ; await setImmediate()) {
    const rows = index.search(orgId, query, before, ROWS_AT_ONCE);
    for (const row of rows) {
      const bucket = Math.floor((row.issued_at_ms - start) / width);
      if (bucket in counts && isLeft(row, without)) counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    before = rows.at(-1)?.seq_no ?? null;
    if (rows.length < ROWS_AT_ONCE) return counts;
  }
}

/** Counts what has none of some values. The span is that of what would be found with them. */
export function counterWithout(
  index: Counter & Pick<OperationIndex, 'search'>,
  without: readonly Exclusion[],
): Counter {
  if (without.length === 0) return index;
  return {
    issueSpan: (orgId, query) => index.issueSpan(orgId, query),
    histogram: async (orgId, query, buckets) => {
      if (without.some(([member]) => member === 'action')) return countRows(index, orgId, query, without, buckets);
      const counts = new Array<number>(buckets.count).fill(0);
      for (const { sign, query: asked } of summandsOf(query, without)) {
        for (const [n, found] of (await index.histogram(orgId, asked, buckets)).entries()) {
          counts[n] = (counts[n] ?? 0) + sign * found;
        }
      }
      return counts;
    },
  };
}
