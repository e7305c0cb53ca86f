import type { ServiceContext } from '../context.ts';
import { listPage } from '../http/cursor.ts';
import type { Handlers } from '../http/handler.ts';
import { counterWithout } from './excluding.ts';
import { countOverTime } from './histogram.ts';
import { listOperations, readSeqCursor } from './queries.ts';

export function auditRoutes({ index }: ServiceContext): Pick<Handlers, 'auditQuery' | 'auditHistogram'> {
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
