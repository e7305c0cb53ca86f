import type { Query } from '../../../actions/index.ts';
import type { Coverage } from '../../../api/index.ts';
import { readingText } from '../../search/content-index/default-rules.ts';
import { coverageOf } from '../../search/content-index/queries/list-records.ts';
import { type ContentFilter, queryOf } from '../../search/content-index/search-filter.ts';
import { type Filling, type IndexedRun, meantValues, outdated, rowsText } from '../../search/engine/filling.ts';
import type { ValueTerm } from '../../search/engine/query-sql.ts';
import { rulesOf } from '../../search/reading/stored-rules.ts';
import { askContents } from '../reads/case-contents-queries.ts';
import type { OpenCase } from '../reads/open-case.ts';

/** What the rows of an engine are made of, and are held against before each answer. */
export interface EngineBasis {
  readonly runs: readonly IndexedRun[];
  /** How payloads are read. */
  readonly rules: string;
  /** Whether the own index has taken all of it in: rows say what it says. */
  readonly isWhole: boolean;
  readonly records: number;
  readonly coverage: Coverage;
}

function runsOf(open: OpenCase): IndexedRun[] {
  const sql = 'SELECT sha256, first_n AS first, last_n + 1 - first_n AS records FROM runs ORDER BY run_no';
  return open.statement(sql).all() as IndexedRun[];
}

/** What a search engine of an archive has from the own index, and asks of it. */
export const ENGINE_QUERIES = {
  engineBasis: (open: OpenCase): EngineBasis =>
    askContents(open, (view) => {
      const records = view.source.last();
      return {
        runs: runsOf(open),
        rules: readingText(rulesOf(open.annotations)),
        isWhole: view.reader.isJudged && view.indexedTo >= records,
        records,
        coverage: coverageOf(view),
      };
    }),
  engineRows: (open: OpenCase, from: number, to: number) => askContents(open, (view) => rowsText(view, from, to)),
  engineOutdated: (open: OpenCase, fillings: readonly Filling[]) =>
    askContents(open, (view) => outdated(view, runsOf(open), fillings)),
  engineQuery: (_: OpenCase, filter: ContentFilter, now: number): Query => queryOf(filter, now),
  engineMeant: (open: OpenCase, of: ValueTerm, values: readonly string[]) =>
    askContents(open, (view) => meantValues(view, of, values)),
  /** Which of some records or actions a filter means; null where there is no time to read them all. */
  engineDecided: (
    open: OpenCase,
    filter: ContentFilter,
    ns: readonly number[],
    now: number,
  ): readonly number[] | null =>
    askContents(open, (view) => {
      const { records, complete } = view.decided(queryOf(filter, now), ns, filter.unit ?? 'records');
      const meant: number[] = [];
      records.each((n) => meant.push(n));
      return complete ? meant : null;
    }),
} as const;
