import {
  actsWith,
  type CallState,
  FACT_PHASES,
  type FactPhase,
  NEW_CALL,
  OUTCOMES,
  type Outcome,
  outcomeOfCall,
  type RecordOutcome,
  withRecord,
} from '../../../actions/index.ts';
import type { Ids } from './columns.ts';
import { keptOfView } from './kept-of-view.ts';
import type { LoadedColumns } from './loaded-columns.ts';
import type { TermNames } from './term-names.ts';

/** What came of calls, over all of their records. */
export interface Calls {
  /** What came of a call, by its number in the column `call`. */
  readonly outcomeOf: (call: number) => Outcome | null;
  /** Of calls that are unfinished, the newest record. */
  readonly unfinished: ReadonlySet<number>;
  /** What each record says of an outcome itself; null where it says nothing. */
  readonly ownOutcome: (n: number) => RecordOutcome | null;
  /** The same of all records: for each the number of its outcome, and for each number which that is. */
  readonly ownOutcomes: { readonly ids: Ids; readonly names: readonly (RecordOutcome | null)[] };
  readonly phase: (n: number) => FactPhase;
  /** The same; null for a record of a call that is of another agent than the one that acts. */
  readonly actingPhase: (n: number) => FactPhase | null;
}

/** Which of a closed list the numbers of a column stand for; -1 for none of it. */
function placesIn(list: readonly string[], digests: Float64Array, names: TermNames): Int8Array {
  const known = new Map(list.map((name, place) => [names.digest(name), place]));
  return Int8Array.from(digests, (digest) => known.get(digest) ?? -1);
}

/** Of an unknown phase, and of records that say nothing of an outcome. */
const [NO_PROFILE, NO_OUTCOME] = [FACT_PHASES.indexOf('record'), OUTCOMES.length];
const ACTING = Uint8Array.from(FACT_PHASES, (phase) => Number(actsWith(phase)));
/** More than the states that a call can be in: begun or not, denied or not, and what its newest end says. */
const MAX_STATES = 4 * (OUTCOMES.length + 1);

/** States of calls, each once, and which follows from which. This is asked for each record there is before a first answer. */
class States {
  readonly states: CallState[] = [NEW_CALL];
  /** One more than the number of the next state; 0 where it was not asked for yet. */
  readonly #next = new Uint8Array(MAX_STATES * FACT_PHASES.length * (OUTCOMES.length + 1) * 2);

  after(state: number, phase: number, outcome: number, isActing: boolean): number {
    const key = ((state * FACT_PHASES.length + phase) * (OUTCOMES.length + 1) + outcome) * 2 + Number(isActing);
    const known = this.#next[key] as number;
    if (known !== 0) return known - 1;
    const facts = { phase: FACT_PHASES[phase] ?? 'record', outcome: recordOutcome(outcome) };
    const made = withRecord(this.states[state] ?? NEW_CALL, facts, isActing);
    const found = this.states.findIndex(
      ({ begun, denied, outcome: end }) => begun === made.begun && denied === made.denied && end === made.outcome,
    );
    const next = found >= 0 ? found : this.states.push(made) - 1;
    this.#next[key] = next + 1;
    return next;
  }
}

/** No single record says `unfinished`. */
function recordOutcome(place: number): RecordOutcome | null {
  return (OUTCOMES[place] as RecordOutcome | undefined) ?? null;
}

/** Goes through all records in the order of their numbers. */
function readCalls(columns: LoadedColumns, names: TermNames): Calls {
  const calls = columns.category('call').ids;
  const phases = columns.category('phase');
  const outcomes = columns.category('outcome');
  const agents = columns.category('agent').ids;
  const phaseOf = placesIn(FACT_PHASES, phases.digests, names).map((place) => (place < 0 ? NO_PROFILE : place));
  const endOf = placesIn(OUTCOMES, outcomes.digests, names).map((place) => (place < 0 ? NO_OUTCOME : place));
  const phase = (n: number): FactPhase => FACT_PHASES[phaseOf[phases.ids[n] ?? 0] ?? NO_PROFILE] ?? 'record';
  const outcomeNames = Array.from(endOf, recordOutcome);
  const ownOutcome = (n: number): RecordOutcome | null => outcomeNames[outcomes.ids[n] ?? 0] ?? null;
  const states = new States();
  const values = columns.category('call').digests.length;
  const stateOf = new Uint8Array(values);
  const newest = new Uint32Array(values);
  const actors = new Int32Array(values);
  const decided = FACT_PHASES.indexOf('decided');
  for (let n = 1; n < columns.size; n++) {
    const call = calls[n] as number;
    if (call === 0) continue;
    const is = phaseOf[phases.ids[n] as number] as number;
    if (actors[call] === 0 && ACTING[is] === 1) actors[call] = agents[n] as number;
    const isActing = actors[call] === agents[n];
    const end = endOf[outcomes.ids[n] as number] as number;
    stateOf[call] = states.after(stateOf[call] as number, is, end, isActing);
    if (isActing || is === decided) newest[call] = n;
  }
  const actingPhase = (n: number): FactPhase | null => {
    const call = calls[n] ?? 0;
    return call === 0 || actors[call] === agents[n] ? phase(n) : null;
  };
  const became = states.states.map(outcomeOfCall);
  const outcomeOf = (call: number): Outcome | null => (call === 0 ? null : (became[stateOf[call] ?? 0] ?? null));
  const unfinished = new Set<number>();
  const isUnfinished = Uint8Array.from(became, (outcome) => Number(outcome === 'unfinished'));
  for (let call = 1; call < values; call++)
    if (isUnfinished[stateOf[call] as number] === 1) unfinished.add(newest[call] as number);
  return {
    outcomeOf,
    unfinished,
    ownOutcome,
    ownOutcomes: { ids: outcomes.ids, names: outcomeNames },
    phase,
    actingPhase,
  };
}

/** What came of the calls of a view. */
export const callsOf = keptOfView(({ columns, reader }) => readCalls(columns, reader.names));
