import type { Outcome } from '../fields/codes.ts';
import type { FactPhase, RecordFacts, RecordOutcome } from './record-facts.ts';

/** Phases that say how a call ended. */
export const END_PHASES: ReadonlySet<FactPhase> = new Set<FactPhase>(['completed', 'failed', 'refused']);

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
