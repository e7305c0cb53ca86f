import { listPage } from '../http/cursor.ts';
import type { Handlers } from '../http/handler.ts';
import type { OperationIndex } from '../operation-index/operation-index.ts';
import { counterWithout } from './excluding.ts';
import { countOverTime } from './histogram.ts';
import { listOperations, readSeqCursor } from './search-queries.ts';

interface SearchDeps {
  readonly index: OperationIndex;
}

export function auditRoutes({ index }: SearchDeps): Pick<Handlers, 'auditQuery' | 'auditHistogram'> {
  return {
    auditHistogram: async ({ query: { without = [], ...filter }, caller }) => ({
      body: await countOverTime(counterWithout(index, without), caller.orgId, filter),
    }),
    auditQuery: ({ body: { cursor, limit, beforeSeq, ...filter }, caller }) => {
      const rows = listOperations(index, caller.orgId, filter, readSeqCursor(cursor) ?? beforeSeq ?? null, limit + 1);
      return { body: listPage(rows, limit, ({ seq_no }) => seq_no) };
    },
  };
}
