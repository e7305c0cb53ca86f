import type { StoredOperation } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import {
  assembleRecordProof,
  auditPath,
  type BundleRecord,
  type Epoch,
  formatTlogProof,
  parseCheckpoint,
  parseDigest,
  type RecordProof,
  RecordProofError,
  utf8,
  verifyInclusion,
} from '../../../protocol/index.ts';
import { carriedOf } from '../../ledger/epochs/carried.ts';
import { findEpoch } from '../../ledger/epochs/epoch-queries.ts';
import { checkpointOf } from '../../ledger/epochs/log-proofs.ts';
import { logNodes } from '../../ledger/epochs/log-subtrees.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { describeOperation, findOperation, type OperationSource } from '../../ledger/operations/operation-queries.ts';
import { bundleAgents } from '../../people/agents/registry.ts';
import { ServiceError } from '../../store/base/service-error.ts';

function damaged(how: string): ServiceError {
  return new ServiceError('CONFLICT', `the organization's stored ledger is damaged: ${how}`);
}

function notSealed(): ServiceError {
  return new ServiceError('CONFLICT', 'no epoch seals the operation yet: a proof exists once the operation is sealed');
}

/** The epoch that a stored operation is proven to be in. @throws ServiceError CONFLICT */
function sealOf({ store }: OperationSource, orgId: string, place: StoredOperation['epoch']): Epoch {
  if (place === null) throw notSealed();
  const epoch = findEpoch(store, orgId, place.epoch_id);
  if (epoch === null || place.inclusion === null) throw damaged('the operation does not lead to the root of the log');
  return epoch;
}

/**
 * The proof of one stored operation (protocol R1). Asks for some rows and some hashes, however large the ledger.
 * @throws ServiceError NOT_FOUND; CONFLICT while it is not sealed, or where the stored ledger is damaged
 */
export async function proveOperation(
  source: OperationSource,
  key: KeyHolder,
  orgId: string,
  operationId: string,
): Promise<RecordProof> {
  const { store } = source;
  const { eor, ear, disclosures = {}, epoch: place } = describeOperation(source, orgId, operationId);
  const epoch = sealOf(source, orgId, place);
  const shown: BundleRecord = Object.keys(disclosures).length === 0 ? { eor, ear } : { eor, ear, disclosures };
  const agents = bundleAgents(store, orgId, eor.agent_id);
  if (!agents.some(({ keys }) => keys.some(({ kid }) => kid === eor.agent_pubkey_kid))) {
    throw damaged('the key that the operation is signed with is missing');
  }
  const directory = { orgId, agents, serviceKeys: listServiceKeys(store) };
  const { seq_no: first } = ear;
  const carried = await carriedOf(store, key, orgId, { first, last: first });
  try {
    return assembleRecordProof(directory, [shown], epoch, logNodes(store, orgId), carried);
  } catch (error) {
    if (error instanceof RecordProofError) throw new ServiceError('CONFLICT', `there is no proof: ${error.message}`);
    throw error;
  }
}

/**
 * The same operation's receipt in the log as C2SP tlog-proof (protocol R30), against the newest checkpoint or that of a
 * size. Asks for some hashes of each level of the tree.
 * @throws ServiceError NOT_FOUND where there is no such operation or checkpoint; VALIDATION_ERROR where the size is below the
 *   operation's number; CONFLICT while it is not sealed, or where the stored ledger is damaged
 */
export async function tlogProofOf(
  source: OperationSource,
  key: KeyHolder,
  orgId: string,
  { operationId, size }: { readonly operationId: string; readonly size: number | undefined },
): Promise<{ readonly seqNo: number; readonly text: string }> {
  const { store } = source;
  const { ear: receipt, epoch } = describeOperation(source, orgId, operationId);
  if (epoch === null) throw notSealed();
  const { leafHash } = findOperation(source, orgId, operationId);
  const checkpoint = await checkpointOf(store, key, orgId, size);
  const { size: treeSize, root } = parseCheckpoint(utf8(checkpoint));
  const seqNo = receipt.seq_no;
  if (treeSize < seqNo) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `size: the operation is number ${seqNo}, the log of ${treeSize} ends before`,
    );
  }
  const path = auditPath(treeSize, seqNo - 1, logNodes(store, orgId), nodeCrypto.sha256);
  const proof = { leafHash, leafIndex: seqNo - 1, treeSize, path, root: parseDigest(root) };
  // Whoever can write to the database must not be handed a proof in the service's name that does not hold.
  if (!verifyInclusion(proof, nodeCrypto.sha256)) throw damaged('the operation does not lead to the root of the log');
  return { seqNo, text: formatTlogProof({ receipt, path, checkpoint }) };
}
