import { nodeCrypto } from '../../../node/index.ts';
import {
  CompactRange,
  checkpointOrigin,
  checkpointText,
  consistencyPath,
  type Epoch,
  epochSignedBytes,
  formatCheckpoint,
  formatConsistencyProof,
  formatDigest,
  fromBase64Url,
  type ReadNode,
  StrictVerifier,
  utf8,
  verifyConsistency,
} from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { listServiceKeys } from '../keys/service-keys.ts';
import { epochOf, listEpochs } from './epoch-queries.ts';
import { logNodes } from './log-subtrees.ts';

const { sha256 } = nodeCrypto;
const verifier = new StrictVerifier(nodeCrypto);

function damaged(how: string): ServiceError {
  return new ServiceError('CONFLICT', `the organization's stored ledger is damaged: ${how}`);
}

const ANOTHER_ROOT = 'its log gives another root than the epoch was sealed with';

/** The root of the log at a size up to the sealed one, from the subtrees that are kept. */
function rootAt(size: number, nodes: ReadNode): Uint8Array {
  return CompactRange.of(size, nodes, sha256).root();
}

/** The epoch that seals a size, or the newest one. @throws ServiceError NOT_FOUND */
function sealedAt(store: Store, orgId: string, size: number | undefined): Epoch {
  const [newest] = listEpochs(store, orgId, null, 1);
  if (newest === undefined) throw new ServiceError('NOT_FOUND', 'nothing is sealed yet: there is no checkpoint');
  if (size === undefined) return newest;
  const epoch = epochOf(store, orgId, size);
  if (epoch?.last_seq_no === size) return epoch;
  const at = epoch === null ? `the newest one ends at ${newest.last_seq_no}` : `one ends at ${epoch.last_seq_no}`;
  throw new ServiceError('NOT_FOUND', `no epoch ends at the size ${size}: ${at}`);
}

async function isSigned(store: Store, epoch: Epoch): Promise<boolean> {
  const key = listServiceKeys(store).find(({ kid }) => kid === epoch.service_kid);
  if (key === undefined) return false;
  const [publicKey, signature] = [fromBase64Url(key.public_key, 32), fromBase64Url(epoch.signature_by_service, 64)];
  return (await verifier.verify([{ publicKey, message: epochSignedBytes(epoch), signature }]))[0] === true;
}

/**
 * The checkpoint of an organization's log (protocol F85). It is signed only where the epoch's signature holds and the log gives
 * its root: whoever can write to the database must not get the service's name under another root.
 * @param size a size that an epoch ends at; the newest one where it is left out
 * @throws ServiceError NOT_FOUND where no epoch ends there, CONFLICT where the stored ledger is damaged
 */
export async function checkpointOf(
  store: Store,
  key: KeyHolder,
  orgId: string,
  size: number | undefined,
): Promise<string> {
  const epoch = sealedAt(store, orgId, size);
  const root = formatDigest(rootAt(epoch.last_seq_no, logNodes(store, orgId)));
  if (root !== epoch.log_root) throw damaged(ANOTHER_ROOT);
  if (!(await isSigned(store, epoch))) throw damaged('the epoch is not signed by a service key');
  const statement = { origin: checkpointOrigin(orgId), size: epoch.last_seq_no, root };
  // Nothing is waited for from here on: a rotation comes before or after both.
  return formatCheckpoint(statement, key.publicKey, key.sign(utf8(checkpointText(statement))), sha256);
}

/**
 * The proof that the log of a checkpoint begins with the log of a smaller size, from the subtrees that are kept (protocol F89).
 * @param to a size that an epoch ends at; the newest one where it is left out
 * @throws ServiceError NOT_FOUND where no epoch ends there, VALIDATION_ERROR for sizes out of order, CONFLICT where the stored
 *   ledger is damaged
 */
export async function consistencyProofOf(
  store: Store,
  key: KeyHolder,
  orgId: string,
  { from, to }: { readonly from: number; readonly to?: number | undefined },
): Promise<string> {
  const { last_seq_no: size } = sealedAt(store, orgId, to);
  if (from > size)
    throw new ServiceError('VALIDATION_ERROR', `from: must not be greater than ${size}, the size it leads to`);
  const nodes = logNodes(store, orgId);
  const path = consistencyPath(from, size, nodes, sha256);
  const first = rootAt(from, nodes);
  const proof = { firstSize: from, secondSize: size, firstRoot: first, secondRoot: rootAt(size, nodes), path };
  const epoch = epochOf(store, orgId, from);
  const isSealed = epoch?.last_seq_no !== from || epoch.log_root === formatDigest(first);
  if (!verifyConsistency(proof, sha256) || !isSealed) throw damaged(ANOTHER_ROOT);
  return formatConsistencyProof({ oldSize: from, path }, await checkpointOf(store, key, orgId, size));
}
