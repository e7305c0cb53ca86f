import { equalBytes, utf8 } from '../bytes.ts';
import { formatDigest, sha256 } from '../digest.ts';
import { consistencyRoots } from '../merkle/consistency.ts';
import { type CheckpointStatement, checkpointOrigin } from '../statements/checkpoint.ts';
import { type KeptCheckpoint, parseKeptCheckpoint } from '../statements/consistency-proof.ts';
import { type Epoch, epochHash, epochSignedBytes } from '../statements/epoch.ts';
import type { BundleFilter, Manifest } from '../statements/manifest.ts';
import { receiptSignedBytes } from '../statements/receipt.ts';
import { seenIn } from '../statements/seen-note.ts';
import { serviceKeySignedBytes } from '../statements/service-key.ts';
import { parseTime } from '../time.ts';
import { checkpointOf, factsOf, type SignedStatement } from './signed-statement.ts';

/** In which way two statements of a service exclude each other (protocol V107). */
export const CONTRADICTION_KINDS = [
  'receipt',
  'epoch',
  'epoch_link',
  'epoch_run',
  'log_head',
  'checkpoint',
  'set_back',
  'service_key',
  'agent_key',
] as const;
export type ContradictionKind = (typeof CONTRADICTION_KINDS)[number];

/** What two statements say differently although only one of them can be true. */
export interface Contradiction {
  readonly kind: ContradictionKind;
  /** Of two manifests, the member in which they must agree. */
  readonly member?: string;
}

function sameFilter(a: BundleFilter, b: BundleFilter): boolean {
  return (
    a.agent_id === b.agent_id &&
    parseTime(a.start_time) === parseTime(b.start_time) &&
    parseTime(a.end_time) === parseTime(b.end_time)
  );
}

/** Which of two bundles was made first: below 0 for the first, 0 for neither. The clock is set back only by corrections. */
export function compareMaking(a: Manifest, b: Manifest): number {
  return (a.clock_corrections ?? 0) - (b.clock_corrections ?? 0) || parseTime(a.created_at) - parseTime(b.created_at);
}

/**
 * The first member in which two manifests differ that must agree: of one head of the ledger and one filter there is one
 * list of records, whenever the bundles were made, and of one number of epochs one list of epochs; and neither the ledger nor
 * its administrative log ever gets shorter. Null where they may both be true.
 */
function contradictingMember(a: Manifest, b: Manifest): string | null {
  const [one, other] = [a.log_head, b.log_head];
  const order = compareMaking(a, b);
  const [earlier, later] = order <= 0 ? [a, b] : [b, a];
  if (order !== 0) {
    if (later.log_head.seq_no < earlier.log_head.seq_no || later.log_head.epoch_no < earlier.log_head.epoch_no) {
      return 'log_head';
    }
    if (later.admin_log.count < earlier.admin_log.count) return 'admin_log';
  }
  if (a.admin_log.count === b.admin_log.count && a.admin_log.head_hash !== b.admin_log.head_hash) return 'admin_log';
  if (one.seq_no !== other.seq_no) return null;
  if (one.epoch_no !== other.epoch_no) return 'log_head';
  // A correction of the clock between the two moves what lies in a range.
  if (!sameFilter(a.filter, b.filter) || a.clock_corrections !== b.clock_corrections) return null;
  const members = ['record_count', 'first_seq_no', 'last_seq_no', 'records_digest', 'epochs_digest'] as const;
  return members.find((member) => a[member] !== b[member]) ?? null;
}

