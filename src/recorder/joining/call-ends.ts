import type { Prepared, PreparedCall } from '../content/prepared.ts';
import type { EndStatus, WitnessSource } from '../seen/seen.ts';
import { type DraftMaker, touchedOf } from './draft-maker.ts';
import { type EndStage, outcomeOf, phaseOf } from './endings.ts';
import type { Calls } from './joined-calls.ts';
import { outputNextTo, toldOf } from './kept-content.ts';
import type { CallEnd, KeptContent, OpenCall } from './open-call.ts';
import { witnessesOf } from './witnesses.ts';

/** What a witness says that a call was given and gave. */
export interface Kept {
  readonly input: KeptContent | null;
  readonly output: KeptContent | null;
}

const NOTHING: Kept = { input: null, output: null };
/** Where no bytes came in. */
const NO_BYTES = '';
/** The event of what the recorder itself says. */
const RECORDER = 'recorder';

/** Records how calls end: by the first witness's word, by that of others, or by nobody's. */
export class CallEnds {
  readonly #calls: Calls;
  readonly #maker: DraftMaker;

  constructor(calls: Calls, maker: DraftMaker) {
    this.#calls = calls;
    this.#maker = maker;
  }

  /** Records the end of a call that is open. */
  record(
    call: OpenCall,
    seen: PreparedCall,
    { input, output }: Kept,
    { status, phase, by = call.source }: { status: EndStatus | null; phase: EndStage; by?: WitnessSource },
    now: number,
  ): void {
    const isWhole = call.begun === 'not' && phase !== 'refused';
    const own = input ?? call.given;
    const isInputNew = call.begun === 'not' || (input !== null && input.same !== call.input);
    const isInputDisputed = call.held.some((held) => held.input !== null && held.input.same !== own?.same);
    const gave = toldOf(output);
    const others = call.held.map((held) => ({ held, ...outputNextTo(gave, held.output) }));
    const held = others.map((one) => ({ ...one.held, output: one.output }));
    const differs = call.differs ?? (isInputDisputed || others.some(({ isOther }) => isOther));
    const operation = this.#maker.ofCall(call, seen, phase, now, (members) => {
      if (isInputNew || isInputDisputed) members.content('input', own);
      // Where nobody says that it ended, the end names once more what the call is about: it is found by that.
      const isToldByOthers = seen.raw_event === RECORDER;
      if (isInputNew || isInputDisputed || isToldByOthers) members.set('touched', touchedOf(seen));
      members.content('output', output).set('outcome', status && outcomeOf(seen, status));
      if (isWhole) members.set('whole_call', true);
      witnessesOf(members, call.source, seen.witness, held);
      if (seen.duration_ms !== undefined) {
        members.set('timing', { observed_at: seen.observed_at, duration_ms: seen.duration_ms });
      }
    });
    const ended: CallEnd = { at: now, status, exit_code: seen.outcome?.exit_code ?? null, by };
    const told_by = [...call.late, ...call.held.map(({ source }) => source)];
    const told = {
      input: own?.same ?? call.input,
      input_shape: own?.shape ?? call.input_shape,
      given: null,
    };
    this.#calls.set({
      ...call,
      ...told,
      operation_id: call.operation_id ?? operation,
      held: [],
      late: told_by,
      ended,
      ...(gave !== undefined && { gave }),
      ...(differs && { differs }),
    });
  }

  /** The agent was told not to make the call. */
  block(actionId: string, reason: string, now: number): void {
    const call = this.#calls.get(actionId);
    if (call === undefined || call.ended !== null) return;
    const seen = this.#ownWord(call, 'refused', now);
    const outcome = { status: 'blocked', error: { message: reason } } as const;
    this.record(call, { ...seen, outcome }, NOTHING, { status: 'blocked', phase: 'refused' }, now);
  }

  /** What the recorder itself says of a call. */
  #ownWord(call: OpenCall, stage: EndStage, now: number, like: Prepared | null = null): PreparedCall {
    const observed_at = new Date(now).toISOString();
    return {
      kind: 'call',
      stage,
      source: call.source,
      witness: null,
      tool: call.tool,
      call_id: call.call_id,
      touched: call.touched,
      event_id: `${call.action_id}/${stage}`,
      raw_event: RECORDER,
      raw_digest: NO_BYTES,
      observed_at,
      redactions: [],
      session: like?.session ?? (call.session === null ? null : { id: call.session }),
      sub_agent: call.sub_agent === null ? null : { id: call.sub_agent },
      model: null,
      program_version: null,
      cwd: call.cwd,
      trace: null,
      extra: null,
    };
  }

  /** Closes a call whose end nobody saw. */
  unfinished(call: OpenCall, like: Prepared | null, now: number): void {
    // Nothing was recorded of its beginning: there is nothing to close.
    if (call.begun === 'not') {
      this.#calls.drop(call);
      return;
    }
    const outcome = { status: 'unknown', error: { message: 'Nobody saw how the call ended.' } } as const;
    const seen = { ...this.#ownWord(call, 'failed', now, like), outcome };
    this.record(call, seen, NOTHING, { status: 'unknown', phase: 'failed' }, now);
  }

  /** Records an end that only further witnesses saw. */
  byOthers(call: OpenCall, now: number): boolean {
    const witness = call.held.find(({ status }) => status !== null);
    if (witness?.status == null) return false;
    const stage = phaseOf(witness.status, 'failed');
    const seen = this.#ownWord(call, stage, now);
    const measured = witness.duration_ms === null ? {} : { duration_ms: witness.duration_ms };
    const exit = witness.exit_code === null ? {} : { exit_code: witness.exit_code };
    const outcome = { status: witness.status, ...exit, ...(witness.error !== null && { error: witness.error }) };
    this.record(
      call,
      { ...seen, ...measured, outcome },
      NOTHING,
      { status: witness.status, phase: stage, by: witness.source },
      now,
    );
    return true;
  }
}
