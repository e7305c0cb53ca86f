import { z } from 'zod';
import { type EpochRow, LIMITS } from '../../../api/index.ts';
import type { Epoch } from '../../../protocol/index.ts';
import { listPage, readCursor } from '../../http/cursor.ts';
import type { Handlers } from '../../http/handler.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';
import type { Writer } from '../../store/writer.ts';
import { recordAdminEvent } from '../admin-log/admin-events.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import type { Ledger } from '../ledger.ts';
import { findEpoch, listEpochs } from './epoch-queries.ts';
import { checkpointOf, consistencyProofOf } from './log-proofs.ts';

interface EpochDeps {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly writer: Writer;
  /** Signs checkpoints. */
  readonly key: KeyHolder;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const place = z.int().min(1);

function row({ org_id: _, signature_by_service: __, ...rest }: Epoch): EpochRow {
  return rest;
}

export function epochRoutes({
  store,
  ledger,
  writer,
  key,
  now,
}: EpochDeps): Pick<Handlers, 'listEpochs' | 'getEpoch' | 'closeEpoch' | 'checkpoint' | 'consistencyProof'> {
  return {
    listEpochs: ({ caller, query }) => {
      const limit = query.limit ?? LIMITS.page.default;
      const found = listEpochs(store, caller.orgId, readCursor(query.cursor, place) ?? query.before ?? null, limit + 1);
      return { body: listPage(found.map(row), limit, ({ epoch_no }) => epoch_no) };
    },
    closeEpoch: async ({ caller: { orgId, userId } }) => {
      let closed = 0;
      await ledger.sealNow(orgId, (epochNo) => {
        // Recorded first, so that the epoch is sealed over the log that tells of its closing.
        const target = { targetType: 'organization', targetId: orgId, details: { epoch_no: epochNo } };
        writer.commit((tx) => recordAdminEvent(tx, { orgId, actor: userId, action: 'epoch.close', ...target }, now()));
        closed = epochNo;
      });
      const [epoch] = closed === 0 ? [] : listEpochs(store, orgId, closed + 1, 1);
      return { body: { epoch: epoch ?? null } };
    },
    getEpoch: ({ caller, param }) => {
      const epoch = findEpoch(store, caller.orgId, param('epoch_id'));
      if (epoch === null) throw new ServiceError('NOT_FOUND', 'there is no such epoch');
      return { body: epoch };
    },
    checkpoint: async ({ caller, query }) => ({ plainText: await checkpointOf(store, key, caller.orgId, query.size) }),
    consistencyProof: async ({ caller, query }) => ({
      plainText: await consistencyProofOf(store, key, caller.orgId, query),
    }),
  };
}
