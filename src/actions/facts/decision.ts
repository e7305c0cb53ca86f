import type { Json } from '../../protocol/index.ts';
import { memberAt, textAt } from './tree.ts';

/** What decisions of the profile are called (docs/agent-actions.md, Approval). */
export const DECISION_NAMES: Readonly<Record<string, string>> = {
  approved: 'Approved',
  modified: 'Approved with changes',
  overridden: 'Approved against the rule',
  denied: 'Denied',
  expired: 'Not decided in time',
};

/** A decision about a call as its record says it. */
export interface SaidDecision {
  /** `approved`, `modified`, `overridden`, `denied` or `expired`; any other text is of no sound payload. */
  readonly outcome: string;
  readonly by: string | null;
  /** `human`, `policy` or `agent`. */
  readonly by_kind: string | null;
  /** How it came about: `interactive`, `delegated` or `automatic`. */
  readonly mode: string | null;
  /** Who decided is what the agent reports, and did not sign it. */
  readonly reported: boolean;
  readonly policy: string | null;
  readonly reason: string | null;
}

/** The decision in a payload's tree; null where there is none. */
export function decisionIn(tree: Json): SaidDecision | null {
  const decision = memberAt(tree, 'decision');
  const outcome = textAt(decision, 'outcome');
  if (outcome === null) return null;
  return {
    outcome,
    by: textAt(decision, 'by', 'id'),
    by_kind: textAt(decision, 'by', 'kind'),
    mode: textAt(decision, 'by', 'mode'),
    reported: memberAt(decision, 'by', 'reported') === true,
    policy: textAt(decision, 'policy', 'id'),
    reason: textAt(decision, 'justification'),
  };
}
