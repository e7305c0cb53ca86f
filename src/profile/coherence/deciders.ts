import type { FindingLog } from './finding-log.ts';
import { type Place, placeOf } from './report.ts';

/** The type that a service gives the agents of people, and nobody can register. */
const PERSON_TYPE = 'person';

/** The most agents, and decisions of people, that are kept. */
const MAX_KEPT = 100_000;

/**
 * Whether a decision of a person is a record of a person's own agent, as the issuer names it. Only where the issuer named the agent: a
 * directory may lack it, and may come behind the records.
 */
export class Deciders {
  readonly #log: FindingLog;
  readonly #isPerson = new Map<string, boolean>();
  readonly #decisions: (Place & { readonly agent_id: string })[] = [];
  /** Decisions beyond those that are kept. */
  forgotten = 0;

  constructor(log: FindingLog) {
    this.#log = log;
  }

  /** What the issuer says of an agent. */
  named(agentId: string, integrationType: string): void {
    if (this.#isPerson.size < MAX_KEPT) this.#isPerson.set(agentId, integrationType === PERSON_TYPE);
  }

  /** A decision that says a person made it, of which no other agent only reports. */
  decided(place: Place & { readonly agent_id: string }): void {
    if (this.#decisions.length < MAX_KEPT) this.#decisions.push({ ...placeOf(place), agent_id: place.agent_id });
    else this.forgotten++;
  }

  finish(): void {
    const message =
      'A person decided, says the record; it is signed by an agent that the issuer names as no person’s own.';
    for (const decision of this.#decisions) {
      if (this.#isPerson.get(decision.agent_id) !== false) continue;
      this.#log.add('DECIDED_BY_NO_PERSON', 'open', decision, message, { pointer: '/decision/by' });
    }
  }
}
