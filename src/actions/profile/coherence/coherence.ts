import { ProtocolError, type Sha256, sha256 } from '../../../protocol/index.ts';
import { checkPayload, claimsProfile, type PayloadProblem } from '../check-payload.ts';
import { AgentsSeen } from './agents-seen.ts';
import { Approvals } from './approvals.ts';
import { Calls } from './calls.ts';
import { Causes } from './causes.ts';
import { Deciders, type NamedAgent } from './deciders.ts';
import { type ActionFacts, type CoherenceRecord, factsOf } from './facts.ts';
import { FindingLog } from './finding-log.ts';
import { Contents } from './known-content.ts';
import type { CoherenceReport, CoherenceStatus } from './report.ts';
import { Resources } from './resources.ts';
import { Sessions } from './sessions.ts';

export interface CoherenceOptions {
  /** Whether the records are of all agents: else a decision may be a record that is not among them. */
  readonly allAgents: boolean;
  /** A fast SHA-256; noble's where there is none. */
  readonly sha256?: Sha256;
}

/**
 * Whether the records of the profile fit together (docs/agent-actions.md). Takes records one at a time, in the order of
 * seq_no, and needs bounded memory for any number of them. It says nothing about evidence: whether records are signed,
 * whole and in their place is the verifier's to say.
 */
export class Coherence {
  readonly #log = new FindingLog();
  readonly #agents = new AgentsSeen();
  readonly #contents: Contents;
  readonly #causes = new Causes(this.#log);
  readonly #resources: Resources;
  readonly #sessions: Sessions;
  readonly #deciders = new Deciders(this.#log);
  readonly #approvals: Approvals;
  readonly #calls: Calls;
  #last = 0;
  #records = 0;
  #withheld = 0;
  #unreadable = 0;

  constructor({ allAgents, sha256: hash = sha256 }: CoherenceOptions) {
    this.#contents = new Contents(hash);
    this.#resources = new Resources(this.#log, hash);
    this.#sessions = new Sessions(this.#log, this.#agents, hash);
    this.#approvals = new Approvals(this.#log, this.#agents, allAgents, this.#deciders);
    this.#calls = new Calls(this.#log, this.#agents, this.#approvals, this.#sessions, hash);
  }

  /** Takes the next record, of whatever profile. */
  take(record: CoherenceRecord): void {
    if (record.seq_no <= this.#last) {
      this.#unreadable++;
      return;
    }
    this.#last = record.seq_no;
    this.#agents.note(record);
    this.#causes.note(record);
    const { payload, withheld } = record;
    if (payload === null) {
      this.#withheld++;
      this.#agents.blind(record);
    } else if (claimsProfile(payload)) {
      this.#records++;
      if (withheld > 0) this.#withheld++;
      this.#takePayload(record, payload);
    }
  }

  /** What the issuer says of an agent, before or after its records. */
  nameAgent(agent: NamedAgent): void {
    this.#deciders.named(agent);
  }

  /** Takes note of something in the place of a record that could not be read. */
  takeUnreadable(): void {
    this.#unreadable++;
  }

  /**
   * What was found. To be called once, after the last record.
   * @param toHead whether the ledger has no record after the last one: else what is missing may only come later
   */
  finish(toHead: boolean): CoherenceReport {
    this.#calls.finish(toHead);
    this.#sessions.finish();
    this.#causes.finish();
    this.#deciders.finish();
    const { contradictions, open, findings, codes } = this.#log;
    const forgotten = this.#calls.forgotten + this.#sessions.forgotten + this.#resources.forgotten;
    const notChecked = {
      withheld: this.#withheld,
      not_comparable: this.#approvals.notComparable,
      forgotten: forgotten + this.#causes.forgotten + this.#deciders.forgotten,
      unreadable: this.#unreadable,
    };
    return {
      type: 'countersign.coherence.v1',
      status: this.#status(Object.values(notChecked).some((count) => count > 0)),
      counts: {
        records: this.#records,
        calls: this.#calls.count,
        decisions: this.#approvals.decisions,
        sessions: this.#sessions.count,
        contradictions,
        open,
      },
      not_checked: notChecked,
      findings,
      codes,
    };
  }

  #status(isPartial: boolean): CoherenceStatus {
    if (this.#records === 0) return 'not_applicable';
    if (this.#log.contradictions > 0) return 'incoherent';
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
