import type { CorrectedTimes } from '../statements/clock-correction.ts';
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
    .map(([what, count]) => {
      const noun = count === 1 ? what.replace(/s(?=_|$)/, '') : what;
      return `${count.toLocaleString('en-US')} ${noun.replaceAll('_', ' ')}`;
    })
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

/**
 * What stands next to a time that may be that of a wrong clock (protocol V147).
 * @param what whose time, such as "The time of receipt"
 * @param correctedAt when the clock was set back
 */
export function describeWrongClock(what: string, correctedAt: string): string {
  return `${what} may be wrong: the service’s clock was set back later, at ${correctedAt}`;
}

/** Next to the time of receipt of a record that the report says was received by a wrong clock (protocol R45). */
export function clockNote(correctedAt: string): string {
  return `${describeWrongClock('The time of receipt', correctedAt)}, as the maker of this report says`;
}

/** What has such times: "records 4 to 7, epoch 2, administrative events 5 to 9". */
export function describeCorrected({ after, until }: Pick<CorrectedTimes, 'after' | 'until'>): string {
  const nouns = { seq_no: 'record', epoch_no: 'epoch', events: 'administrative event' } as const;
  const runs = (Object.keys(nouns) as (keyof typeof nouns)[]).flatMap((count) => {
    const [first, last] = [after[count] + 1, until[count]];
    if (first > last) return [];
    return [first === last ? `${nouns[count]} ${first}` : `${nouns[count]}s ${first} to ${last}`];
  });
  return runs.length === 0 ? 'no record' : runs.join(', ');
}
