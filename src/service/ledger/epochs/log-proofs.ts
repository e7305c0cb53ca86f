import type { ConsistencyAnswer } from '../../../contract/index.ts';
import {
  CompactRange,
  checkpointOrigin,
  checkpointText,
  consistencyPath,
  type Epoch,
  epochSignedBytes,
  formatCheckpoint,
  formatDigest,
  fromBase64Url,
  type ReadNode,
  StrictVerifier,
  utf8,
  verifyConsistency,
} from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';
import { ServiceError } from '../../base/service-error.ts';
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
 * The checkpoint of an organization's log (protocol §6). It is signed only where the epoch's signature holds and the log gives
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
  const statement = { origin: checkpointOrigin(orgId, sha256), size: epoch.last_seq_no, root };
  // Nothing is waited for from here on: a rotation comes before or after both.
  return formatCheckpoint(statement, key.publicKey, key.sign(utf8(checkpointText(statement))), sha256);
}

/**
 * The proof that the log of one size begins with the log of another (RFC 6962 §2.1.2), from the subtrees that are kept.
 * @param to the sealed size where it is left out
 * @throws ServiceError NOT_FOUND beyond what is sealed, VALIDATION_ERROR for sizes out of order, CONFLICT where the stored
 *   ledger is damaged
 */
export function consistencyOf(store: Store, orgId: string, from: number, to: number | undefined): ConsistencyAnswer {
  const sealed = sealedAt(store, orgId, undefined).last_seq_no;
  const size = to ?? sealed;
  if (Math.max(from, size) > sealed) {
    throw new ServiceError('NOT_FOUND', `the log is sealed up to the size ${sealed}: there is no proof beyond it`);
  }
  if (from > size) throw new ServiceError('VALIDATION_ERROR', 'from: must not be greater than to');
  const nodes = logNodes(store, orgId);
  const [firstRoot, secondRoot] = [rootAt(from, nodes), rootAt(size, nodes)];
  const path = consistencyPath(from, size, nodes, sha256);
  const holds = verifyConsistency({ firstSize: from, secondSize: size, firstRoot, secondRoot, path }, sha256);
  const areSealed = [[from, firstRoot] as const, [size, secondRoot] as const].every(([end, root]) => {
    const epoch = epochOf(store, orgId, end);
    return epoch?.last_seq_no !== end || epoch.log_root === formatDigest(root);
  });
  if (!holds || !areSealed) throw damaged(ANOTHER_ROOT);
  return {
    ...{ from, to: size, from_root: formatDigest(firstRoot), to_root: formatDigest(secondRoot) },
    consistency: path.map(formatDigest),
  };
}
