import type { Handlers } from '../../http/handler.ts';
import { needHome } from '../../people/organizations/home.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';
import type { Cases } from '../cases.ts';
import { type Asker, type Owner, ownerFor } from '../scope.ts';
import type { Pinner, Sight, TrustKeeper } from './trust-keeper.ts';

interface TrustDeps {
  readonly trust: TrustKeeper;
  readonly cases: Cases;
  readonly store: Store;
}

export function trustRoutes({ trust, cases, store }: TrustDeps) {
  // The store is the machine's: whose bundles others verified here is not every organization's to know.
  const sightOf = (asker: Asker): Sight => {
    const own = cases.organizationsSeenBy(asker);
    return (orgId) => asker.workstation || own.has(orgId);
  };
  const pinnerOf = ({ workstation, caller }: Asker): Pinner => ({ workstation, userId: caller?.userId ?? null });
  const ownerOf = (asker: Asker): Owner => (asker.workstation ? 'workstation' : ownerFor(asker));
  return {
    listTrust: async (call) => ({
      body: await trust.list(ownerOf(call), sightOf(call)),
    }),
    addTrust: async (call) => {
      // Never a guest, whatever their role is at home.
      if (!call.workstation && call.caller !== null) needHome(store, call.caller.orgId);
      const keys = await trust.add(call.body, pinnerOf(call), sightOf(call));
      const changed = keys.flatMap(({ kid }) => cases.issuerChanges(call, kid));
      return { body: { keys, changed } };
    },
    removeTrust: async (call) => {
      // For a guest the store is empty: there is nothing to remove, and no telling what is there.
      if (!trust.isOf(ownerOf(call))) throw new ServiceError('NOT_FOUND', 'no such key is trusted');
      await trust.remove(call.param('kid'), call.query.org_id ?? null, pinnerOf(call));
      return { body: { success: true } };
    },
  } satisfies Partial<Handlers>;
}
