import { DEFAULT_RULES, NOTHING_OWN } from './default-rules.ts';
import { type PreparedRules, prepareRules } from './prepared-rules.ts';
import type { InvestigationRules } from './rules.ts';

/**
 * The rules that the product brings along, prepared: for files that are read away from any ledger, whose readers must all
 * see the same.
 */
export function defaultRules(): PreparedRules {
  const rules: unknown = { version: 1, ...DEFAULT_RULES, approvals: [], facets: [], own: NOTHING_OWN };
  return prepareRules(rules as InvestigationRules);
}
