import type { CoherenceRecord } from './facts.ts';
import type { CoherenceSeverity } from './report.ts';

interface AgentSeen {
  /** Whether its first record of all is among those given. */
  readonly fromStart: boolean;
  /** Its newest record that could not be placed, or that tells of records never made; 0 where there is none. */
  blindAt: number;
}

/** The most agents that are told apart. */
const MAX_AGENTS = 100_000;

export interface AgentsState {
  readonly agents: Map<string, AgentSeen>;
  blindAt: number;
}

export const newAgents = (): AgentsState => ({ agents: new Map(), blindAt: 0 });

/**
 * What is known of what is not known: where an agent's records begin, and which of them nobody can place because members
 * are withheld or the recorder lost some. What seems to be absent is a contradiction only where nothing could hide it.
 */
export class AgentsSeen {
  readonly #state: AgentsState;
  readonly #unknown: AgentSeen = { fromStart: false, blindAt: Number.MAX_SAFE_INTEGER };

  constructor(state: AgentsState) {
    this.#state = state;
  }

  note({ agent_id, first_of_agent }: CoherenceRecord): void {
    const { agents } = this.#state;
    if (agents.has(agent_id) || agents.size >= MAX_AGENTS) return;
    agents.set(agent_id, { fromStart: first_of_agent, blindAt: 0 });
  }

  /** A record that may be any of its agent's, or that says that some are missing. */
  blind({ agent_id, seq_no }: CoherenceRecord): void {
    this.#of(agent_id).blindAt = seq_no;
    this.#state.blindAt = seq_no;
  }

  fromStart(agentId: string): boolean {
    return this.#of(agentId).fromStart;
  }

  /** Whether a record of this agent after that number could not be placed. */
  isBlindAfter(agentId: string, seqNo: number): boolean {
    return this.#of(agentId).blindAt > seqNo;
  }

  /** How grave it is that a record of this agent from before is not there. */
  absentBefore(agentId: string): CoherenceSeverity {
    const { fromStart, blindAt } = this.#of(agentId);
    return fromStart && blindAt === 0 ? 'contradiction' : 'open';
  }

  /** How grave it is that no agent at all made a certain record after that number. */
  absentAfter(seqNo: number): CoherenceSeverity {
    return this.#state.blindAt > seqNo ? 'open' : 'contradiction';
  }

  #of(agentId: string): AgentSeen {
    return this.#state.agents.get(agentId) ?? this.#unknown;
  }
}
