import { z } from 'zod';
import { LIMITS } from '../../../api/index.ts';
import { listPage, readCursor } from '../../http/cursor.ts';
import type { Handlers } from '../../http/handler.ts';
import type { Store } from '../../store/open.ts';
import { examineAdminChain } from './admin-chain.ts';
import { filteredEvents } from './filtered-events.ts';

interface AdminEventDeps {
  readonly store: Store;
}

const place = z.int().min(1);

export function adminRoutes({ store }: AdminEventDeps): Pick<Handlers, 'listAdminEvents' | 'adminChain'> {
  return {
    listAdminEvents: ({ caller, query: { limit = LIMITS.adminEvents.default, cursor, ...filter } }) => {
      const before = cursor === '' ? null : readCursor(cursor, place);
      const found = filteredEvents(store, caller.orgId, filter, before, limit + 1);
      const { data, nextCursor, hasMore } = listPage(found, limit, ({ eventNo }) => eventNo);
      const events = data.map(({ event }) => event);
      return { body: cursor === undefined ? { events } : { events, nextCursor, hasMore } };
    },
    adminChain: async ({ caller }) => ({ body: await examineAdminChain(store, caller.orgId) }),
  };
}
