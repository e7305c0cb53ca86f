import type { Outcome } from '../fields/codes.ts';
import type { FactPhase, RecordFacts, RecordHead, RecordOutcome } from './record-facts.ts';

/**
 * What the records of one call have in common; null of what is of none. An action_id of the profile is never used twice; the ids of
 * frameworks are, so that of a payload of no profile one is of an agent and a session, or of a subject where no session is named, and
 * even there `afterIdOf` tells where another call begins.
 */
export function joinOf(
  { agent_id, subject }: Pick<RecordHead, 'agent_id' | 'subject'>,
  { phase, call, session }: Pick<RecordFacts, 'phase' | 'call' | 'session'>,
): string | null {
  if (call === null || phase !== 'record') return call;
  return JSON.stringify([agent_id, ...(session === null ? ['subject', subject] : ['session', session]), call]);
}

/** What the newest call under an id of no profile has so far: a record that began it, one that ended it, or one that told all of it. */
export type IdState = 'unused' | 'begun' | 'ended' | 'whole';

/**
 * The state after one more record under the id, taken in the order of seq_no. Frameworks use their ids again, some in every turn: once a
 * call has ended, a record that names a tool and no outcome begins another, and so does one with both after one with both.
 * @param names whether the record names a tool, and whether it tells an outcome
 * @returns the same, and whether the record opens another call than the one before
 */
export function afterIdOf(
  state: IdState,
  { tool, outcome }: { readonly tool: boolean; readonly outcome: boolean },
): { readonly state: IdState; readonly opens: boolean } {
  const isOver = state === 'ended' || state === 'whole';
  if (!tool) return { state: outcome ? 'ended' : state === 'unused' ? 'begun' : state, opens: false };
  if (!outcome) return { state: 'begun', opens: isOver };
  return state === 'whole' || state === 'unused' ? { state: 'whole', opens: isOver } : { state: 'ended', opens: false };
}

/** Phases that say how a call ended. */
export const END_PHASES: ReadonlySet<FactPhase> = new Set<FactPhase>(['completed', 'failed', 'refused']);

/** Phases that are moments of a call itself, and no question or decision about it. */
const MOMENTS: ReadonlySet<FactPhase> = new Set<FactPhase>([...END_PHASES, 'proposed', 'started', 'record']);

export function isMomentOfCall(phase: FactPhase): boolean {
  return MOMENTS.has(phase);
}

/** Whether the first agent with a record of a phase is the one that acts in the call. */
export function actsWith(phase: FactPhase): boolean {
  return phase === 'asked' || isMomentOfCall(phase);
}

/** Phases of records that may leave out what another record of their call names. */
export const LEAVING_OUT: ReadonlySet<FactPhase> = new Set<FactPhase>([...END_PHASES, 'record']);

/** What the records of one call say of time, by their numbers: milliseconds, NaN for none. */
interface TimesSaid {
  /** Null for a record of another agent than the one that acts. */
  readonly phase: (n: number) => FactPhase | null;
  readonly issued: (n: number) => number;
  readonly duration: (n: number) => number;
}

/** When a call began and ended. */
export interface CallTimes {
  /** The record with which it begins: that it started, else that it was proposed; of a call with neither its first moment, else its first record. */
  readonly began: number;
  /** The record of its end, where another one has its beginning. */
  readonly ended: number | null;
  /**
   * How long it took, in milliseconds: what its newest moment that tells a duration says, else from its beginning to its end. Null where no
   * record tells, also where by the clocks the end comes before the beginning.
   */
  readonly took: number | null;
}

/** @param ns the records of a call, in the order of seq_no */
export function timesOfCall(ns: ArrayLike<number>, { phase, issued, duration }: TimesSaid): CallTimes {
  let [started, proposed, moment, end, said] = [-1, -1, -1, -1, Number.NaN];
  for (let at = 0; at < ns.length; at++) {
    const n = ns[at] ?? 0;
    const is = phase(n);
    if (is === null || !isMomentOfCall(is)) continue;
    if (moment < 0) moment = n;
    if (is === 'started' && started < 0) started = n;
    if (is === 'proposed' && proposed < 0) proposed = n;
    if (END_PHASES.has(is)) end = n;
    const own = duration(n);
    if (!Number.isNaN(own)) said = own;
  }
  const begun = started >= 0 ? started : proposed;
  const ended = begun >= 0 && end >= 0 ? end : null;
  const between = ended === null ? Number.NaN : issued(ended) - issued(begun);
  const took = Number.isNaN(said) ? (between >= 0 ? between : null) : said;
  return { began: begun >= 0 ? begun : moment >= 0 ? moment : (ns[0] ?? 0), ended, took };
}

/** What the records of one call have said so far. */
export interface CallState {
  /** Whether it was seen to begin, or somebody asked or decided about it. */
  readonly begun: boolean;
  /** Whether a decision against it was the newest one. */
  readonly denied: boolean;
  /** As its newest end says. */
  readonly outcome: RecordOutcome | null;
}

export const NEW_CALL: CallState = { begun: false, denied: false, outcome: null };

/**
 * The state after one more record of the call, taken in the order of seq_no.
 * @param isActing whether the record is of the agent that acts. Any agent can write a record with the action_id of another one's call:
 *   of all others a decision alone counts
 */
export function withRecord(
  state: CallState,
  { phase, outcome }: Pick<RecordFacts, 'phase' | 'outcome'>,
  isActing: boolean,
): CallState {
  if (phase === 'decided') return { ...state, begun: true, denied: outcome === 'refused' };
  if (!isActing || !actsWith(phase)) return state;
  // Of a call in payloads of no profile one record has the question, and another one the answer.
  if (phase === 'record') return { ...state, outcome: outcome ?? state.outcome };
  return END_PHASES.has(phase) ? { ...state, outcome } : { ...state, begun: true };
}

/**
 * What came of a call: its end, else whether it was denied, else that it has none. Where nobody saw how a denied call ended, it was
 * refused. Null for records that are no call.
 */
export function outcomeOfCall({ begun, denied, outcome }: CallState): Outcome | null {
  if (outcome !== null && !(denied && outcome === 'unknown')) return outcome;
  if (denied) return 'refused';
  return begun ? 'unfinished' : null;
}
