import type { ActionFacts, CoherenceRecord } from './facts.ts';
import type { FindingLog } from './finding-log.ts';
import { type Place, placeOf } from './report.ts';

/** The newest operations that a cause can name; half of them stay when there are more. */
const MAX_OPERATIONS = 200_000;
/** The most causes that are remembered as not met yet. */
const MAX_UNKNOWN = 10_000;

const ITSELF = 'The record names itself as its cause.';

interface Effect {
  readonly at: Place;
  readonly agentId: string;
}

export interface CausesState {
  newer: Set<string>;
  older: Set<string>;
  hasForgotten: boolean;
  readonly unknown: Map<string, Effect>;
  forgotten: number;
}

export const newCauses = (): CausesState => ({
  newer: new Set(),
  older: new Set(),
  hasForgotten: false,
  unknown: new Map(),
  forgotten: 0,
});

/** Follows which operations were named as causes: a cause comes before its effect. */
export class Causes {
  readonly #log: FindingLog;
  readonly #state: CausesState;

  constructor(log: FindingLog, state: CausesState) {
    this.#log = log;
    this.#state = state;
  }

  /** Causes of which nobody can say any more whether they are unknown. */
  get forgotten(): number {
    const { forgotten, hasForgotten, unknown } = this.#state;
    return forgotten + (hasForgotten ? unknown.size : 0);
  }

  /** Every record can be a cause, of whatever profile. */
  note({ seq_no, operation_id, agent_id }: CoherenceRecord): void {
    const state = this.#state;
    if (state.newer.size >= MAX_OPERATIONS / 2) {
      state.hasForgotten ||= state.older.size > 0;
      [state.older, state.newer] = [state.newer, new Set()];
    }
    state.newer.add(operation_id);
    const effect = state.unknown.get(operation_id);
    if (effect === undefined) return;
    state.unknown.delete(operation_id);
    // Records of two agents may reach the service in another order than they were made.
    if (effect.agentId !== agent_id) return;
    const message = 'The record names a cause that its own agent recorded only after it.';
    this.#log.add('CAUSE_LATER', 'contradiction', effect.at, message, { other: { seq_no, operation_id } });
  }

  take({ record, action }: ActionFacts): void {
    const { cause = [], decision, outcome } = action;
    const { newer, older, unknown } = this.#state;
    for (const operation of [...cause, decision?.of, outcome?.reverses]) {
      if (operation === undefined) continue;
      if (operation === record.operation_id) this.#log.add('CAUSE_LATER', 'contradiction', record, ITSELF);
      if (newer.has(operation) || older.has(operation) || unknown.has(operation)) continue;
      if (unknown.size >= MAX_UNKNOWN) this.#state.forgotten++;
      else unknown.set(operation, { at: placeOf(record), agentId: record.agent_id });
    }
  }

  /** What a later record may take back. */
  standing(log: FindingLog): void {
    // It may be one of those that are no longer known.
    if (this.#state.hasForgotten) return;
    for (const { at } of this.#state.unknown.values()) {
      log.add('CAUSE_UNKNOWN', 'open', at, 'The record names an operation that is not among the records here.');
    }
  }
}
