import { useQueries, useQuery } from '@tanstack/react-query';
import { visibleText } from '../../../protocol/index.ts';
import type { AgentRow } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { plural } from '../../lib/plural.ts';

/** Beyond so many agents it is not counted how much each has done. */
const COUNTED = 12;
const KEPT_MS = 60_000;

/** The agents whose id or name contains a text, however it is capitalized. */
export function agentsLike(agents: readonly AgentRow[], text: string): readonly AgentRow[] {
  const wanted = text.trim().toLowerCase();
  return agents.filter(({ agent_id, display_name }) => `${agent_id}\n${display_name}`.toLowerCase().includes(wanted));
}

/**
 * The agents to choose from, with their names and how many operations each has.
 * @param isWanted whether somebody is about to choose: it is counted then
 */
export function AgentOptions({ id, isWanted }: { readonly id: string; readonly isWanted: boolean }) {
  const { queries } = useLedger();
  const { data } = useQuery({ ...queries.agents, enabled: isWanted });
  const agents = data?.agents ?? [];
  const counts = useQueries({
    queries: agents.slice(0, COUNTED).map(({ agent_id }) => ({
      ...queries.histogram({ agentId: agent_id }, 1),
      staleTime: KEPT_MS,
      enabled: isWanted && agents.length <= COUNTED,
    })),
    combine: (answers) => answers.map((answer) => answer.data?.total),
  });
  return (
    <datalist id={id}>
      {agents.map(({ agent_id, display_name }, n) => {
        const total = counts[n];
        const name = display_name === agent_id ? agent_id : display_name;
        const done = total === undefined ? [] : [plural(total, 'operation')];
        return <option key={agent_id} value={agent_id} label={[visibleText(name), ...done].join(' · ')} />;
      })}
    </datalist>
  );
}
