import type { RetentionRule } from '../../../contract/index.ts';
import type { RecordTexts } from './record-texts.ts';

export const DAY_MS = 86_400_000;

function matchesType(wanted: string, type: string): boolean {
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

/** Whether a rule is about a record: all that it names must fit, and one that names nothing is about every record. */
function matches({ agent_id: agentId, operation_type: type, profile }: RetentionRule, record: RecordTexts): boolean {
  const { head } = record;
  return (
    (agentId === undefined || agentId === head.agentId) &&
    (type === undefined || matchesType(type, head.operationType)) &&
    (profile === undefined || profile === record.profile)
  );
}

/** A rule with the time before which a sweep erases what it is about; null where it keeps for good. */
export interface PlannedRule {
  readonly rule: RetentionRule;
  /** Milliseconds since the Unix epoch. */
  readonly before: number | null;
}

/** The first rule in order decides. @returns its place, or -1 where none is about the record: then it is kept for good */
export function decidingRule(rules: readonly RetentionRule[], record: RecordTexts): number {
  return rules.findIndex((rule) => matches(rule, record));
}

/** What the rules come to for a sweep that begins now. Nothing younger than the floor is due, whatever the ceiling says. */
export function planRules(rules: readonly RetentionRule[], now: number): PlannedRule[] {
  return rules.map((rule) => ({ rule, before: beforeOf(rule, now) }));
}

function beforeOf({ floor_days: floor, ceiling_days: ceiling }: RetentionRule, now: number): number | null {
  return ceiling === null ? null : Math.max(0, now - Math.max(floor, ceiling) * DAY_MS);
}