/** UUIDs are the same in either case of letters (protocol F11). */
function isSameOperation(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function betweenEpochs(a: Epoch, b: Epoch): ContradictionKind | null {
  if (a.epoch_no === b.epoch_no) return equalBytes(epochSignedBytes(a), epochSignedBytes(b)) ? null : 'epoch';
  const [lower, higher] = a.epoch_no < b.epoch_no ? [a, b] : [b, a];
  const isNext = higher.epoch_no === lower.epoch_no + 1;
  if (isNext && higher.prev_epoch_hash !== epochHash(epochSignedBytes(lower))) return 'epoch_link';
  return higher.first_seq_no > lower.last_seq_no ? null : 'epoch_run';
}

/**
 * The root at the smaller size of a consistency proof that leads to its checkpoint. At a size that is a power of two the path does
 * not hold it, and nothing is stated.
 */
function statedBelow({ checkpoint, link }: KeptCheckpoint): CheckpointStatement[] {
  const { origin, size: secondSize, root } = checkpoint;
  if (link === null || link.oldSize === secondSize) return [];
  // Only such a size needs the root that is asked for; another one than that of the log then leads elsewhere.
  const roots = consistencyRoots({ ...link, firstSize: link.oldSize, secondSize, firstRoot: new Uint8Array(32) });
  if (roots === null || formatDigest(roots.second) !== root) return [];
  return [{ origin, size: link.oldSize, root: formatDigest(roots.first) }];
}

/** What an epoch, a checkpoint or a consistency proof says about the log; nothing of any other statement. */
export function logsStatedBy(statement: SignedStatement): readonly CheckpointStatement[] {
  if ('checkpoint' in statement) {
    const kept = parseKeptCheckpoint(utf8(statement.checkpoint));
    return [...statedBelow(kept), kept.checkpoint];
  }
  if (!('epoch' in statement)) return [];
  const { org_id, last_seq_no: size, log_root: root } = statement.epoch;
  return [{ origin: checkpointOrigin(org_id), size, root }];
}

/** The smallest size at which two statements give one log two roots (protocol V107, `checkpoint`); null where there is none. */
export function sizeOfTwoRoots(a: SignedStatement, b: SignedStatement): number | null {
  const others = logsStatedBy(b);
  const isOther = (one: CheckpointStatement): boolean =>
    others.some(({ origin, size, root }) => origin === one.origin && size === one.size && root !== one.root);
  return logsStatedBy(a).find(isOther)?.size ?? null;
}

/** The sequence number of a receipt, or the size of a checkpoint; null of anything else. */
export function numberInLog(statement: SignedStatement): number | null {
  if ('receipt' in statement) return statement.receipt.seq_no;
  return 'checkpoint' in statement ? checkpointOf(statement).size : null;
}

/**
 * The number up to which a ledger was signed that ended before it later: of the two, one is a checkpoint signed by whoever had been
 * shown the other (protocol V107, `set_back`). Null where neither is.
 */
export function numberSetBack(a: SignedStatement, b: SignedStatement): number | null {
  for (const [note, shown] of [
    [a, b],
    [b, a],
  ] as const) {
    if (!('checkpoint' in note)) continue;
    const checkpoint = checkpointOf(note);
    const seen = seenIn(checkpoint);
    const number = numberInLog(shown);
    if (seen === null || number === null || seen.last >= number) continue;
    const origin = 'receipt' in shown ? checkpointOrigin(shown.receipt.org_id) : undefined;
    const isOfLog =
      'checkpoint' in shown ? checkpointOf(shown).origin === checkpoint.origin : origin === checkpoint.origin;
    if (isOfLog && seen.digest === formatDigest(sha256(factsOf(shown).signedBytes))) return number;
  }
  return null;
}

function betweenLogs(a: SignedStatement, b: SignedStatement): ContradictionKind | null {
  if (sizeOfTwoRoots(a, b) !== null) return 'checkpoint';
  return numberSetBack(a, b) === null ? null : 'set_back';
}

/**
 * What two statements of one ledger say differently although only one of them can be true. Null where both may be true, also
 * where they are about different things. Signatures are not looked at.
 */
export function contradictionBetween(a: SignedStatement, b: SignedStatement): Contradiction | null {
  const kind = kindOf(a, b);
  if (kind !== null) return { kind };
  if (!('manifest' in a && 'manifest' in b) || a.manifest.org_id !== b.manifest.org_id) return null;
  const member = contradictingMember(a.manifest, b.manifest);
  return member === null ? null : { kind: 'log_head', member };
}

function kindOf(a: SignedStatement, b: SignedStatement): ContradictionKind | null {
  if ('receipt' in a && 'receipt' in b) {
    const [one, other] = [a.receipt, b.receipt];
    const isSame =
      one.org_id === other.org_id &&
      (one.seq_no === other.seq_no || isSameOperation(one.operation_id, other.operation_id));
    return isSame && !equalBytes(receiptSignedBytes(a.receipt), receiptSignedBytes(b.receipt)) ? 'receipt' : null;
  }
  if ('epoch' in a && 'epoch' in b) {
    const kind = a.epoch.org_id === b.epoch.org_id ? betweenEpochs(a.epoch, b.epoch) : null;
    return kind ?? betweenLogs(a, b);
  }
  if ('checkpoint' in a || 'checkpoint' in b) return betweenLogs(a, b);
  if ('service_key' in a && 'service_key' in b) {
    const [one, other] = [a.service_key, b.service_key];
    const isOnePlace = one.kid === other.kid || (one.prev_kid !== null && one.prev_kid === other.prev_kid);
    return isOnePlace && !equalBytes(serviceKeySignedBytes(one), serviceKeySignedBytes(other)) ? 'service_key' : null;
  }
  if ('agent_key' in a && 'agent_key' in b) {
    const [one, other] = [a.agent_key, b.agent_key];
    if (a.org_id !== b.org_id || one.agent_id !== other.agent_id || one.kid !== other.kid) return null;
    const areRevoked = one.retired_at !== null && other.retired_at !== null;
    const differ =
      one.public_key !== other.public_key ||
      one.created_at !== other.created_at ||
      (areRevoked && one.retired_at !== other.retired_at);
    return differ ? 'agent_key' : null;
  }
  return null;
}
