import type { Sha256 } from '../../../protocol/index.ts';
import type { AgentsSeen } from './agents-seen.ts';
import type { Approvals } from './approvals.ts';
import { type Call, type Executed, newCall, stepOf, type View } from './call.ts';
import type { ActionFacts } from './facts.ts';
import type { FindingLog } from './finding-log.ts';
import { compareContents, type KnownContent } from './known-content.ts';
import { newRecent, RecentMap, type RecentState } from './recent-map.ts';
import type { Retries } from './retries.ts';
import type { Sessions } from './sessions.ts';

/** Outputs of different forms say nothing about each other: an answer of MCP is no text of a hook. */
function outputsDiffer(a: KnownContent | null, b: KnownContent | null): { readonly pointer: string | null } | null {
  if (a === null || b === null || a.form !== b.form || a.form.trim() === '') return null;
  const { same, pointer } = compareContents(a, b, false);
  return same === false ? { pointer } : null;
}

function inputsDiffer(a: KnownContent | null, b: KnownContent | null): { readonly pointer: string | null } | null {
  if (a === null || b === null) return null;
  const { same, pointer } = compareContents(a, b, false);
  return same === false ? { pointer } : null;
}

function at(member: string, pointer: string | null): string {
  return pointer === null ? member : `${member}/value${pointer}`;
}

const INPUT = 'Two witnesses of one call state different inputs.';
const OUTPUT = 'Two witnesses of one call state different outputs.';
const STATUS = 'Two witnesses of one call state different outcomes.';

/** Holds the witnesses that one record names against what the record itself says. */
function compareWithin({ record, action, input, output, witnesses }: ActionFacts, log: FindingLog): void {
  for (const [i, witness] of witnesses.entries()) {
    const own = `/witnesses/${i}`;
    const report = (message: string, pointer: string): void =>
      log.add('WITNESSES_DISAGREE', 'contradiction', record, message, { pointer });
    const inputs = inputsDiffer(input, witness.input);
    if (inputs !== null) report(INPUT, at(`${own}/input`, inputs.pointer));
    const outputs = outputsDiffer(output, witness.output);
    if (outputs !== null) report(OUTPUT, at(`${own}/output`, outputs.pointer));
    const status = action.outcome?.status ?? (action.phase === 'completed' ? 'ok' : null);
    if (status !== null && witness.status !== null && status !== witness.status) report(STATUS, `${own}/status`);
  }
}

function others(call: Call, view: View): View[] {
  return [...call.views.values()].filter((other) => other !== view);
}

/** Holds the input that a witness saw carried out against what the first other witness saw. */
function compareInputs(call: Call, view: View, log: FindingLog): void {
  const own = view.executed;
  const other = others(call, view).find(({ executed }) => executed !== null)?.executed;
  if (own === null || other == null) return;
  const inputs = inputsDiffer(other.input, own.input);
  if (inputs === null) return;
  log.add('WITNESSES_DISAGREE', 'contradiction', own, INPUT, { other, pointer: at('/input', inputs.pointer) });
}

/** Holds how a witness saw the call end against what the first other witness saw. */
function compareEnds(call: Call, view: View, log: FindingLog): void {
  const own = view.ended;
  const other = others(call, view).find(({ ended }) => ended !== null)?.ended;
  if (own === null || other == null) return;
  const report = (message: string, pointer: string): void =>
    log.add('WITNESSES_DISAGREE', 'contradiction', own, message, { other, pointer });
  // A call that was carried out without a word on its end, or whose end nobody saw, has its end from whoever knows.
  if (other.said && own.said && other.status !== own.status) report(STATUS, '/outcome/status');
  const outputs = outputsDiffer(other.output, own.output);
  if (outputs !== null) report(OUTPUT, at('/output', outputs.pointer));
}

/** The most calls that are followed at once. */
const MAX_CALLS = 20_000;
/** The most witnesses of one call that are told apart. */
const MAX_VIEWS = 8;

