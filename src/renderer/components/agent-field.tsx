import { useQuery } from '@tanstack/react-query';
import { containsFolded } from '../../actions/index.ts';
import { q } from '../api/query.ts';
import { SuggestField } from '../ui/suggest-field.tsx';

interface AgentFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly required?: boolean;
}

/** One agent, offered by id and name from those there are; one that was deleted can be typed. */
export function AgentField({ value, ...field }: AgentFieldProps) {
  const { data } = useQuery(q('listAgents'));
  const suggestions = (data?.agents ?? [])
    .filter(({ agent_id, display_name }) => containsFolded(`${agent_id} ${display_name}`, value))
    .slice(0, 50)
    .map(({ agent_id, display_name }) => ({
      value: agent_id,
      ...(display_name === agent_id ? {} : { note: display_name }),
    }));
  return <SuggestField {...field} spellCheck={false} maxLength={128} value={value} suggestions={suggestions} />;
}
