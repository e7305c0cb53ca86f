import { LIMITS } from '../../contract/index.ts';
import type { ServiceContext } from '../context.ts';
import type { Handlers } from '../http/handler.ts';
import { listAdminEvents } from './events.ts';

export function adminRoutes({ store }: ServiceContext): Pick<Handlers, 'listAdminEvents'> {
  return {
    listAdminEvents: ({ caller, query }) => ({
      body: { events: listAdminEvents(store, caller.orgId, query.limit ?? LIMITS.adminEvents.default) },
    }),
  };
}
