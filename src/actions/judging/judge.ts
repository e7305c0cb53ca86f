import { MAX_CLOCK_LEAD_MS, type Sha256, sha256 } from '../../protocol/index.ts';
import {
  type FactPhase,
  type InvestigationRules,
  isAbout,
  joinOf,
  type Mark,
  type PreparedRules,
  type RecordOutcome,
} from '../index.ts';
import {
  type Call,
  Coherence,
  type CoherenceEnd,
  type CoherenceFinding,
  type CoherenceOptions,
  type CoherenceRecord,
  type CoherenceReport,
  type CoherenceSeverity,
  type CoherenceState,
  claimsProfile,
  FindingLog,
  newCoherence,
  newRecent,
  newRetries,
  RecentMap,
  type RecentState,
  Retries,
  type RetriesState,
} from '../profile/index.ts';
import { FirstUses, type FirstUsesState, newFirstUses, type ReadFacts } from './first-uses.ts';

/** The most sessions, and the most calls, that are followed at once. */
const MAX_FOLLOWED = 20_000;

interface Followed {
  ledger: string;
}

/** Which ledger of an archive had the last record of a session, and of a call. */
interface AcrossLedgersState {
  readonly sessions: RecentState<Followed>;
  readonly calls: RecentState<Followed>;
}

const newAcrossLedgers = (): AcrossLedgersState => ({ sessions: newRecent(), calls: newRecent() });

/** What several ledgers have of one session or one call: each signed what it has, and none knows of the other. */
class AcrossLedgers {
  readonly #sessions: RecentMap<Followed>;
  readonly #calls: RecentMap<Followed>;

  constructor(hash: Sha256, state: AcrossLedgersState) {
    this.#sessions = new RecentMap(MAX_FOLLOWED, hash, state.sessions);
    this.#calls = new RecentMap(MAX_FOLLOWED, hash, state.calls);
  }

