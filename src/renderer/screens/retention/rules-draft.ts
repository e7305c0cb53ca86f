import { LIMITS, type RetentionRule, retentionRulesBody } from '../../../api/index.ts';
import type { RuleRow } from './rule-table.tsx';
import { RULES_DRAFT } from './texts.ts';

/** A new rule, as its fields begin. */
export const NEW_RULE: RuleRow = {
  name: '',
  agent: '',
  type: '',
  profile: '',
  floor: String(LIMITS.retention.defaultFloorDays),
  ceiling: '',
};

/** Rules as the fields of a table. */
export function rowsOf(rules: readonly RetentionRule[]): RuleRow[] {
  return rules.map(({ name, agent_id = '', operation_type = '', profile = '', floor_days, ceiling_days }) => ({
    name,
    agent: agent_id,
    type: operation_type,
    profile,
    floor: String(floor_days),
    ceiling: ceiling_days === null ? '' : String(ceiling_days),
  }));
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  name: RULES_DRAFT.name,
  agent_id: RULES_DRAFT.agent,
  operation_type: RULES_DRAFT.operationType,
  profile: RULES_DRAFT.payloadProfile,
  floor_days: RULES_DRAFT.keepAtLeast,
  ceiling_days: RULES_DRAFT.eraseAfter,
};

function daysOf(text: string): number | string {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : text;
}

/** Rules out of the fields of a table, or what is wrong with the first invalid one. */
export function rulesOfRows(
  rows: readonly RuleRow[],
): { readonly rules: readonly RetentionRule[] } | { readonly problem: string } {
  const given = rows.map(({ name = '', agent = '', type = '', profile = '', floor = '', ceiling = '' }) => ({
    name: name.trim(),
    ...(agent.trim() === '' ? {} : { agent_id: agent.trim() }),
    ...(type.trim() === '' ? {} : { operation_type: type.trim() }),
    ...(profile.trim() === '' ? {} : { profile: profile.trim() }),
    floor_days: daysOf(floor),
    ceiling_days: ceiling.trim() === '' ? null : daysOf(ceiling),
  }));
  const parsed = retentionRulesBody.safeParse({ rules: given });
  if (parsed.success) return { rules: parsed.data.rules };
  const [issue] = parsed.error.issues;
  const [, at, field] = issue?.path ?? [];
  const isDays = field === 'floor_days' || field === 'ceiling_days';
  const isNumber = isDays && typeof at === 'number' && typeof given[at]?.[field] === 'number';
  const message = isDays && !isNumber ? RULES_DRAFT.wholeDays : (issue?.message ?? RULES_DRAFT.invalid);
  const words = message.replace('floor_days', RULES_DRAFT.keepAtLeastQuoted);
  return {
    problem:
      typeof at === 'number'
        ? RULES_DRAFT.ruleProblem(at + 1, FIELD_NAMES[String(field)] ?? RULES_DRAFT.whole, words)
        : RULES_DRAFT.rulesProblem(words),
  };
}
