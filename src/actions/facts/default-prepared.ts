import { DEFAULT_RULES, NOTHING_OWN } from './default-rules.ts';
import { type PreparedRules, prepareRules } from './prepared-rules.ts';

/**
 * The rules that the product brings along, prepared: for files that are read away from any ledger, whose readers must all
 * see the same.
 */
export function defaultRules(): PreparedRules {
  const { sessions, parents, tools, inputs, outputs, people, durations, outcomes, subjects, entities, verbs } =
    DEFAULT_RULES;
  return prepareRules({
    version: 1,
    sessions,
    parents,
    tools,
    inputs,
    outputs,
    people,
    durations,
    outcomes,
    subjects,
    entities,
    verbs,
    approvals: [],
    facets: [],
    own: NOTHING_OWN,
  });
}