/** The states in which a call that was only proposed did not happen, or nobody saw whether it did. */
const NOT_CARRIED_OUT = ['unknown', 'cancelled', 'denied', 'blocked'];

export interface CallsState {
  readonly calls: RecentState<Call>;
  dropped: number;
}

export const newCalls = (): CallsState => ({ calls: newRecent(), dropped: 0 });

interface CallsMeans {
  readonly agents: AgentsSeen;
  readonly approvals: Approvals;
  readonly sessions: Sessions;
  readonly retries: Retries;
}

/** Joins the records of each call by their action_id. */
export class Calls {
  readonly #log: FindingLog;
  readonly #agents: AgentsSeen;
  readonly #approvals: Approvals;
  readonly #sessions: Sessions;
  readonly #retries: Retries;
  readonly #calls: RecentMap<Call>;
  readonly #state: CallsState;

  constructor(log: FindingLog, { agents, approvals, sessions, retries }: CallsMeans, hash: Sha256, state: CallsState) {
    this.#log = log;
    this.#agents = agents;
    this.#approvals = approvals;
    this.#sessions = sessions;
    this.#retries = retries;
    this.#state = state;
    this.#calls = new RecentMap(MAX_CALLS, hash, state.calls, (call) => this.#drop(call));
  }

  get count(): number {
    return this.#calls.size;
  }

  get forgotten(): number {
    return this.#state.dropped + this.#calls.returned;
  }

  /** What is known of a call, without using it; undefined where nothing is, or where it was forgotten. */
  find(actionId: string): Readonly<Call> | undefined {
    return this.#calls.find(actionId);
  }

  /** @returns whether the record is the first that tells how its call ended */
  take(facts: ActionFacts, session: string | null): boolean {
    const { record, action } = facts;
    const { phase, action_id } = action;
    if (action_id === undefined || phase === undefined) return false;
    const known = this.#calls.returned;
    const call = this.#calls.at(action_id, newCall);
    // What came before under this action_id is forgotten: nothing can be said of what comes after.
    const forgotten = this.#calls.returned > known;
    if (phase === 'decided') {
      this.#approvals.decided(call, facts);
      return false;
    }
    const acts = ['proposed', 'asked', 'started', 'completed', 'failed', 'refused'].includes(phase);
    if (!acts) return false;
    call.tool ??= action.tool?.name ?? null;
    call.session ??= session;
    if (call.actor === null) {
      call.actor = record.agent_id;
      this.#approvals.actorKnown(call, record.agent_id);
      if (!forgotten) this.#retries.begun(call, record);
    }
    if (phase === 'asked') {
      this.#approvals.asked(call, facts);
      return false;
    }
    const view = this.#viewOf(call, facts);
    if (view === null) return false;
    view.session ??= session;
    compareWithin(facts, this.#log);
    if (phase === 'proposed' || phase === 'started') {
      this.#open(call, view, facts, phase);
      return false;
    }
    const first = [...call.views.values()].every(({ ended }) => ended === null);
    this.#end(call, view, facts, forgotten);
    if (first) this.#retries.ended(call, record, view.ended?.status ?? null);
    return first;
  }

  /** What a later record may take back. */
  standing(log: FindingLog, toHead: boolean): void {
    for (const call of this.#calls.values()) {
      this.#approvals.settle(call, toHead, log);
      for (const view of call.views.values()) this.#unended(view, log);
    }
  }

  #viewOf(call: Call, { record, witnesses }: ActionFacts): View | null {
    const key = `${record.agent_id} ${witnesses[0]?.source ?? ''}`;
    const known = call.views.get(key);
    if (known !== undefined) return known;
    if (call.views.size >= MAX_VIEWS) {
      this.#state.dropped++;
      return null;
    }
    const empty = { session: null, proposed: null, started: null, executed: null, ended: null };
    const view: View = { agentId: record.agent_id, ...empty };
    call.views.set(key, view);
    return view;
  }

