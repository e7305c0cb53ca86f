import type { ServiceContext } from '../context.ts';
import { listPage } from '../http/cursor.ts';
import type { Handlers } from '../http/handler.ts';
import { listOperations, readSeqCursor } from './queries.ts';

export function auditRoutes({ index }: ServiceContext): Pick<Handlers, 'auditQuery'> {
  return {
    auditQuery: ({ body: { cursor, limit, ...filter }, caller }) => {
      const rows = listOperations(index, caller.orgId, filter, readSeqCursor(cursor), limit + 1);
      return { body: listPage(rows, limit, ({ seq_no }) => seq_no) };
    },
  };
}
