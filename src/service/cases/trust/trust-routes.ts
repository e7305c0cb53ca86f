import type { Handlers } from '../../http/handler.ts';
import { needHome } from '../../people/organizations/home.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';
import type { Cases } from '../cases.ts';
import { type Asker, type Owner, ownerFor } from '../scope.ts';
import { AnchorKeeper } from './anchor-keeper.ts';
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
  /** Never a guest, whatever their role is at home. */
  const refuseGuest = ({ workstation, caller }: Asker): void => {
    if (!workstation && caller !== null) needHome(store, caller.orgId);
  };
  /** For a guest the store is empty: there is nothing to remove, and no telling what is there. */
  const needOwn = (asker: Asker, otherwise: string): void => {
    if (!trust.isOf(ownerOf(asker))) throw new ServiceError('NOT_FOUND', otherwise);
  };
  const anchors = new AnchorKeeper(trust);
  return {
    listTrust: async (call) => ({
      body: await trust.list(ownerOf(call), sightOf(call)),
    }),
    addTrust: async (call) => {
      refuseGuest(call);
      const keys = await trust.add(call.body, pinnerOf(call), sightOf(call));
      const changed = keys.flatMap(({ kid }) => cases.issuerChanges(call, kid));
      return { body: { keys, changed } };
    },
    removeTrust: async (call) => {
      needOwn(call, 'no such key is trusted');
      await trust.remove(call.param('kid'), call.query.org_id ?? null, pinnerOf(call));
      return { body: { success: true } };
    },
    trustWitness: async (call) => {
      refuseGuest(call);
      return { body: await anchors.addWitness(call.body, pinnerOf(call)) };
    },
    demandWitnesses: async (call) => {
      refuseGuest(call);
      return { body: await anchors.demand(call.body, pinnerOf(call)) };
    },
    removeTrustedWitness: async (call) => {
      needOwn(call, 'no such witness is demanded there');
      return { body: await anchors.removeWitness(call.param('name'), call.query.org_id ?? null, pinnerOf(call)) };
    },
    trustTimeRoots: async (call) => {
      refuseGuest(call);
      return { body: await anchors.addTimeRoots(call.body, pinnerOf(call)) };
    },
    removeTimeRoot: async (call) => {
      needOwn(call, 'no such root is trusted for time');
      return { body: await anchors.removeTimeRoot(call.param('sha256'), pinnerOf(call)) };
    },
  } satisfies Partial<Handlers>;
}
