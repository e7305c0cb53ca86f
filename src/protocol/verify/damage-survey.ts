import type { Manifest } from '../statements/manifest.ts';
import type { Subject } from './conclude.ts';
import { type DamageMap, type DrawnRun, drawDamageMap } from './damage-map.ts';
import type { EpochTrack } from './epoch-track.ts';
import { isAboutRecord } from './record-findings.ts';
import type { RecordTrack } from './record-track.ts';
import type { Finding } from './report.ts';

/** A run of sequence numbers, both inclusive. */
export type Extent = readonly [first: number, last: number];

/** What a damage map is drawn from. */
export interface SurveyedDamage {
  readonly subject: Subject;
  readonly manifest: Manifest | null;
  /** From where to where the subject must reach, as far as something signed says so. */
  readonly extent: Extent | null;
  /** Numbers of records that a kept receipt proves to be missing. */
  readonly omitted: readonly number[];
  readonly epochs: EpochTrack;
  readonly records: RecordTrack;
  readonly findings: readonly Finding[];
  /** Records that findings beyond the listed ones name. */
  readonly beyond: readonly Extent[];
}

function run(first: number, last: number, state: DrawnRun['state']): DrawnRun[] {
  return first > last ? [] : [{ first_seq_no: first, last_seq_no: last, state }];
}

function damaged({ findings, beyond }: SurveyedDamage): DrawnRun[] {
  const named = findings.filter(
    ({ code, severity, caused_by, where }) =>
      severity === 'error' && caused_by === undefined && isAboutRecord(code, where),
  );
  return [
    ...named.flatMap(({ where: { seq_no } }) => (seq_no === undefined ? [] : run(seq_no, seq_no, 'damaged'))),
    ...beyond.flatMap(([first, last]) => run(first, last, 'damaged')),
  ];
}

/** Numbers within the run of records that none of them has. */
function gaps({ subject, manifest, extent, records }: SurveyedDamage): DrawnRun[] {
  if (manifest !== null && manifest.filter.agent_id !== null) return [];
  // Where no manifest could be read, records of several agents still tell that the bundle is of all of them.
  const known = subject === 'ledger' || (subject === 'bundle' && (manifest !== null || records.agentIds.size > 1));
  const { sequence } = records;
  const { gaps: open, upTo } = sequence.missing;
  // A number beyond what the manifest states is not signed for: what lies before it is not missing.
  const [from, to] = extent ?? [0, Number.POSITIVE_INFINITY];
  return [
    ...run(sequence.first ?? 1, upTo, 'unproven'),
    ...open.flatMap((gap) => run(Math.max(gap.from, from), Math.min(gap.to, to), known ? 'missing' : 'absent')),
    ...open.flatMap((gap) => [
      ...run(gap.from, Math.min(gap.to, from - 1), 'absent'),
      ...run(Math.max(gap.from, to + 1), gap.to, 'absent'),
    ]),
  ];
}

/** Numbers before the first record and after the last that should have one. */
function ends({ extent, records: { sequence } }: SurveyedDamage): DrawnRun[] {
  if (extent === null) return [];
  const [from, to] = extent;
  const { first, last } = sequence;
  if (first === null || last === null) return run(from, to, 'missing');
  return [...run(from, Math.min(first - 1, to), 'missing'), ...run(Math.max(last + 1, from), to, 'missing')];
}

/** Which records stay proven, by sequence numbers (protocol V144). */
export function surveyDamage(surveyed: SurveyedDamage): DamageMap {
  const { epochs, manifest, omitted } = surveyed;
  const known = [
    ...epochs.runs.judge((epoch) => epochs.intact(epoch), epochs.log.provenTo),
    ...damaged(surveyed),
    ...gaps(surveyed),
    ...ends(surveyed),
    ...omitted.flatMap((seqNo) => run(seqNo, seqNo, 'missing')),
  ];
  return drawDamageMap(known, manifest !== null && manifest.filter.agent_id !== null);
}
