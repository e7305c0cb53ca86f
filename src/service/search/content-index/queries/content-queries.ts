import type { ContentView } from '../content-view.ts';
import { histogramOf } from './histogram.ts';
import { namesOf } from './names.ts';
import { facetsOfFilter, searchRecords } from './search.ts';

/** What a search asks of the records, by name: answered on the thread that reads them. Arguments and answers are copied. */
export const CONTENT_QUERIES = {
  search: searchRecords,
  histogram: histogramOf,
  facets: facetsOfFilter,
  names: namesOf,
} as const;

type Queries = typeof CONTENT_QUERIES;

/** What a query takes besides the view of the records. */
export type ArgumentsOf<Q> = Q extends (view: ContentView, ...rest: infer Rest) => unknown ? Rest : never;
export type AnswerOf<Q> = Q extends (...given: never) => infer Answer ? Awaited<Answer> : never;

/** Whose records are asked about, and until when somebody waits for the answer: without a signal, for as long as it takes. */
export interface Reader {
  readonly orgId: string;
  readonly signal?: AbortSignal | undefined;
}

type Ask = <N extends keyof Queries>(
  by: Reader,
  query: N,
  ...args: ArgumentsOf<Queries[N]>
) => Promise<AnswerOf<Queries[N]>>;

/** Asks about the records of an organization. */
export interface ContentQuestions {
  /** As far as the index has come once it had some time to come after. @throws ServiceError what the query refuses with */
  readonly ask: Ask;
  /** As far as the index has come by now. @throws ServiceError what the query refuses with */
  readonly askNow: Ask;
}