  take({ head, facts, ledger }: ReadFacts & { readonly ledger: string | null }): Mark[] {
    if (ledger === null) return [];
    const isOther = (followed: RecentMap<Followed>, key: string | null): boolean => {
      if (key === null) return false;
      const last = followed.at(key, () => ({ ledger }));
      const differs = last.ledger !== ledger;
      last.ledger = ledger;
      return differs;
    };
    const marks: Mark[] = [];
    if (isOther(this.#sessions, facts.session)) marks.push('SESSION_ON_OTHER_LEDGER');
    if (isOther(this.#calls, joinOf(head, facts))) marks.push('CALL_ON_OTHER_LEDGER');
    return marks;
  }
}

/** The most sessions with approvals that are followed at once. */
const MAX_GRANTED = 20_000;
/** Phases in which a call is carried out. */
const EXECUTING: readonly FactPhase[] = ['started', 'completed', 'failed', 'record'];

type ApprovalRulesState = RecentState<{ left: number }>;
const newApprovalRules = (): ApprovalRulesState => newRecent();

/** What coherence knew of a record's call before it. */
interface KnownCall {
  readonly executed: boolean;
  readonly permitted: boolean;
  readonly tool: string | null;
}

function knownCall(call: Readonly<Call> | undefined): KnownCall {
  if (call === undefined) return { executed: false, permitted: false, tool: null };
  const { asked, decided, executed, tool } = call;
  // One that says it was made before the question was made for another one, as far as clocks may differ.
  const isEarlier = asked !== null && decided !== null && decided.issued_at + MAX_CLOCK_LEAD_MS < asked.issued_at;
  return { executed: executed !== null, permitted: decided?.permits === true && !isEarlier, tool };
}

/** Calls that need an approval because an organization's rules say so (docs/interface.md, Investigation). */
class ApprovalRules {
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

/** A record with what was read out of it. */
export interface JudgedRecord extends ReadFacts {
  readonly record: CoherenceRecord;
  /** Which of the ledgers of an archive has it; null outside of one. */
  readonly ledger: string | null;
}

/** What was found about a record. */
export interface JudgedFinding {
  readonly code: Mark;
  /** Null for what is no finding of coherence, and in no report of it. */
  readonly severity: CoherenceSeverity | null;
  readonly where: CoherenceFinding['where'];
  /** Null for what explain-marks.ts makes a sentence of. */
  readonly message: string | null;
  readonly figures: readonly number[];
}

/** All that is kept between one record and the next, as data. */
export interface JudgeState {
  readonly coherence: CoherenceState;
  readonly firstUses: FirstUsesState;
  /** Of payloads that are not of the profile. */
  readonly retries: RetriesState;
  readonly approvals: ApprovalRulesState;
  readonly across: AcrossLedgersState;
}

export function newJudgeState(): JudgeState {
  return {
    coherence: newCoherence(),
    firstUses: newFirstUses(),
    retries: newRetries(),
    approvals: newApprovalRules(),
    across: newAcrossLedgers(),
  };
}

interface JudgeOptions extends CoherenceOptions {
  readonly rules: PreparedRules;
}

/** How a call in one record ended, in the words of the profile. */
const STATUS: Readonly<Record<RecordOutcome, string>> = {
  ok: 'ok',
  failed: 'error',
  refused: 'denied',
  unknown: 'unknown',
};

/**
 * What is unusual about records: what coherence finds where those of the payload profile are held against each other, first uses and rates
 * of agents, and what payloads of other kinds say by an organization's rules. The same for a ledger as it grows, and for a case.
 * Takes records one at a time in the order of seq_no; the same records give the same findings. Memory is bounded.
 */
export class Judge {
  readonly #coherence: Coherence;
  readonly #firstUses: FirstUses;
  readonly #approvals: ApprovalRules;
  readonly #across: AcrossLedgers;
  readonly #plain = new FindingLog();
  readonly #retries: Retries;

  /** @param state of records that were taken before: it belongs to this from here on */
  constructor({ rules, ...options }: JudgeOptions, state = newJudgeState()) {
    const { sha256: hash = sha256 } = options;
    this.#coherence = new Coherence(options, state.coherence);
    this.#firstUses = new FirstUses(hash, state.firstUses);
    this.#retries = new Retries(this.#plain, hash, state.retries);
    this.#approvals = new ApprovalRules(rules.rules.approvals, hash, state.approvals);
    this.#across = new AcrossLedgers(hash, state.across);
  }

  /** @returns what was found: no later record takes it back */
  take(judged: JudgedRecord): readonly JudgedFinding[] {
    const { record, facts, head } = judged;
    const { seq_no, operation_id } = record;
    const isPlain = record.payload !== null && !claimsProfile(record.payload);
    const known = knownCall(facts.call === null || isPlain ? undefined : this.#coherence.call(facts.call));
    this.#coherence.take(record);
    const { begins, found } = this.#firstUses.take(judged);
    const call = isPlain && !begins ? { ...known, executed: true } : known;
    if (isPlain) {
      const tried = { actor: head.agent_id, session: facts.session, tool: facts.tool };
      if (begins) this.#retries.begun(tried, record);
      this.#retries.ended(tried, record, facts.outcome === null ? null : STATUS[facts.outcome]);
    }
    const where = { seq_no, operation_id };
    const isBroken = this.#approvals.isBroken(judged, call);
    return [
      ...this.#coherence.drained().map(ofCoherence),
      ...this.#plain.drained().map((finding) => ({ ...ofCoherence(finding), severity: null })),
      ...(isBroken ? [{ code: 'APPROVAL_RULE_BROKEN' as const, figures: [] }] : []).map(besides(where)),
      ...found.map(besides(where)),
      ...this.#across.take(judged).map((code) => besides(where)({ code, figures: [] })),
    ];
  }

  /** What stands if no record comes after: later ones may take it back. Changes nothing. */
  standing(end: CoherenceEnd): readonly JudgedFinding[] {
    return this.#coherence.standing(end, Number.POSITIVE_INFINITY).findings.map(ofCoherence);
  }

  /** The report of coherence, without the findings that were handed over. */
  report(end: CoherenceEnd): CoherenceReport {
    return this.#coherence.report(end);
  }
}

function ofCoherence({ code, severity, where, message }: CoherenceFinding): JudgedFinding {
  return { code, severity, where, message, figures: [] };
}

function besides(where: CoherenceFinding['where']) {
  return ({ code, figures }: Pick<JudgedFinding, 'code' | 'figures'>): JudgedFinding => ({
    code,
    severity: null,
    where,
    message: null,
    figures,
  });
}
