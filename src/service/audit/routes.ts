import type { ServiceContext } from '../context.ts';
import { listPage } from '../http/cursor.ts';
import type { Handlers } from '../http/handler.ts';
import { countOverTime } from './histogram.ts';
import { listOperations, readSeqCursor } from './queries.ts';

export function auditRoutes({ index }: ServiceContext): Pick<Handlers, 'auditQuery' | 'auditHistogram'> {
  return {
    auditHistogram: async ({ query, caller }) => ({ body: await countOverTime(index, caller.orgId, query) }),
    auditQuery: ({ body: { cursor, limit, beforeSeq, ...filter }, caller }) => {
      const rows = listOperations(index, caller.orgId, filter, readSeqCursor(cursor) ?? beforeSeq ?? null, limit + 1);
      return { body: listPage(rows, limit, ({ seq_no }) => seq_no) };
    },
  };
}
