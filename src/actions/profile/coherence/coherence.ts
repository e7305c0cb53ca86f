import { ProtocolError, type Sha256, sha256 } from '../../../protocol/index.ts';
import { checkPayload, claimsProfile, type PayloadProblem } from '../check-payload.ts';
import { AgentsSeen, type AgentsState, newAgents } from './agents-seen.ts';
import { Approvals, type ApprovalsState, newApprovals } from './approvals.ts';
import type { Call } from './call.ts';
import { Calls, type CallsState, newCalls } from './calls.ts';
import { Causes, type CausesState, newCauses } from './causes.ts';
import { type AgentNamed, Deciders, type DecidersState, newDeciders } from './deciders.ts';
import { type ActionFacts, type CoherenceRecord, factsOf } from './facts.ts';
import { FindingLog, type LogState, newLog } from './finding-log.ts';
import { Contents, type KeptState, newKept } from './known-content.ts';
import { type CoherenceFinding, type CoherenceReport, type CoherenceStatus, MAX_FINDINGS } from './report.ts';
import { newResources, Resources, type ResourcesState } from './resources.ts';
import { newRetries, Retries, type RetriesState } from './retries.ts';
import { newSessions, Sessions, type SessionsState } from './sessions.ts';

export interface CoherenceOptions {
  /** Whether the records are of all agents: else a decision may be a record that is not among them. */
  readonly allAgents: boolean;
  /** A fast SHA-256; noble's where there is none. */
  readonly sha256?: Sha256;
}

/** Up to where the records were given, and what the issuer says of agents. */
export interface CoherenceEnd {
  /** Whether the ledger has no record after the last one: else what is missing may only come later. */
  readonly toHead: boolean;
  /** May be asked about any agent that decided. */
  readonly named: AgentNamed;
}

/** All that is kept between one record and the next, as data: whoever stores it can continue from there. */
export interface CoherenceState {
  readonly seen: { last: number; records: number; withheld: number; unreadable: number };
  readonly log: LogState;
  readonly agents: AgentsState;
  readonly contents: KeptState;
  readonly causes: CausesState;
  readonly resources: ResourcesState;
  readonly sessions: SessionsState;
  readonly deciders: DecidersState;
  readonly approvals: ApprovalsState;
  readonly retries: RetriesState;
  readonly calls: CallsState;
}

export function newCoherence(): CoherenceState {
  return {
    seen: { last: 0, records: 0, withheld: 0, unreadable: 0 },
    log: newLog(),
    agents: newAgents(),
    contents: newKept(),
    causes: newCauses(),
    resources: newResources(),
    sessions: newSessions(),
    deciders: newDeciders(),
    approvals: newApprovals(),
    retries: newRetries(),
    calls: newCalls(),
  };
}

/**
 * Whether the records of the profile fit together (docs/agent-actions.md). Takes records one at a time, in the order of
 * seq_no, and needs bounded memory for any number of them. It says nothing about evidence: whether records are signed,
 * whole and in their place is the verifier's to say.
 */
export class Coherence {
  readonly #log: FindingLog;
  readonly #agents: AgentsSeen;
  readonly #contents: Contents;
  readonly #causes: Causes;
  readonly #resources: Resources;
  readonly #sessions: Sessions;
  readonly #deciders: Deciders;
  readonly #counted: ApprovalsState;
  readonly #calls: Calls;
  readonly #seen: CoherenceState['seen'];

  /** @param state of records that were taken before: it belongs to this from here on */
  constructor({ allAgents, sha256: hash = sha256 }: CoherenceOptions, state = newCoherence()) {
    this.#seen = state.seen;
    const log = new FindingLog(state.log);
    const agents = new AgentsSeen(state.agents);
    const deciders = new Deciders(state.deciders);
    const sessions = new Sessions(log, agents, hash, state.sessions);
    const approvals = new Approvals(log, agents, allAgents, deciders, state.approvals);
    const retries = new Retries(log, hash, state.retries);
    this.#log = log;
    this.#agents = agents;
    this.#contents = new Contents(hash, state.contents);
    this.#causes = new Causes(log, state.causes);
    this.#resources = new Resources(log, hash, state.resources);
    this.#sessions = sessions;
    this.#deciders = deciders;
    this.#counted = state.approvals;
    this.#calls = new Calls(log, { agents, approvals, sessions, retries }, hash, state.calls);
  }

  /** Takes the next record, of whatever profile. */
  take(record: CoherenceRecord): void {
    const seen = this.#seen;
    if (record.seq_no <= seen.last) {
      seen.unreadable++;
      return;
    }
    seen.last = record.seq_no;
    this.#agents.note(record);
    this.#causes.note(record);
    const { payload, withheld } = record;
    if (payload === null) {
      seen.withheld++;
      this.#agents.blind(record);
    } else if (claimsProfile(payload)) {
      seen.records++;
      if (withheld > 0) seen.withheld++;
      this.#takePayload(record, payload);
    }
  }

