import { MAX_CLOCK_LEAD_MS, PERSON_TYPE } from '../../../protocol/index.ts';
import type { FindingLog } from './finding-log.ts';
import { type Place, placeOf } from './report.ts';

/** The most agents, and decisions, that are kept. */
const MAX_KEPT = 100_000;

/** An agent as the issuer names it; times in milliseconds since the Unix epoch. */
export interface NamedAgent {
  readonly agent_id: string;
  readonly integration_type: string;
  readonly keys: readonly { readonly kid: string; readonly created_at: number }[];
}

interface Decision extends Place {
  readonly agent_id: string;
  readonly kid: string;
  readonly issued_at: number;
  /** It says that a person made it, and no other agent only reports that. */
  readonly byPerson: boolean;
}

/**
 * Whether a decision of a person is a record of a person's own agent, and whether the key that signed a decision was there, as the
 * issuer names both. Only where the issuer named the agent: a directory may lack it, and may come behind the records.
 */
export class Deciders {
  readonly #log: FindingLog;
  readonly #agents = new Map<string, NamedAgent>();
  readonly #decisions: Decision[] = [];
  /** Decisions beyond those that are kept. */
  forgotten = 0;

  constructor(log: FindingLog) {
    this.#log = log;
  }

  /** What the issuer says of an agent. */
  named({ agent_id, integration_type, keys }: NamedAgent): void {
    if (this.#agents.size >= MAX_KEPT) return;
    const times = keys.map(({ kid, created_at }) => ({ kid, created_at }));
    this.#agents.set(agent_id, { agent_id, integration_type, keys: times });
  }

  decided(decision: Decision): void {
    const { agent_id, kid, issued_at, byPerson } = decision;
    if (this.#decisions.length < MAX_KEPT) {
      this.#decisions.push({ ...placeOf(decision), agent_id, kid, issued_at, byPerson });
    } else this.forgotten++;
  }

  finish(): void {
    for (const decision of this.#decisions) {
      const agent = this.#agents.get(decision.agent_id);
      if (agent === undefined) continue;
      if (decision.byPerson && agent.integration_type !== PERSON_TYPE) {
        const message =
          'A person decided, says the record; it is signed by an agent that the issuer names as no person’s own.';
        this.#log.add('DECIDED_BY_NO_PERSON', 'open', decision, message, { pointer: '/decision/by' });
      }
      const key = agent.keys.find(({ kid }) => kid === decision.kid);
      // The clock of whoever decides may be as far behind as a service takes one that is ahead.
      if (key === undefined || decision.issued_at + MAX_CLOCK_LEAD_MS >= key.created_at) continue;
      const message = 'The decision says that it was made before the key that signed it was there.';
      this.#log.add('DECIDED_BEFORE_KEY', 'contradiction', decision, message);
    }
  }
}
