import { containsFolded } from '../../../../actions/index.ts';
import type { AgentRow } from '../../../api/answers.ts';

/** The agents whose id or name contains a text, under the folding of the search. */
export function agentsLike(agents: readonly AgentRow[], text: string): readonly AgentRow[] {
  return agents.filter(({ agent_id, display_name }) => containsFolded(`${agent_id}\n${display_name}`, text));
}
