import { MAX_CLOCK_LEAD_MS, PERSON_TYPE } from '../../../protocol/index.ts';
import type { FindingLog } from './finding-log.ts';
import { type Place, placeOf } from './report.ts';

/** The most decisions that are kept. */
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

export interface DecidersState {
  readonly decisions: Decision[];
  /** Decisions beyond those that are kept. */
  forgotten: number;
}

export const newDeciders = (): DecidersState => ({ decisions: [], forgotten: 0 });

/** What the issuer says of an agent; undefined where it says nothing. */
export type AgentNamed = (agentId: string) => NamedAgent | undefined;

/**
 * Whether a decision of a person is a record of a person's own agent, and whether the key that signed a decision was there, as the
 * issuer names both. Only where the issuer named the agent: a directory may lack it, and may come behind the records.
 */
export class Deciders {
  readonly #state: DecidersState;

  constructor(state: DecidersState) {
    this.#state = state;
  }

  get forgotten(): number {
    return this.#state.forgotten;
  }

  decided(decision: Decision): void {
    const { agent_id, kid, issued_at, byPerson } = decision;
    const { decisions } = this.#state;
    if (decisions.length < MAX_KEPT) {
      decisions.push({ ...placeOf(decision), agent_id, kid, issued_at, byPerson });
    } else this.#state.forgotten++;
  }

  /** What the issuer's directory may still change. */
  standing(log: FindingLog, named: AgentNamed): void {
    for (const decision of this.#state.decisions) {
      const agent = named(decision.agent_id);
      if (agent === undefined) continue;
      if (decision.byPerson && agent.integration_type !== PERSON_TYPE) {
        const message =
          'A person decided, says the record; it is signed by an agent that the issuer names as no person’s own.';
        log.add('DECIDED_BY_NO_PERSON', 'open', decision, message, { pointer: '/decision/by' });
      }
      const key = agent.keys.find(({ kid }) => kid === decision.kid);
      // The clock of whoever decides may be as far behind as a service takes one that is ahead.
      if (key === undefined || decision.issued_at + MAX_CLOCK_LEAD_MS >= key.created_at) continue;
      const message = 'The decision says that it was made before the key that signed it was there.';
      log.add('DECIDED_BEFORE_KEY', 'contradiction', decision, message);
    }
  }
}
