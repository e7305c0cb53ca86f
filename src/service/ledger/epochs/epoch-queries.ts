import { nodeCrypto } from '../../../node/index.ts';
import { auditPath, type Epoch, formatDigest, type Inclusion, isSealedIn } from '../../../protocol/index.ts';
import { and, desc, eq, gte, lt, lte } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { epochs } from '../../store/schema.ts';
import { epoch as epochView } from '../views.ts';
import { logNodes } from './log-subtrees.ts';

/** Epochs of an organization before a number, newest first. */
export function listEpochs({ db }: Store, orgId: string, before: number | null, limit: number): Epoch[] {
  const ofOrg = eq(epochs.orgId, orgId);
  return db
    .select()
    .from(epochs)
    .where(before === null ? ofOrg : and(ofOrg, lt(epochs.epochNo, before)))
    .orderBy(desc(epochs.epochNo))
    .limit(limit)
    .all()
    .map(epochView);
}

export function findEpoch({ db }: Store, orgId: string, epochId: string): Epoch | null {
  const row = db
    .select()
    .from(epochs)
    .where(and(eq(epochs.orgId, orgId), eq(epochs.epochId, epochId)))
    .get();
  return row ? epochView(row) : null;
}

/** The epoch that sealed a record, or null while it waits. */
export function epochOf({ db }: Store, orgId: string, seqNo: number): Epoch | null {
  const row = db
    .select()
    .from(epochs)
    .where(and(eq(epochs.orgId, orgId), gte(epochs.lastSeqNo, seqNo)))
    .orderBy(epochs.lastSeqNo)
    .get();
  return row && row.firstSeqNo <= seqNo ? epochView(row) : null;
}

/** Epochs that overlap a run of sequence numbers, oldest first. */
export function epochsOverlapping({ db }: Store, orgId: string, first: number, last: number): Epoch[] {
  return db
    .select()
    .from(epochs)
    .where(and(eq(epochs.orgId, orgId), gte(epochs.lastSeqNo, first), lte(epochs.firstSeqNo, last)))
    .orderBy(epochs.epochNo)
    .all()
    .map(epochView);
}

/** The leaf hashes of an epoch, in order: read one at a time, since an epoch may have millions. */
export function leavesOf(store: Store, epoch: Epoch): Iterable<Uint8Array> {
  return store
    .statement('SELECT leaf_hash FROM operations WHERE org_id = ? AND seq_no BETWEEN ? AND ? ORDER BY seq_no')
    .pluck()
    .iterate(epoch.org_id, epoch.first_seq_no, epoch.last_seq_no) as Iterable<Uint8Array>;
}

/**
 * The place of a record in the log that its epoch sealed (protocol F83).
 * @param leafHash the record's, 32 bytes
 * @returns null where there is no proof: somebody changed the record or another one of the log
 */
export function proveInclusion(store: Store, epoch: Epoch, seqNo: number, leafHash: Uint8Array): Inclusion | null {
  const { sha256 } = nodeCrypto;
  const path = auditPath(epoch.last_seq_no, seqNo - 1, logNodes(store, epoch.org_id), sha256);
  const inclusion = { leaf_index: seqNo - 1, path: path.map(formatDigest) };
  return isSealedIn(epoch, { seqNo, leafHash }, inclusion, sha256) ? inclusion : null;
}
