import type { RetentionRule } from '../../../api/index.ts';
import { dueBefore, ruleMatches } from '../../../protocol/index.ts';
import type { RecordTexts } from './record-texts.ts';

/** A rule with the time before which a sweep erases what it is about; null where it keeps for good. */
export interface PlannedRule {
  readonly rule: RetentionRule;
  /** Milliseconds since the Unix epoch. */
  readonly before: number | null;
}

/** What rules ask of a record. */
interface RuledTexts extends Pick<RecordTexts, 'profile'> {
  readonly head: Pick<RecordTexts['head'], 'agentId' | 'operationType'>;
}

/** The first rule in order decides. @returns its place, or -1 where none is about the record: then it is kept for good */
export function decidingRule(rules: readonly RetentionRule[], record: RuledTexts): number {
  const { agentId, operationType } = record.head;
  const ruled = {
    agentId,
    operationType,
    // Read where a rule asks for it: the whole payload is parsed for it.
    get profile() {
      return record.profile;
    },
  };
  return rules.findIndex((rule) => ruleMatches(rule, ruled) === true);
}

/** What the rules come to for a sweep that begins now. */
export function planRules(rules: readonly RetentionRule[], now: number): PlannedRule[] {
  return rules.map((rule) => ({ rule, before: dueBefore(rule, now) }));
}