  #open(call: Call, view: View, { record, input }: ActionFacts, phase: 'proposed' | 'started'): void {
    const opened: Executed = { ...stepOf(record), input };
    const before = phase === 'started' ? view.started : view.proposed;
    if (before !== null) {
      const message = `The call was recorded as ${phase} before, under the same action_id.`;
      this.#log.add('STARTED_TWICE', 'contradiction', opened, message, { other: before });
      return;
    }
    if (phase === 'proposed') {
      view.proposed = opened;
      return;
    }
    this.#changed(call, view.proposed, opened, 'open');
    view.started = opened;
    this.#execute(call, view, opened);
  }

  #end(call: Call, view: View, { record, action, input, output }: ActionFacts, forgotten: boolean): void {
    const step: Executed = { ...stepOf(record), input };
    const { phase } = action;
    const status = action.outcome?.status ?? (phase === 'completed' ? 'ok' : phase === 'failed' ? 'unknown' : 'denied');
    if (view.ended !== null) {
      const message = 'The call was recorded as ended before, under the same action_id.';
      this.#log.add('ENDED_TWICE', 'contradiction', step, message, { other: view.ended });
      return;
    }
    const opened = view.started ?? view.proposed;
    if (opened === null && phase !== 'refused' && action.whole_call !== true && !forgotten) {
      const severity = this.#agents.absentBefore(record.agent_id);
      const message =
        severity === 'open'
          ? 'The end of a call whose start is not here: it may lie before these records, or not be shown.'
          : 'The end of a call that was never recorded as started.';
      this.#log.add('ENDED_NEVER_STARTED', severity, step, message);
    }
    this.#changed(call, opened, step, view.started === null ? 'open' : 'contradiction');
    const said = action.outcome !== undefined && status !== 'unknown';
    view.ended = { ...stepOf(record), status, said, output };
    const carriedOut = view.started !== null || !NOT_CARRIED_OUT.includes(status);
    if (view.started === null && carriedOut) {
      this.#execute(call, view, { ...step, input: input ?? view.proposed?.input ?? null });
    }
    if (status === 'ok' || status === 'error') this.#approvals.endedAsExecuted(call, step);
    compareEnds(call, view, this.#log);
  }

  #execute(call: Call, view: View, executed: Executed): void {
    view.executed = executed;
    if (call.executed === null) this.#approvals.executed(call, executed);
    compareInputs(call, view, this.#log);
  }

  /** Whether one witness states another input later than it did first, and nobody decided so. */
  #changed(call: Call, first: Executed | null, later: Executed, severity: 'contradiction' | 'open'): void {
    if (first === null || first.input === null || later.input === null) return;
    if (severity === 'open' && call.decided !== null && !call.decided.unchanged) return;
    const { same, pointer } = compareContents(first.input, later.input, true);
    if (same !== false) return;
    const message = 'The input is not the one that was recorded before for the same call.';
    const held = { other: first, pointer: pointer === null ? '/input' : `/input/value${pointer}` };
    this.#log.add('INPUT_CHANGED', severity, later, message, held);
  }

  #drop(call: Call): void {
    // After this many other calls, no decision is to be expected.
    this.#approvals.settle(call, true);
    const isOpen = [...call.views.values()].some(({ ended }) => ended === null);
    if (isOpen || (call.asked !== null && call.decided === null)) this.#state.dropped++;
  }

  #unended(view: View, log: FindingLog): void {
    const opened = view.started ?? view.proposed;
    if (opened === null || view.ended !== null) return;
    const closed = view.session === null ? null : this.#sessions.endOf(view.agentId, view.session);
    const isOver = closed !== null && closed.seq_no > opened.seq_no;
    const hidden = this.#agents.isBlindAfter(view.agentId, opened.seq_no);
    const message = isOver
      ? 'The session was recorded as ended, and how this call ended was not.'
      : 'How this call ended is not among the records: its end may come later.';
    const other = closed === null ? {} : { other: closed };
    log.add('STARTED_NEVER_ENDED', isOver && !hidden ? 'contradiction' : 'open', opened, message, other);
  }
}
