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
  formatSeenNote,
  formatTime,
  fromBase64Url,
  type ReadNode,
  type Seen,
  type ServiceKey,
  StrictVerifier,
  utf8,
  verifyConsistency,
} from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, desc, eq, inArray } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { adminEvents, operations } from '../../store/schema.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { listServiceKeys } from '../keys/service-keys.ts';
import { epochOf, listEpochs } from './epoch-queries.ts';
import { logNodes } from './log-subtrees.ts';

const { sha256 } = nodeCrypto;
const verifier = new StrictVerifier(nodeCrypto);

/** The acts that set a ledger back and say so. */
const SET_BACK = ['ledger.restored', 'ledger.accept_rollback'];

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
  return verifier.holds({ publicKey, message: epochSignedBytes(epoch), signature });
}

/** What a service is shown that it signed: the number of a receipt or the size of a checkpoint, and the digest of what is signed. */
type Shown = Pick<Seen, 'number' | 'digest'>;

/** Where the ledger ends, sealed or not: whoever holds what they show had it after it was committed. */
function seenOf(store: Store, orgId: string, shown: Shown): Seen {
  const { db } = store;
  const newest = db.select({ seqNo: operations.seqNo }).from(operations).where(eq(operations.orgId, orgId));
  const last = newest.orderBy(desc(operations.seqNo)).limit(1).get()?.seqNo ?? 0;
  if (last >= shown.number) return { ...shown, last, restored: null };
  const restored = db
    .select({ at: adminEvents.createdAt })
    .from(adminEvents)
    .where(and(eq(adminEvents.orgId, orgId), inArray(adminEvents.action, SET_BACK)))
    .orderBy(desc(adminEvents.eventNo))
    .limit(1)
    .get();
  return { ...shown, last, restored: restored === undefined ? null : formatTime(restored.at) };
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
  shown?: Shown,
): Promise<string> {
  const epoch = sealedAt(store, orgId, size);
  const root = formatDigest(rootAt(epoch.last_seq_no, logNodes(store, orgId)));
  if (root !== epoch.log_root) throw damaged(ANOTHER_ROOT);
  if (!(await isSigned(store, epoch))) throw damaged('the epoch is not signed by a service key');
  const statement = { origin: checkpointOrigin(orgId), size: epoch.last_seq_no, root };
  // Nothing is waited for from here on: a rotation comes before or after both.
  if (shown !== undefined) return formatSeenNote(statement, seenOf(store, orgId, shown), key, sha256);
  return formatCheckpoint(statement, key.publicKey, key.sign(utf8(checkpointText(statement))), sha256);
}

/**
 * What whoever submits is answered about what they kept (docs/interface.md, Ledger). Nothing shown is looked at: who can have a service
 * sign that its ledger ends before something it never signed has no second statement to it.
 * @throws ServiceError NOT_FOUND while nothing is sealed, CONFLICT where the stored ledger is damaged
 */
export async function exchangeOf(
  store: Store,
  key: KeyHolder,
  orgId: string,
  {
    from,
    seen_no: number,
    seen: digest,
  }: { from?: number | undefined; seen_no?: number | undefined; seen?: string | undefined },
): Promise<{ checkpoint: string; service_keys: ServiceKey[] }> {
  const { last_seq_no: to } = sealedAt(store, orgId, undefined);
  const shown = number === undefined || digest === undefined ? undefined : { number, digest };
  const checkpoint =
    from === undefined || from > to
      ? await checkpointOf(store, key, orgId, to, shown)
      : await consistencyProofOf(store, key, orgId, { from, to }, shown);
  return { checkpoint, service_keys: listServiceKeys(store) };
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
  shown?: Shown,
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
  return formatConsistencyProof({ oldSize: from, path }, await checkpointOf(store, key, orgId, size, shown));
}

/**
 * What a witness is asked (protocol F118).
 * @param from the size that it cosigned last, 0 for none
 * @throws ServiceError as consistencyProofOf
 */
export async function witnessRequestOf(
  store: Store,
  key: KeyHolder,
  orgId: string,
  { from, to }: { readonly from: number; readonly to?: number | undefined },
): Promise<string> {
  if (from > 0) return consistencyProofOf(store, key, orgId, { from, to });
  return formatConsistencyProof({ oldSize: 0, path: [] }, await checkpointOf(store, key, orgId, to));
}
