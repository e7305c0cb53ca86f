import { MAX_CLOCK_LEAD_MS } from '../../../protocol/index.ts';
import type { AgentsSeen } from './agents-seen.ts';
import { type Asked, type Call, type Decided, type Executed, stepOf } from './call.ts';
import type { Deciders } from './deciders.ts';
import type { ActionFacts } from './facts.ts';
import type { FindingLog } from './finding-log.ts';
import { type Comparison, compareContents, type KnownContent, quoted } from './known-content.ts';

export interface ApprovalsState {
  notComparable: number;
  decisions: number;
}

export const newApprovals = (): ApprovalsState => ({ notComparable: 0, decisions: 0 });

/** What was asked for, what was decided, and what was done: the three must be the same. */
export class Approvals {
  readonly #log: FindingLog;
  readonly #agents: AgentsSeen;
  readonly #allAgents: boolean;
  readonly #deciders: Deciders;
  readonly #state: ApprovalsState;

  constructor(log: FindingLog, agents: AgentsSeen, allAgents: boolean, deciders: Deciders, state: ApprovalsState) {
    this.#log = log;
    this.#state = state;
    this.#deciders = deciders;
    this.#agents = agents;
    this.#allAgents = allAgents;
  }

  asked(call: Call, { record, input, presented }: ActionFacts): void {
    const asked = { ...stepOf(record), input, presented };
    // Asked again: a decision from before was about the first question.
    if (call.asked !== null && call.executed === null) call.decided = null;
    if (call.decided !== null) this.#compareWithAsked(asked, call.decided);
    call.asked = asked;
  }

  decided(call: Call, facts: ActionFacts): void {
    const { record, action } = facts;
    if (action.decision === undefined) return;
    this.#state.decisions++;
    const { outcome, input_digest, presented_digest, by } = action.decision;
    const decided: Decided = {
      ...stepOf(record),
      permits: outcome !== 'denied' && outcome !== 'expired',
      unchanged: outcome === 'approved' || outcome === 'overridden',
      input: facts.decidedInput,
      quotedInput: input_digest === undefined ? null : quoted(input_digest),
      quotedPresented: presented_digest === undefined ? null : quoted(presented_digest),
      byPerson: by.kind === 'human',
      byAgent: by.kind === 'agent',
      reported: by.reported === true,
    };
    // Where the agent that acts signed it, that alone is said.
    const byPerson = decided.byPerson && !decided.reported && call.actor !== decided.agent_id;
    this.#deciders.decided({ ...decided, kid: record.kid, byPerson });
    if (call.asked !== null) this.#compareWithAsked(call.asked, decided);
    if (call.actor !== null) this.#checkSigner(call.actor, decided);
    if (call.executed === null) call.decided = decided;
    else if (call.decided === null) this.#decidedAfter(call, call.executed, decided);
  }

  /** Where the actor becomes known after a decision. */
  actorKnown(call: Call, actor: string): void {
    if (call.decided !== null) this.#checkSigner(actor, call.decided);
  }

  /** Something was carried out. */
  executed(call: Call, executed: Executed): void {
    call.executed = executed;
    const { decided } = call;
    if (decided === null) call.undecided = call.asked !== null;
    else if (decided.permits) this.#compareWithExecuted(call, decided, executed);
    else this.#denied(call, executed);
  }

  /** What was recorded as carried out ended as if it had been. */
  endedAsExecuted(call: Call, executed: Executed): void {
    if (call.decided?.permits === false) this.#denied(call, executed);
  }

  /**
   * No more is known of the call.
   * @param toHead whether the ledger has no record after those that were given
   */
  settle(call: Call, toHead: boolean, log = this.#log): void {
    if (!call.undecided || call.executed === null || call.asked === null) return;
    const severity = this.#allAgents && toHead ? this.#agents.absentAfter(call.asked.seq_no) : 'open';
    const message = 'A decision was asked for, none was recorded, and the action was carried out.';
    log.add('APPROVAL_MISSING', severity, call.executed, message, { other: call.asked });
  }

