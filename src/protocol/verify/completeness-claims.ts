import type { CheckStatus, VerificationReport } from './report.ts';
import type { Witnessed } from './witnessed.ts';

/** One of the three things that completeness can mean (protocol V186). */
export interface CompletenessClaim {
  readonly name: 'range' | 'log' | 'witnessed';
  readonly title: string;
  readonly status: CheckStatus;
  readonly text: string;
}

type Said = Pick<CompletenessClaim, 'status' | 'text'>;

const FAILED = 'see the findings';

function ofRange({ checks: { completeness }, bundle }: VerificationReport): Said {
  const { status, reason } = completeness;
  if (status === 'fail') return { status, text: FAILED };
  if (bundle.first_seq_no === null) return { status, text: reason ?? 'there are no records' };
  return { status, text: reason ?? `no number is missing from ${bundle.first_seq_no} to ${bundle.last_seq_no}` };
}

function ofLog({ checks: { epochs } }: VerificationReport): Said {
  const { status, reason, counts } = epochs;
  if (status === 'fail') return { status, text: FAILED };
  if (status === 'pass' && reason === null && (counts['log_roots'] ?? 0) > 0) {
    return { status, text: 'the records lead to the signed roots of the log that the file states' };
  }
  return { status: 'not_checked', text: reason ?? 'the file leads to no signed root of the log' };
}

/** Who cosigned the checkpoint that reaches furthest. */
function namesOf({ checkpoints, until, size }: Witnessed): string {
  const best = checkpoints.find((one) => one.until === until && one.reaches === size);
  return (best?.cosigned_by ?? []).map(({ organization }) => organization).join(', ');
}

/** What is witnessed, in words, and of what nobody knows; shared by the finding and by the claim. */
export function describeWitnessed(witnessed: Witnessed, last: number): string {
  const { threshold, organizations, size, until, checkpoints } = witnessed;
  const policy = `${threshold} of ${organizations} ${organizations === 1 ? 'witness' : 'witnesses'}`;
  const notHeld = [...new Set(checkpoints.flatMap(({ not_held }) => not_held))];
  const wrong = notHeld.length === 0 ? '' : `; a cosignature does not verify: ${notHeld.join(', ')}`;
  const all = size >= last;
  if (until === null || size === 0) {
    const most = Math.max(0, ...checkpoints.map(({ cosigned_by }) => cosigned_by.length));
    const why =
      checkpoints.length === 0
        ? 'no checkpoint was given that the bundle leads to'
        : `${most} cosigned a checkpoint that the bundle leads to`;
    return `no records are witnessed by ${policy}: ${why}${wrong}`;
  }
  const up = `records up to No. ${size} are witnessed by ${policy} (${namesOf(witnessed)}), who saw no other log until ${until}`;
  return `${up}${all ? '' : `; records after No. ${size} are not`}${wrong}`;
}

function ofWitnesses({ witnessed, verdict, bundle }: VerificationReport): Said {
  if (witnessed === undefined) {
    const carried = bundle.cosigned === undefined ? '' : '; the file carries checkpoints that others cosigned';
    return { status: 'not_checked', text: `no witnesses were named${carried}` };
  }
  if (verdict === 'failed') return { status: 'not_checked', text: 'the verification failed' };
  const { last_seq_no: last } = bundle;
  const isAll = last !== null && witnessed.size >= last;
  return {
    status: isAll ? 'pass' : 'not_checked',
    text: describeWitnessed(witnessed, last ?? Number.POSITIVE_INFINITY),
  };
}

/**
 * Completeness as three claims, each said, or said to be unchecked. Of a proof of records, which claims neither
 * of the first two, there is at most the third.
 */
export function completenessClaims(report: VerificationReport): readonly CompletenessClaim[] {
  const { checks, witnessed, bundle } = report;
  const ofThem = { name: 'witnessed', title: 'Witnessed', ...ofWitnesses(report) } as const;
  if (checks.completeness.status === 'not_applicable')
    return witnessed === undefined && bundle.cosigned === undefined ? [] : [ofThem];
  return [
    { name: 'range', title: 'Within the range', ...ofRange(report) },
    { name: 'log', title: 'Of the log', ...ofLog(report) },
    ofThem,
  ];
}
