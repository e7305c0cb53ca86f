import type { Outcome } from '../fields/codes.ts';
import type { FactPhase, RecordFacts, RecordOutcome } from './record-facts.ts';

/** Phases that say how a call ended. */
export const END_PHASES: ReadonlySet<FactPhase> = new Set<FactPhase>(['completed', 'failed', 'refused']);

/** Phases that are moments of a call itself, and no question or decision about it. */
const MOMENTS: ReadonlySet<FactPhase> = new Set<FactPhase>([...END_PHASES, 'proposed', 'started', 'record']);

export function isMomentOfCall(phase: FactPhase): boolean {
  return MOMENTS.has(phase);
}

/** What the records of one call say of time, by their numbers: milliseconds, NaN for none. */
interface TimesSaid {
  readonly phase: (n: number) => FactPhase;
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
    if (!isMomentOfCall(is)) continue;
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

/** The state after one more record of the call, taken in the order of seq_no. */
export function withRecord(state: CallState, { phase, outcome }: Pick<RecordFacts, 'phase' | 'outcome'>): CallState {
  switch (phase) {
    case 'proposed':
    case 'asked':
    case 'started':
      return { ...state, begun: true };
    case 'decided':
      return { ...state, begun: true, denied: outcome === 'refused' };
    case 'completed':
    case 'failed':
    case 'refused':
    case 'record':
      return { ...state, outcome };
    default:
      return state;
  }
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