  #compareWithAsked(asked: Asked, decided: Decided): void {
    // What a decision says is compared; where it says nothing, the execution is held against the question.
    const compare = (one: KnownContent | null, own: KnownContent | null): Comparison | null => {
      if (own === null) return null;
      return one === null ? { same: null, pointer: null } : compareContents(one, own, true);
    };
    if (decided.issued_at + MAX_CLOCK_LEAD_MS < asked.issued_at) {
      const message = 'The decision says that it was made before it was asked for.';
      this.#log.add('DECIDED_BEFORE_ASKED', 'contradiction', decided, message, { other: asked });
    }
    const presented = compare(asked.presented, decided.quotedPresented);
    const input = decided.unchanged ? compare(asked.input, decided.input ?? decided.quotedInput) : null;
    if (presented?.same === null || input?.same === null) this.#state.notComparable++;
    const at = { other: asked };
    if (presented?.same === false) {
      const message = 'What the decision says was presented is not what was presented when it was asked for.';
      const pointer = '/decision/presented_digest';
      this.#log.add('DECIDED_ON_OTHER_THAN_ASKED', 'contradiction', decided, message, { ...at, pointer });
    }
    if (input?.same === false) {
      const message = 'The decision approves another input than the one that was asked for.';
      const pointer = input.pointer === null ? '/decision/input_digest' : `/decision/input/value${input.pointer}`;
      this.#log.add('DECIDED_ON_OTHER_THAN_ASKED', 'contradiction', decided, message, { ...at, pointer });
    }
  }

  #checkSigner(actor: string, decided: Decided): void {
    if (!decided.permits || decided.agent_id !== actor || !(decided.byPerson || decided.byAgent)) return;
    const message = decided.reported
      ? 'That a person approved is what the acting agent reports; no record of that person says so.'
      : 'The decision is signed by the agent that acts.';
    this.#log.add('SELF_APPROVED', decided.reported ? 'open' : 'contradiction', decided, message);
  }

  #decidedAfter(call: Call, executed: Executed, decided: Decided): void {
    call.decided = decided;
    call.undecided = false;
    if (!decided.permits) {
      if ([...call.views.values()].some(({ ended }) => ended?.status === 'ok' || ended?.status === 'error')) {
        this.#denied(call, executed);
      }
      return;
    }
    // When it says that it was made is whoever decided's own word, and may be written afterwards.
    const message = 'The approval entered the ledger after the action had been carried out.';
    this.#log.add('APPROVED_AFTER', 'contradiction', decided, message, { other: executed });
    this.#compareWithExecuted(call, decided, executed);
  }

  #denied(call: Call, executed: Executed): void {
    if (call.deniedReported || call.decided === null) return;
    call.deniedReported = true;
    const message = 'The action was carried out although it had been denied, or the time to decide had run out.';
    this.#log.add('EXECUTED_THOUGH_DENIED', 'contradiction', executed, message, { other: call.decided });
  }

  #compareWithExecuted(call: Call, decided: Decided, executed: Executed): void {
    const { input } = executed;
    const approved = [decided.input, decided.unchanged ? (call.asked?.input ?? null) : null, decided.quotedInput];
    const compared = approved.flatMap((one) =>
      one === null || input === null ? [] : [compareContents(one, input, true)],
    );
    const different = compared.find(({ same }) => same === false);
    if (different !== undefined) {
      const pointer = different.pointer === null ? '/input' : `/input/value${different.pointer}`;
      const message = 'The input that was carried out is not the one that was approved.';
      const held = { other: decided, pointer };
      this.#log.add('EXECUTED_OTHER_THAN_APPROVED', 'contradiction', executed, message, held);
    } else if (!compared.some(({ same }) => same === true)) this.#state.notComparable++;
  }
}
