import type { Handlers } from '../../http/handler.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { recordAdminEvent } from '../admin-log/admin-events.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import type { Ledger } from '../ledger.ts';
import { listEpochs } from './epoch-queries.ts';
import { checkpointOf, consistencyProofOf, exchangeOf } from './log-proofs.ts';

interface EpochDeps extends WriteAccess {
  readonly ledger: Ledger;
  /** Signs checkpoints. */
  readonly key: KeyHolder;
}

export function epochRoutes({ store, ledger, writer, key, now }: EpochDeps) {
  return {
    closeEpoch: async ({ caller: { orgId, userId } }) => {
      let closed = 0;
      await ledger.sealNow(orgId, async (epochNo) => {
        // Recorded first, so that the epoch is sealed over the log that tells of its closing.
        const target = { targetType: 'organization', targetId: orgId, details: { epoch_no: epochNo } };
        const event = { orgId, actor: userId, action: 'epoch.close', ...target } as const;
        await writer.commit((tx) => recordAdminEvent(tx, event, now()));
        closed = epochNo;
      });
      const [epoch] = closed === 0 ? [] : listEpochs(store, orgId, closed + 1, 1);
      return { body: { epoch: epoch ?? null } };
    },
    checkpoint: async ({ caller, query }) => ({ plainText: await checkpointOf(store, key, caller.orgId, query.size) }),
    exchangeCheckpoints: async ({ caller, query }) => ({ body: await exchangeOf(store, key, caller.orgId, query) }),
    consistencyProof: async ({ caller, query }) => ({
      plainText: await consistencyProofOf(store, key, caller.orgId, query),
    }),
  } satisfies Partial<Handlers>;
}
