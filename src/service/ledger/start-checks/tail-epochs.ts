import { nodeCrypto } from '../../../node/index.ts';
import {
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  fromBase64Url,
  merkleRoot,
  ProtocolError,
} from '../../../protocol/index.ts';
import { and, count, desc, eq, gt } from '../../store/drizzle.ts';
import { epochs, operations } from '../../store/schema.ts';
import { leavesOf } from '../epochs/epoch-queries.ts';
import { logTreeAt } from '../epochs/log-subtrees.ts';
import { epoch as epochView } from '../views.ts';
import type { Damage } from './damage.ts';
import type { TailReader } from './tail-records.ts';

/** How many epochs are looked at, the newest. */
const DEPTH = 16;

/** An epoch's leaves are read again only where there are at most this many. */
const MAX_LEAVES = 4096;

async function signatureDamage(epoch: Epoch, { keys, verifier }: TailReader): Promise<string | null> {
  const publicKey = keys.get(epoch.service_kid);
  if (publicKey === undefined) return `names a key that is not the service's: ${epoch.service_kid}`;
  let signature: Uint8Array;
  try {
    signature = fromBase64Url(epoch.signature_by_service, 64);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return 'its signature cannot be read';
  }
  const valid = await verifier.holds({ publicKey, message: epochSignedBytes(epoch), signature });
  return valid ? null : 'its signature does not verify with the service key';
}

/** @param before the newest of those below; null where there is none */
function linkDamages(epoch: Epoch, before: Epoch | null): Omit<Damage, 'orgId' | 'place'>[] {
  if (epoch.epoch_no !== (before?.epoch_no ?? 0) + 1) {
    return [{ message: 'the epoch before it is missing' }];
  }
  const hash = before && epochHash(epochSignedBytes(before), nodeCrypto.sha256);
  if (epoch.prev_epoch_hash !== hash) {
    const [expected, found] = [hash ?? 'none', epoch.prev_epoch_hash ?? 'none'];
    return [{ message: 'does not follow on the epoch before it', expected, found }];
  }
  const first = (before?.last_seq_no ?? 0) + 1;
  if (epoch.first_seq_no === first) return [];
  return [
    { message: 'does not begin where the one before it ends', expected: `${first}`, found: `${epoch.first_seq_no}` },
  ];
}

/**
 * Looks at the newest epochs of an organization, at the tree of the newest if it is small, and at whether the records that
 * none has sealed follow on it.
 * @param lastSeqNo of the newest record
 */
export async function examineEpochTail(reader: TailReader, orgId: string, lastSeqNo: number): Promise<Damage[]> {
  const { store } = reader;
  const newest = store.db
    .select()
    .from(epochs)
    .where(eq(epochs.orgId, orgId))
    .orderBy(desc(epochs.epochNo))
    .limit(DEPTH + 1)
    .all()
    .map(epochView);
  const damages: Damage[] = [];
  const placeOf = ({ epoch_no }: Epoch) => ({ orgId, place: `epoch ${epoch_no}` });
  const looked = newest.slice(0, DEPTH);
  for (const epoch of looked) {
    const message = await signatureDamage(epoch, reader);
    if (message !== null) damages.push({ ...placeOf(epoch), message });
  }
  for (const [index, epoch] of looked.entries()) {
    const before = newest[index + 1] ?? null;
    damages.push(...linkDamages(epoch, before).map((damage) => ({ ...placeOf(epoch), ...damage })));
  }
  const [last] = newest;
  const sealed = last?.last_seq_no ?? 0;
  if (sealed > lastSeqNo) {
    const message = 'is missing, although an epoch has sealed it';
    damages.push({ orgId, place: `record ${lastSeqNo + 1}`, message });
    return damages;
  }
  if (last !== undefined && last.leaf_count <= MAX_LEAVES) {
    const root = formatDigest(merkleRoot(leavesOf(store, last), nodeCrypto.sha256));
    if (root !== last.root_hash) {
      const message = 'its root is not that of the stored leaves';
      damages.push({ ...placeOf(last), message, expected: last.root_hash, found: root });
    }
  }
  if (last !== undefined) {
    const found = logTreeAt(store, orgId, last.last_seq_no)?.root() ?? 'incomplete trees';
    if (found !== last.log_root) {
      const message = 'the root of the log is not that of the stored trees';
      damages.push({ ...placeOf(last), message, expected: last.log_root, found });
    }
  }
  const open = store.db
    .select({ leaves: count() })
    .from(operations)
    .where(and(eq(operations.orgId, orgId), gt(operations.seqNo, sealed)))
    .get();
  if (open !== undefined && open.leaves !== lastSeqNo - sealed) {
    damages.push({
      orgId,
      place: `the open epoch, from record ${sealed + 1} on`,
      message: 'records are missing',
      expected: `${lastSeqNo - sealed} records`,
      found: `${open.leaves}`,
    });
  }
  return damages;
}
