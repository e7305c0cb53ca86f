import type { AgentRow } from '../../../api/answers.ts';

/** The agents whose id or name contains a text, however it is capitalized. */
export function agentsLike(agents: readonly AgentRow[], text: string): readonly AgentRow[] {
  const wanted = text.trim().toLowerCase();
  return agents.filter(({ agent_id, display_name }) => `${agent_id}\n${display_name}`.toLowerCase().includes(wanted));
}
