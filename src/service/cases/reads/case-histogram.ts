import type { Histogram } from '../../../api/index.ts';
import { countOverTime } from '../../search/search/histogram.ts';
import { type CaseFilter, conditionsOf } from './case-operations.ts';
import type { OpenCase } from './open-case.ts';

interface Span {
  readonly first: number | null;
  readonly last: number | null;
}

/** Counts the operations of a case over time, in stretches as the live ledger has them. */
export function caseHistogram(
  open: OpenCase,
  filter: CaseFilter & { readonly buckets?: number | undefined },
): Promise<Histogram> {
  const { where, values } = conditionsOf(open, filter);
  const counter = {
    issueSpan: async () => {
      const sql = `SELECT min(issued_at_ms) AS first, max(issued_at_ms) AS last FROM records WHERE ${where}`;
      const { first, last } = open.statement(sql).get(values) as Span;
      return first === null || last === null ? null : { first, last };
    },
    histogram: async (_: string, __: object, stretch: { start: number; width: number; count: number }) => {
      const sql = `SELECT CAST((issued_at_ms - @start) / @width AS INTEGER) AS bucket, count(*) AS count
        FROM records WHERE ${where} GROUP BY bucket`;
      const counts = new Array<number>(stretch.count).fill(0);
      const { start, width } = stretch;
      const rows = open.statement(sql).all({ ...values, start, width }) as { bucket: number; count: number }[];
      for (const { bucket, count } of rows) if (bucket in counts) counts[bucket] = count;
      return counts;
    },
  };
  const { tag: _, without: __, ...known } = filter;
  return countOverTime(counter, '', known);
}
