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

/**
 * What is known of what is not known: where an agent's records begin, and which of them nobody can place because members
 * are withheld or the recorder lost some. What seems to be absent is a contradiction only where nothing could hide it.
 */
export class AgentsSeen {
  readonly #agents = new Map<string, AgentSeen>();
  readonly #unknown: AgentSeen = { fromStart: false, blindAt: Number.MAX_SAFE_INTEGER };
  #blindAt = 0;

  note({ agent_id, first_of_agent }: CoherenceRecord): void {
    if (this.#agents.has(agent_id) || this.#agents.size >= MAX_AGENTS) return;
    this.#agents.set(agent_id, { fromStart: first_of_agent, blindAt: 0 });
  }

  /** A record that may be any of its agent's, or that says that some are missing. */
  blind({ agent_id, seq_no }: CoherenceRecord): void {
    this.#of(agent_id).blindAt = seq_no;
    this.#blindAt = seq_no;
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
    return this.#blindAt > seqNo ? 'open' : 'contradiction';
  }

  #of(agentId: string): AgentSeen {
    return this.#agents.get(agentId) ?? this.#unknown;
  }
}
