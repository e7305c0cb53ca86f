import {
  CHECKS,
  type CheckName,
  type CheckResult,
  type CheckStatus,
  type FindingPlace,
  type Verdict,
} from './report.ts';

/** What people call each check. */
export const CHECK_TITLES: Readonly<Record<CheckName, string>> = {
  issuer: 'Issuer',
  agent_signatures: 'Agent signatures',
  payloads: 'Payloads',
  chains: 'Agent chains',
  receipts: 'Receipts',
  epochs: 'Epochs',
  completeness: 'Completeness',
  admin_log: 'Administrative log',
  time: 'Times',
  reconciliation: 'Reconciliation',
};

/** What the verdict needs of a report: the whole one, or the part that a list of reports keeps. */
interface Judged {
  readonly verdict: Verdict;
  readonly checks: { readonly [K in CheckName]: CheckStatus | { readonly status: CheckStatus } };
}

/**
 * The verdict in words, the same on every screen, page and terminal. Where the issuer alone is open, it says so: the file
 * agrees with itself, and anybody can make one that does.
 */
export function describeVerdict({ verdict, checks }: Judged): string {
  if (verdict !== 'incomplete') return verdict;
  const open = CHECKS.filter((name) => {
    const check = checks[name];
    return (typeof check === 'string' ? check : check.status) === 'not_checked';
  });
  return open.length === 1 && open[0] === 'issuer' ? 'incomplete – consistent, issuer not confirmed' : verdict;
}

/** What is said of a file that the service at hand signed itself. */
export const OWN_KEY_NOTE =
  "Checked with this service's own key, which is neither an alarm nor a proof: to a stranger it proves nothing.";

/** What a check looked at, in words: "12 records, 1 key". */
export function describeCounts({ counts }: CheckResult): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${count === 1 ? what.replace(/s(?=_|$)/, '') : what}`.replaceAll('_', ' '))
    .join(', ');
}

/** Where a finding is, in words; empty where it has no place. */
export function describePlace(where: FindingPlace): string {
  const parts = [
    where.file,
    where.line === undefined ? undefined : `line ${where.line}`,
    where.seq_no === undefined ? undefined : `seq_no ${where.seq_no}`,
    where.operation_id === undefined ? undefined : `operation ${where.operation_id}`,
    where.agent_id === undefined ? undefined : `agent ${where.agent_id}`,
    where.epoch_no === undefined ? undefined : `epoch ${where.epoch_no}`,
    where.event_id === undefined ? undefined : `event ${where.event_id}`,
    where.kid === undefined ? undefined : `key ${where.kid}`,
    where.member === undefined ? undefined : `member ${where.member}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}
