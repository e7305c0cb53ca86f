import type { WitnessDemand, WitnessPolicy } from '../witness/policy.ts';
import type { CheckStatus, VerificationReport } from './report.ts';
import type { Witnessed, WitnessedCheckpoint } from './witnessed.ts';

/** What the report of a file says of one of its records, as far as others than the service stand behind that. */
export function reportOfRecord(report: VerificationReport, seqNo: number): VerificationReport {
  const { checks, bundle, times, ...rest } = report;
  const ofRecord = times && {
    stamps: times.stamps.filter(({ reaches }) => reaches >= seqNo),
    not_before: times.not_before.filter(({ from_seq_no: from }) => from !== null && from <= seqNo),
    not_noted: [],
  };
  return {
    ...rest,
    ...(ofRecord && { times: ofRecord }),
    bundle: { ...bundle, first_seq_no: seqNo, last_seq_no: seqNo },
    // Of one record neither of the claims is made that are about a range.
    checks: { ...checks, completeness: { status: 'not_applicable', reason: null, counts: {} } },
  };
}

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

/** What is said of a file that carries cosignatures to a reader who demands none. */
export const UNNAMED_WITNESSES = 'no witnesses were named; the file carries checkpoints that others cosigned';

/** Who cosigned the checkpoint that reaches furthest. */
function namesOf({ checkpoints, until, size }: StatedWitnessed): string {
  const best = checkpoints.find((one) => one.until === until && one.reaches === size);
  return (best?.cosigned_by ?? []).map(({ organization }) => organization).join(', ');
}

/** Of what a report says of witnesses, what describeWitnessed tells again. */
type StatedWitnessed = Omit<Witnessed, 'checkpoints'> & {
  readonly checkpoints: readonly (Pick<WitnessedCheckpoint, 'reaches' | 'until' | 'not_held'> & {
    readonly cosigned_by: readonly Pick<WitnessedCheckpoint['cosigned_by'][number], 'organization'>[];
  })[];
};

/** Whose cosignatures are demanded. */
export function describePolicy({ everywhere, ledgers }: WitnessPolicy): string {
  const text = ({ threshold, organizations }: WitnessDemand): string =>
    `${threshold} of ${organizations.map(({ name }) => name).join(', ')}`;
  const ofEach = ledgers.map(({ orgId, ...demand }) => `of the ledger of ${orgId} ${text(demand)}`);
  return [...(everywhere === null ? [] : [text(everywhere)]), ...ofEach].join('; ');
}

function policyText({ threshold, organizations }: Pick<Witnessed, 'threshold' | 'organizations'>): string {
  return `${threshold} of ${organizations} ${organizations === 1 ? 'witness' : 'witnesses'}`;
}

/** Who stands behind one checkpoint, in a sentence. */
export function describeStanding({ cosigned_by: by, size, until }: WitnessedCheckpoint, policy: Witnessed): string {
  const names = by.length === 0 ? '' : ` (${by.map(({ organization }) => organization).join(', ')})`;
  const seen = until === null ? `${policyText(policy)} are demanded` : `who saw no other log until ${until}`;
  return `${by.length} of ${policy.organizations} stand behind its size ${size}${names}: ${seen}.`;
}

/** What is witnessed, in words, and of what nobody knows; shared by the finding and by the claim. */
export function describeWitnessed(witnessed: StatedWitnessed, last: number): string {
  const { size, until, checkpoints } = witnessed;
  const policy = policyText(witnessed);
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
    return {
      status: 'not_checked',
      text: bundle.cosigned === undefined ? 'no witnesses were named' : UNNAMED_WITNESSES,
    };
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
