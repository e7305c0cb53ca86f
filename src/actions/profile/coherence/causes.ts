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

/** Follows which operations were named as causes: a cause comes before its effect. */
export class Causes {
  readonly #log: FindingLog;
  #newer = new Set<string>();
  #older = new Set<string>();
  #hasForgotten = false;
  readonly #unknown = new Map<string, Effect>();
  forgotten = 0;

  constructor(log: FindingLog) {
    this.#log = log;
  }

  /** Every record can be a cause, of whatever profile. */
  note({ seq_no, operation_id, agent_id }: CoherenceRecord): void {
    if (this.#newer.size >= MAX_OPERATIONS / 2) {
      this.#hasForgotten ||= this.#older.size > 0;
      [this.#older, this.#newer] = [this.#newer, new Set()];
    }
    this.#newer.add(operation_id);
    const effect = this.#unknown.get(operation_id);
    if (effect === undefined) return;
    this.#unknown.delete(operation_id);
    // Records of two agents may reach the service in another order than they were made.
    if (effect.agentId !== agent_id) return;
    const message = 'The record names a cause that its own agent recorded only after it.';
    this.#log.add('CAUSE_LATER', 'contradiction', effect.at, message, { other: { seq_no, operation_id } });
  }

  take({ record, action }: ActionFacts): void {
    const { cause = [], decision, outcome } = action;
    for (const operation of [...cause, decision?.of, outcome?.reverses]) {
      if (operation === undefined) continue;
      if (operation === record.operation_id) this.#log.add('CAUSE_LATER', 'contradiction', record, ITSELF);
      if (this.#newer.has(operation) || this.#older.has(operation)) continue;
      if (this.#unknown.has(operation)) continue;
      if (this.#unknown.size >= MAX_UNKNOWN) this.forgotten++;
      else this.#unknown.set(operation, { at: placeOf(record), agentId: record.agent_id });
    }
  }

  finish(): void {
    for (const { at } of this.#unknown.values()) {
      // It may be one of those that are no longer known.
      if (this.#hasForgotten) this.forgotten++;
      else
        this.#log.add('CAUSE_UNKNOWN', 'open', at, 'The record names an operation that is not among the records here.');
    }
  }
}
