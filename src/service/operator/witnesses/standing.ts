import type { OperationStanding } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import { demandedWitnesses, readerOptions, verifyTimed } from '../../../node/reader/index.ts';
import { recordProofBytes, type VerifyOptions, verifyRecordProof } from '../../../protocol/index.ts';
import { type Asker, ownerFor } from '../../cases/scope.ts';
import type { TrustKeeper } from '../../cases/trust/trust-keeper.ts';
import { proveOperation } from '../../evidence/proofs/operation-proof.ts';
import type { Member } from '../../http/handler.ts';
import { keysOf, type WitnessRow } from '../../ledger/epochs/cosignatures.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import type { OperationSource } from '../../ledger/operations/operation-queries.ts';

export interface StandingContext extends OperationSource {
  readonly key: KeyHolder;
  readonly trust: TrustKeeper;
}

/**
 * Who stands behind a record of the ledger, by the proof of the record and by whose word counts for whoever asks.
 * @param asked the witnesses that the service asks, who count where the asker demands none
 * @throws ServiceError as proveOperation; CONFLICT where the trust store cannot be read
 */
export async function standingOf(
  { store, index, key, trust }: StandingContext,
  asker: Asker & { readonly caller: Member },
  operationId: string,
  asked: readonly WitnessRow[],
): Promise<OperationStanding> {
  const bytes = recordProofBytes(await proveOperation({ store, index }, key, asker.caller.orgId, operationId));
  const reader = readerOptions(await trust.trustOf(ownerFor(asker), [...trust.ownKids()]));
  const verify = (whose: Pick<VerifyOptions, 'witnesses'>) =>
    verifyTimed(reader.timeRoots, verifyRecordProof, () => [bytes], {
      crypto: nodeCrypto,
      trustedKids: reader.trustedKids,
      ...whose,
    });
  const report = await verify(reader.witnesses === undefined ? {} : { witnesses: reader.witnesses });
  if (report.witnessed !== undefined) return { report, witnesses_of: 'trust_store' };
  if (asked.length === 0) return { report, witnesses_of: null };
  const organizations = asked.map((row) => ({ name: row.name, keys: keysOf(row) }));
  const policy = { everywhere: { threshold: 1, organizations }, ledgers: [] };
  return { report: await verify({ witnesses: demandedWitnesses(policy) }), witnesses_of: 'service' };
}
