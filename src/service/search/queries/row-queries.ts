import { examineAdminChain, filteredEvents, type RowsOf } from '../../ledger/admin-log/read-admin-log.ts';
import type { LogPart } from '../../ledger/hash-log.ts';
import { logPage } from '../annotations/annotation-log.ts';
import { type AnnotationsAsked, annotationsPage } from '../annotations/annotations.ts';

/** What is asked of long lists besides the records, by name: answered by the same thread, which needs no index for it. */
export const ROW_QUERIES = {
  annotations: ({ sqlite, orgId }: RowsOf, asked: AnnotationsAsked, of: string | undefined) =>
    annotationsPage(sqlite, asked, of, orgId),
  annotationLog: ({ sqlite, orgId }: RowsOf, part: LogPart) => logPage(sqlite, orgId, part),
  adminEvents: filteredEvents,
  adminChain: examineAdminChain,
} as const;

type RowQueries = typeof ROW_QUERIES;
export type RowQuery = keyof RowQueries;
export type RowArguments<N extends RowQuery> = RowQueries[N] extends (of: RowsOf, ...rest: infer Rest) => unknown
  ? Rest
  : never;
export type RowAnswer<N extends RowQuery> = ReturnType<RowQueries[N]>;
