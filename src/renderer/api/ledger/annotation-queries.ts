import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { JsonObject } from '../../../protocol/index.ts';
import { call as callService } from '../call.ts';
import { ledgerKeys } from '../keys.ts';
import type { LedgerCall } from './ledger-call.ts';

const PAGE = 200;
const HISTORY_PAGE = 20;

/** One thing that was written about a record. */
export interface AnnotationAct {
  readonly at: string;
  readonly by: string | null;
  readonly action: string;
  readonly details: JsonObject;
}

/** The questions to what people wrote about the records of one ledger: the live one, or that of a case. */
export function annotationQueries(caseId: string | null, call: LedgerCall) {
  const keys = ledgerKeys(caseId);
  return {
    /** What all answers are kept under. */
    key: keys.annotations,
    /** Tags, note and bookmark of a record; null where there are none. */
    ofRecord: (operationId: string) =>
      queryOptions({
        queryKey: keys.annotation(operationId),
        queryFn: async ({ signal }) => {
          const { data } = await call('liveAnnotations', { query: { operation_id: operationId, limit: 1 }, signal });
          return data[0] ?? null;
        },
      }),
    /** All tags, with how many records have each, and whether there is anything at all. */
    overview: queryOptions({
      queryKey: keys.annotationTags,
      queryFn: async ({ signal }) => {
        const { data, tags } = await call('liveAnnotations', { query: { limit: 1 }, signal });
        return { tags, hasAny: data.length > 0 };
      },
    }),
    /** The notes of all records that have one, by operation_id. */
    notes: queryOptions({
      queryKey: keys.notes,
      queryFn: async ({ signal }) => {
        const notes = new Map<string, string>();
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await call('liveAnnotations', { query: { limit: PAGE, cursor }, signal });
          for (const { operation_id, note } of page.data) if (note !== '') notes.set(operation_id, note);
          cursor = page.nextCursor;
        }
        return notes;
      },
    }),
    /** Who wrote what about a record, newest first: from the log of the ledger, or the custody log of the case. */
    history: (operationId: string) =>
      infiniteQueryOptions({
        queryKey: keys.annotationHistory(operationId),
        queryFn: async ({ signal, pageParam }) => {
          const query = { limit: HISTORY_PAGE, cursor: pageParam ?? undefined, operation_id: operationId };
          const answer =
            caseId === null
              ? await callService('annotationLog', { query, signal })
              : await callService('custody', { params: { case_id: caseId }, query, signal });
          const data = answer.data.map(({ entry_no, entry }): { entry_no: number; entry: AnnotationAct | null } => ({
            entry_no,
            entry,
          }));
          return { data, nextCursor: answer.nextCursor, damage: answer.damage.length };
        },
        initialPageParam: null as string | null,
        getNextPageParam: ({ nextCursor }) => nextCursor,
      }),
  };
}
export type AnnotationQueries = ReturnType<typeof annotationQueries>;
