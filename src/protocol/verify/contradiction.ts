import { equalBytes } from '../bytes.ts';
import type { BundleFilter, Manifest } from '../statements/manifest.ts';
import { parseTime } from '../time.ts';
import { factsOf, type SignedStatement } from './signed-statement.ts';

function sameFilter(a: BundleFilter, b: BundleFilter): boolean {
  return (
    a.agent_id === b.agent_id &&
    parseTime(a.start_time) === parseTime(b.start_time) &&
    parseTime(a.end_time) === parseTime(b.end_time)
  );
}

/**
 * The first member in which two manifests differ that must agree: of one head of the ledger and one filter there is one
 * list of records, whenever the bundles were made, and of one number of epochs one list of epochs. Null where they may
 * both be true.
 */
function contradictingMember(a: Manifest, b: Manifest): keyof Manifest | null {
  if (a.log_head.seq_no !== b.log_head.seq_no || !sameFilter(a.filter, b.filter)) return null;
  const members: (keyof Manifest)[] = ['record_count', 'first_seq_no', 'last_seq_no', 'records_digest'];
  if (a.log_head.epoch_no === b.log_head.epoch_no) members.push('epochs_digest');
  return members.find((member) => a[member] !== b[member]) ?? null;
}

/**
 * What two statements of one organization say differently although only one of them can be true: the member of two
 * manifests, or the statement as a whole where they are receipts or epochs of one number. Null where both may be true,
 * also where they are about different things. Signatures are not looked at.
 */
export function contradictionBetween(a: SignedStatement, b: SignedStatement): string | null {
  const [one, other] = [factsOf(a), factsOf(b)];
  if (one.kind !== other.kind || one.orgId !== other.orgId || one.number !== other.number) return null;
  if ('manifest' in a && 'manifest' in b) return contradictingMember(a.manifest, b.manifest);
  return equalBytes(one.signedBytes, other.signedBytes) ? null : one.kind;
}
