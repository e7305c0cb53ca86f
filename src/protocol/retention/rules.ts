import { isInRuns, type NumberRun } from '../number-runs.ts';
import { parseTime } from '../time.ts';

/** Milliseconds of a day of a rule. */
export const DAY_MS = 86_400_000;

/** A rule of retention (docs/retention.md, protocol R75). The first of a list that matches a record decides. */
export interface RetentionRule {
  readonly name: string;
  readonly agent_id?: string | undefined;
  /** A type, or a prefix followed by `.*`. */
  readonly operation_type?: string | undefined;
  readonly profile?: string | undefined;
  readonly floor_days: number;
  /** Null keeps for good. */
  readonly ceiling_days: number | null;
}

/** What of a record decides which rule is about it. */
export interface RuledRecord {
  readonly agentId: string;
  readonly operationType: string;
  /** The profile that the payload names, null where it names none, undefined where the payload is not there to say. */
  readonly profile: string | null | undefined;
}

function matchesType(wanted: string, type: string): boolean {
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

/**
 * Whether a rule is about a record: all that it names must fit, and one that names nothing is about every record.
 * @returns null where only the profile is left to decide, and is not known
 */
export function ruleMatches(rule: RetentionRule, record: RuledRecord): boolean | null {
  if (rule.agent_id !== undefined && rule.agent_id !== record.agentId) return false;
  if (rule.operation_type !== undefined && !matchesType(rule.operation_type, record.operationType)) return false;
  if (rule.profile === undefined) return true;
  const { profile } = record;
  return profile === undefined ? null : profile === rule.profile;
}

/**
 * The time before which a sweep erases what a rule is about; null where it keeps for good. Nothing younger than the floor is due,
 * whatever the ceiling says.
 * @param begunAt when the sweep began, in milliseconds since the Unix epoch, as is what is returned
 */
export function dueBefore({ floor_days: floor, ceiling_days: ceiling }: RetentionRule, begunAt: number): number | null {
  return ceiling === null ? null : Math.max(0, begunAt - Math.max(floor, ceiling) * DAY_MS);
}

/** Records by their place: all of an agent, a range of numbers or times of receipt, or some numbers. What is left out extends without end. */
export interface PlaceSelection {
  readonly agent_id?: string | undefined;
  readonly from_seq_no?: number | undefined;
  readonly to_seq_no?: number | undefined;
  /** RFC 3339, inclusive. */
  readonly from_time?: string | undefined;
  /** RFC 3339, exclusive. */
  readonly to_time?: string | undefined;
  /** In ascending order, without a number in common. */
  readonly runs?: readonly NumberRun[] | undefined;
}

export interface PlacedRecord {
  readonly agentId: string;
  readonly seqNo: number;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
}

/** When a record of a clock's stretch may have been received (timesOfStretch); null for any other. */
type TimesOf = (seqNo: number) => { readonly from: number; readonly to: number } | null;

/** What a hold on an agent, a range or records covers (protocol R76). Where a clock was wrong, it covers what may have been received in its times. */
export function coversPlace(selection: PlaceSelection): (record: PlacedRecord, timesOf: TimesOf) => boolean {
  const { agent_id: agentId, from_seq_no: from = 1, to_seq_no: to = Number.POSITIVE_INFINITY, runs } = selection;
  const since = selection.from_time === undefined ? Number.NEGATIVE_INFINITY : parseTime(selection.from_time);
  const until = selection.to_time === undefined ? Number.POSITIVE_INFINITY : parseTime(selection.to_time);
  const fits = (first: number, last: number): boolean => last >= since && first < until;
  return ({ agentId: of, seqNo, receivedAt }, timesOf) => {
    if ((agentId !== undefined && of !== agentId) || seqNo < from || seqNo > to) return false;
    if (runs !== undefined && !isInRuns(runs, seqNo)) return false;
    if (fits(receivedAt, receivedAt)) return true;
    const times = timesOf(seqNo);
    return times !== null && fits(times.from, times.to);
  };
}
