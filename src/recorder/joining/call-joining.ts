import { type Json, parseTime } from '../../protocol/light.ts';
import type { Prepared, PreparedCall, PreparedDecision } from '../content/prepared.ts';
import { CallEnds, type Kept } from './call-ends.ts';
import { type DraftMaker, touchedOf } from './draft-maker.ts';
import { isEnd, outcomeOf, phaseOf, statusOf, toldStatus } from './endings.ts';
import { findCall } from './find-call.ts';
import type { Calls } from './joined-calls.ts';
import { areComparable, keep, outputNextTo } from './kept-content.ts';
import type { CallEnd, CallRef, KeptContent, OpenCall } from './open-call.ts';
import type { JoinerOptions } from './options.ts';
import { checkOf } from './session-check.ts';
import type { Sessions } from './sessions.ts';
import { heldWith, witnessesOf } from './witnesses.ts';

/** How long the end that a further witness saw waits for the first witness to see it too, in milliseconds. */
const HOLD_MS = 10_000;
/** How long an ended call is kept for witnesses that come later, such as spans. */
const LATE_MS = 15 * 60_000;
/** After this long without an end a call is no longer waited for. */
const ABANDONED_MS = 24 * 3_600_000;
/** How far apart the clocks of a program and of the recorder may be, in milliseconds. */
const CLOCKS_MS = 5_000;

/** Joins what is seen of each call: its moments, and what several witnesses saw of them. */
export class CallJoining {
  readonly #options: JoinerOptions;
  readonly #calls: Calls;
  readonly #sessions: Sessions;
  readonly #maker: DraftMaker;
  readonly #ends: CallEnds;

  constructor(options: JoinerOptions, calls: Calls, sessions: Sessions, maker: DraftMaker) {
    this.#options = options;
    this.#calls = calls;
    this.#sessions = sessions;
    this.#maker = maker;
    this.#ends = new CallEnds(calls, maker);
  }

  take(seen: PreparedCall, now: number): void {
    const ref = this.#refOf(seen);
    const known = findCall(this.#calls, seen, ref, ({ ended }) => ended === null || now - ended.at <= LATE_MS);
    if (known === undefined) {
      if (this.#isFromBefore(seen, now)) return;
      this.#first(seen, ref, now);
      return;
    }
    // Its beginning may have been cut off before its id: what the same witness says of it later, it says by that.
    const found = known.source === seen.source ? { ...known, call_id: known.call_id ?? ref.call_id } : known;
    // What is left of an input that was cut off is no other input.
    const isCut = seen.shortened?.cut_off === true && found.input !== null;
    const input = isCut ? null : this.#kept(seen, 'input', found.action_id);
    const output = this.#kept(seen, 'output', found.action_id);
    if (found.source !== seen.source) this.#further(found, seen, { input, output }, now);
    else if (isEnd(seen.stage)) this.#end(found, seen, { input, output }, now);
    else this.#begin(found, seen, input, now);
  }

  #refOf({ source, session, sub_agent, call_id, tool, input }: PreparedCall | PreparedDecision): CallRef {
    const names = { session: session?.id ?? null, sub_agent: sub_agent?.id ?? null };
    return { source, call_id, tool, ...names, input: input?.same ?? null };
  }

  #kept(seen: PreparedCall, name: 'input' | 'output', actionId: string): KeptContent | null {
    return keep(seen[name], name, actionId, seen.redactions, this.#options.keys);
  }

  #isRecordedBefore(seen: PreparedCall): boolean {
    const { before } = this.#options;
    return before === 'all' || (before === 'changes' && this.#options.operationOf(seen).changes);
  }

  /** An event of a call that nothing was heard of. */
  #first(seen: PreparedCall, ref: CallRef, now: number): void {
    const actionId = this.#maker.actionId(seen.event_id);
    const input = this.#kept(seen, 'input', actionId);
    const call: OpenCall = {
      action_id: actionId,
      opened_at: now,
      source: seen.source,
      tool: seen.tool,
      session: ref.session,
      sub_agent: ref.sub_agent,
      call_id: ref.call_id,
      input: ref.input,
      given: input,
      input_shape: input?.shape ?? null,
      touched: seen.touched,
      cwd: seen.cwd,
      begun: 'not',
      operation_id: null,
      asked: null,
      held: [],
      late: [],
      ended: null,
    };
    if (!isEnd(seen.stage)) this.#begin(call, seen, input, now);
    else this.#end(call, seen, { input, output: this.#kept(seen, 'output', actionId) }, now);
  }