  /** Takes note of something in the place of a record that could not be read. */
  takeUnreadable(): void {
    this.#seen.unreadable++;
  }

  /** What was found since the last time, for whoever keeps findings: no later record takes these back. */
  drained(): readonly CoherenceFinding[] {
    return this.#log.drained();
  }

  /** What is known of a call so far; undefined where nothing is, or where it was forgotten. */
  call(actionId: string): Readonly<Call> | undefined {
    return this.#calls.find(actionId);
  }

  /** What was found and not handed over, and what stands if no record comes after. */
  report(end: CoherenceEnd): CoherenceReport {
    const { codes, findings, severities } = this.standing(end);
    const { state } = this.#log;
    const forgotten = this.#calls.forgotten + this.#sessions.forgotten + this.#resources.forgotten;
    const { records, withheld, unreadable } = this.#seen;
    const notChecked = {
      withheld,
      not_comparable: this.#counted.notComparable,
      forgotten: forgotten + this.#causes.forgotten + this.#deciders.forgotten,
      unreadable,
    };
    const contradictions = state.severities.contradiction + severities.contradiction;
    return {
      type: 'countersign.coherence.v1',
      status: this.#status(
        contradictions,
        Object.values(notChecked).some((count) => count > 0),
      ),
      counts: {
        records,
        calls: this.#calls.count,
        decisions: this.#counted.decisions,
        sessions: this.#sessions.count,
        contradictions,
        open: state.severities.open + severities.open,
        notes: state.severities.note + severities.note,
      },
      not_checked: notChecked,
      findings: [...this.#log.findings, ...findings].slice(0, MAX_FINDINGS),
      codes: added(state.codes, codes),
    };
  }

  /**
   * What stands if no record comes after; later ones may take it back. Changes nothing.
   * @param most findings that are told, where not all of them are wanted
   */
  standing(
    { toHead, named }: CoherenceEnd,
    most = MAX_FINDINGS,
  ): LogState & { readonly findings: readonly CoherenceFinding[] } {
    const log = new FindingLog(newLog(), Number.POSITIVE_INFINITY);
    this.#calls.standing(log, toHead);
    this.#sessions.standing(log);
    this.#causes.standing(log);
    this.#deciders.standing(log, named);
    return { ...log.state, findings: log.findings.toSorted(inOrder).slice(0, most) };
  }

  #status(contradictions: number, isPartial: boolean): CoherenceStatus {
    if (this.#seen.records === 0) return 'not_applicable';
    if (contradictions > 0) return 'incoherent';
    return isPartial ? 'not_checked' : 'coherent';
  }

  #takePayload(record: CoherenceRecord, payload: NonNullable<CoherenceRecord['payload']>): void {
    const complete = record.withheld === 0;
    const checked = checkPayload(payload, complete);
    if (!checked.ok) {
      this.#invalid(record, checked.problem);
      return;
    }
    let facts: ActionFacts;
    try {
      facts = factsOf(record, checked.action, this.#contents);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#invalid(record, { pointer: '', message: error.message });
      return;
    }
    this.#takeFacts(facts);
  }

  #invalid(record: CoherenceRecord, { pointer, message }: PayloadProblem): void {
    this.#agents.blind(record);
    const sentence = `The payload says that it is of the profile and is not: ${pointer || 'it'} ${message}.`;
    this.#log.add('PROFILE_INVALID', 'contradiction', record, sentence.slice(0, 400), { pointer });
  }

  #takeFacts(facts: ActionFacts): void {
    const { record, action, mismatches } = facts;
    if (action.phase === 'gap') {
      const message = 'The recorder says that records from before this one were lost or could not be made.';
      this.#log.add('RECORDER_GAP', 'open', record, message);
    }
    // A member that says what the record belongs to is withheld: it may be any record of its agent.
    const { phase, action_id, session } = action;
    const placed = phase !== undefined && action_id !== undefined && session !== undefined;
    if (action.phase === 'gap' || (record.withheld > 0 && !placed)) this.#agents.blind(record);
    for (const pointer of mismatches) {
      const message = 'The digest is not that of the value and salt next to it.';
      this.#log.add('DIGEST_MISMATCH', 'contradiction', record, message, { pointer });
    }
    this.#causes.take(facts);
    this.#sessions.take(facts);
    const ends = this.#calls.take(facts, action.session?.id ?? null);
    if (ends) this.#resources.take(facts);
  }
}

/** By the record, then by the code: in which order something came to be known does not matter, as it may be taken back. */
function inOrder({ where: a, code: one }: CoherenceFinding, { where: b, code: other }: CoherenceFinding): number {
  return a.seq_no - b.seq_no || (one < other ? -1 : one > other ? 1 : (a.other_seq_no ?? 0) - (b.other_seq_no ?? 0));
}

function added(counts: CoherenceReport['codes'], more: CoherenceReport['codes']): CoherenceReport['codes'] {
  const sum = { ...counts };
  for (const code of Object.keys(more) as (keyof typeof more)[]) sum[code] = (sum[code] ?? 0) + (more[code] ?? 0);
  return sum;
}
