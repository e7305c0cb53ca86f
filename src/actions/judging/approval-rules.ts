import { MAX_CLOCK_LEAD_MS, type Sha256 } from '../../protocol/index.ts';
import { type FactPhase, type InvestigationRules, isAbout } from '../index.ts';
import { type Call, newRecent, RecentMap, type RecentState } from '../profile/index.ts';
import type { ReadFacts } from './first-uses.ts';

/** The most sessions with approvals that are followed at once. */
const MAX_GRANTED = 20_000;
/** Phases in which a call is carried out. */
const EXECUTING: readonly FactPhase[] = ['started', 'completed', 'failed', 'record'];

export type ApprovalRulesState = RecentState<{ left: number }>;
export const newApprovalRules = (): ApprovalRulesState => newRecent();

/** What coherence knew of a record's call before it. */
export interface KnownCall {
  readonly executed: boolean;
  readonly permitted: boolean;
  readonly tool: string | null;
}

export function knownCall(call: Readonly<Call> | undefined): KnownCall {
  if (call === undefined) return { executed: false, permitted: false, tool: null };
  const { asked, decided, executed, tool } = call;
  // One that says it was made before the question was made for another one, as far as clocks may differ.
  const isEarlier = asked !== null && decided !== null && decided.issued_at + MAX_CLOCK_LEAD_MS < asked.issued_at;
  return { executed: executed !== null, permitted: decided?.permits === true && !isEarlier, tool };
}

/** Calls that need an approval because an organization's rules say so (docs/interface.md, Investigation). */
export class ApprovalRules {
  readonly #rules: InvestigationRules['approvals'];
  readonly #granted: RecentMap<{ left: number }>;

  constructor(rules: InvestigationRules['approvals'], hash: Sha256, state: ApprovalRulesState) {
    this.#rules = rules;
    this.#granted = new RecentMap(MAX_GRANTED, hash, state);
  }

  /** @returns whether the record carries a call out without the approval that a rule wants of it */
  isBroken({ head, facts }: ReadFacts, known: KnownCall): boolean {
    if (this.#rules.length === 0) return false;
    const { call, session, phase, outcome } = facts;
    for (const [index, { by }] of this.#rules.entries()) {
      if (by === undefined || session === null || !isAbout(by, head, facts.tool) || outcome === 'failed') continue;
      this.#of(session, index).left++;
    }
    const tool = facts.tool ?? known.tool;
    if (!EXECUTING.includes(phase) || known.executed || (phase === 'failed' && outcome !== 'failed')) return false;
    if (tool === null && phase === 'record') return false;
    const needed = this.#rules.findIndex((rule) => isAbout(rule, head, tool));
    const rule = this.#rules[needed];
    if (rule === undefined) return false;
    if (rule.by === undefined) return call === null || !known.permitted;
    if (session === null) return true;
    // One approval permits one call.
    const granted = this.#of(session, needed);
    if (granted.left === 0) return true;
    granted.left--;
    return false;
  }

  #of(session: string, rule: number): { left: number } {
    return this.#granted.at(JSON.stringify([session, rule]), () => ({ left: 0 }));
  }
}
