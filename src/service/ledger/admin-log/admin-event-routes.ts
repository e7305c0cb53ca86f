import type { Handlers } from '../../http/handler.ts';
import type { Store } from '../../store/open.ts';
import { examineAdminChain } from './admin-chain.ts';

interface AdminEventDeps {
  readonly store: Store;
}

export function adminRoutes({ store }: AdminEventDeps) {
  return {
    adminChain: async ({ caller }) => ({ body: await examineAdminChain(store, caller.orgId) }),
  } satisfies Partial<Handlers>;
}