  /** The first witness says that a call begins, or that somebody is asked. */
  #begin(call: OpenCall, seen: PreparedCall, input: KeptContent | null, now: number): void {
    const { stage } = seen;
    if (stage === 'asked') {
      const asked = this.#maker.ofCall(call, seen, 'asked', now, (members) => members.content('input', input));
      this.#calls.set({ ...call, asked, operation_id: call.operation_id ?? asked });
      return;
    }
    const isAgain = call.begun === stage || call.begun === 'started';
    if (call.ended !== null && call.begun === 'not') {
      // It came after the end, and is that of no further call.
      this.#calls.set({ ...call, begun: 'proposed' });
      return;
    }
    if (call.ended !== null || isAgain) {
      this.#doubled(call, now);
      return;
    }
    if (!this.#isRecordedBefore(seen)) {
      this.#calls.set(call);
      return;
    }
    const phase = stage === 'started' ? 'started' : 'proposed';
    const operation = this.#maker.ofCall(call, seen, phase, now, (members) => {
      members.content('input', input ?? emptyInput()).set('touched', touchedOf(seen));
    });
    if (seen.tool.type === 'agent' && call.session !== null) {
      this.#sessions.callsSubAgent(call.session, now, operation);
    }
    this.#calls.set({ ...call, begun: phase, operation_id: call.operation_id ?? operation });
  }

  /** The first witness says how a call ended. */
  #end(call: OpenCall, seen: PreparedCall, kept: Kept, now: number): void {
    if (call.ended !== null) {
      if (seen.again) return;
      if (call.ended.by === call.source) this.#doubled(call, now);
      else this.#late(call, seen, kept, call.ended, now);
      return;
    }
    const told = toldStatus(seen);
    const other = told === null ? call.held.find(({ status }) => status !== null) : undefined;
    if (other?.status != null) {
      // How it ended is the word of the one who knows.
      const outcome = {
        status: other.status,
        ...(other.exit_code !== null && { exit_code: other.exit_code }),
        ...(other.error !== null && { error: other.error }),
      };
      this.#ends.record(
        call,
        { ...seen, outcome },
        kept,
        { status: other.status, phase: phaseOf(other.status, 'failed') },
        now,
      );
      return;
    }
    const phase = told === null ? 'completed' : phaseOf(told, isEnd(seen.stage) ? seen.stage : 'failed');
    this.#ends.record(call, seen, kept, { status: told, phase }, now);
  }

  /** A further witness saw something of a call. */
  #further(call: OpenCall, seen: PreparedCall, kept: Kept, now: number): void {
    if (call.ended !== null) {
      this.#late(call, seen, kept, call.ended, now);
      return;
    }
    const status = isEnd(seen.stage) ? toldStatus(seen) : null;
    const { input } = kept;
    const told =
      input !== null && areComparable(seen.source, input, call.input_shape) ? kept : { ...kept, input: null };
    this.#calls.set({ ...call, held: heldWith(call.held, seen, told, status, now) });
  }

  /** What is seen of a call whose end is recorded: counted where it says the same, and recorded separately where it does not. */
  #late(call: OpenCall, seen: PreparedCall, { input, output }: Kept, ended: CallEnd, now: number): void {
    const isInputOther =
      input !== null &&
      call.input !== null &&
      input.same !== call.input &&
      areComparable(seen.source, input, call.input_shape);
    const gave = outputNextTo(call.gave, output);
    const differs = call.differs ?? (isInputOther || gave.isOther);
    const known: OpenCall = { ...call, late: [...call.late, seen.source], ...(differs && { differs }) };
    this.#calls.set(known);
    const told = isEnd(seen.stage) ? toldStatus(seen) : null;
    const isEndOther = told !== null && told !== (ended.status ?? 'ok');
    const code = seen.outcome?.exit_code ?? null;
    // Of a call that nobody said how it ended: that it succeeded is news, and so is an exit code, also where it is 0.
    const isEndNew = ended.status === null && (told !== null || (code !== null && ended.exit_code === null));
    if (!isInputOther && !gave.isOther && !isEndOther && !isEndNew) {
      if (call.session !== null) this.#sessions.note(call.session, now, 'agreed');
      return;
    }
    if (!isEnd(seen.stage)) return;
    if (seen.source === call.source) {
      const how = code === null ? '' : ` with exit code ${code}`;
      this.#maker.note(seen, 'late_end', `The call ended as ${statusOf(seen)}${how}.`, now, { part: 'late' });
      return;
    }
    const phase = told === null ? 'completed' : phaseOf(told, seen.stage);
    if (told !== null && ended.status === null) {
      this.#calls.set({ ...known, ended: { ...ended, status: told, exit_code: code, by: seen.source } });
    }
    this.#maker.ofCall(call, seen, phase, now, (members) => {
      members
        .content('input', isInputOther ? input : null)
        .content('output', gave.output)
        .set('outcome', told && outcomeOf(seen, told));
      members.set('whole_call', true);
      witnessesOf(members, seen.source, seen.witness, []);
    });
  }

  /**
   * Whether a transcript tells of a call from before anything was heard of its session, as one does that is taken up again: those are not
   * recorded as if they happened now.
   */
  #isFromBefore({ source, session, observed_at }: PreparedCall, now: number): boolean {
    if (source !== 'transcript' || session === null) return false;
    const since = this.#sessions.since(session.id) ?? this.#sessions.since(session.parent ?? '') ?? now;
    if (parseTime(observed_at) >= Math.min(since, now) - CLOCKS_MS) return false;
    this.#sessions.note(session.id, now, 'before');
    return true;
  }

  /** What a transcript that was read to its end says about the records of its session. */
  checkOf(session: string): { readonly [member: string]: Json } {
    const calls = [...this.#calls.values()].filter((call) => call.session === session);
    return checkOf(calls, this.#sessions.get(session)?.before ?? 0);
  }

  #doubled(call: OpenCall, now: number): void {
    if (call.session !== null) this.#sessions.note(call.session, now, 'doubled');
  }

  /** The agent was told not to make a call that was recorded. */
  block(actionId: string, reason: string, now: number): void {
    this.#ends.block(actionId, reason, now);
  }

  decided(seen: PreparedDecision, now: number): void {
    const ref = this.#refOf(seen);
    const found =
      this.#calls.byId(ref) ??
      this.#calls.byInput(ref, 'unended', ({ asked }) => asked !== null) ??
      this.#calls.byInput(ref, 'unended', () => true);
    if (found === undefined) {
      this.#maker.note(seen, 'decision', `A call of ${seen.tool.name} was ${seen.decision}.`, now);
      return;
    }
    const by = { ...seen.by, ...modeOf(seen.by.kind), reported: true };
    const decision = {
      outcome: seen.decision,
      by,
      ...(found.asked === null ? {} : { of: found.asked }),
      ...(seen.reason === null ? {} : { justification: seen.reason }),
    };
    this.#maker.ofCall(found, seen, 'decided', now, (members) => members.set('decision', decision));
  }

  /** A session ends: what is open in it has no end that anybody saw, but for what further witnesses did. */
  closeSession(session: string, seen: Prepared, now: number): void {
    for (const call of [...this.#calls.unended()]) {
      if (call.session !== session) continue;
      if (!this.#ends.byOthers(call, now)) this.#ends.unfinished(call, seen, now);
    }
  }

  tick(now: number): void {
    for (const call of [...this.#calls.values()]) {
      if (call.ended !== null) {
        // Its transcript is read until a session ends: what it tells of is held against what was recorded.
        const isOver = call.session === null || this.#sessions.get(call.session) === undefined;
        if (now - call.ended.at > (isOver ? LATE_MS : ABANDONED_MS)) this.#calls.drop(call);
        continue;
      }
      const seenEnd = call.held.find(({ ended_at }) => ended_at !== null)?.ended_at ?? null;
      if (seenEnd !== null && now - seenEnd >= HOLD_MS) this.#ends.byOthers(call, now);
      else if (now - call.opened_at > ABANDONED_MS) this.#ends.unfinished(call, null, now);
    }
  }
}

/** How a decision is made by those of whom it is known. */
function modeOf(kind: PreparedDecision['by']['kind']): { readonly mode?: string } {
  if (kind === 'unknown') return {};
  return { mode: kind === 'policy' ? 'automatic' : 'interactive' };
}

function emptyInput(): KeptContent {
  return { content: { value: null }, same: '', shape: 'null', redactions: [] };
}
