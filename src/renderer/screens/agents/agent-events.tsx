import { useQuery } from '@tanstack/react-query';
import { Answer } from '../../components/answer.tsx';
import { Panel } from '../../components/panel.tsx';
import { Seen } from '../../components/seen.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useLedger } from '../../ledger/ledger.ts';

/** What the administrative log's newest events say of an agent. */
export function AgentEvents({ agentId }: { readonly agentId: string }) {
  const { queries } = useLedger();
  const events = useQuery(queries.adminEvents);
  return (
    <Panel title="Administrative log" flush>
      <Answer query={events} what="the log">
        {(answer) => {
          const own = answer.events.filter((event) => event.target_type === 'agent' && event.target_id === agentId);
          if (own.length === 0) return <p className="loading">None of the newest 100 events is about this agent.</p>;
          return (
            <Table heads={['When (UTC)', 'What', 'Details']}>
              {own.map((event) => (
                <tr key={event.event_id}>
                  <td>
                    <Time value={event.created_at} />
                  </td>
                  <td>
                    <Seen text={event.action} />
                  </td>
                  <td className="wraps">
                    <Seen
                      text={Object.entries(event.details)
                        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
                        .join(' · ')}
                    />
                  </td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Answer>
    </Panel>
  );
}
