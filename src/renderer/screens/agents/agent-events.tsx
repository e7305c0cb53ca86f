import { useQuery } from '@tanstack/react-query';
import { Answer } from '../../components/answer.tsx';
import { Panel } from '../../components/panel.tsx';
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
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">When (UTC)</th>
                  <th scope="col">What</th>
                  <th scope="col">Details</th>
                </tr>
              </thead>
              <tbody>
                {own.map((event) => (
                  <tr key={event.event_id}>
                    <td>
                      <Time value={event.created_at} />
                    </td>
                    <td>{event.action}</td>
                    <td title={JSON.stringify(event.details)}>
                      {Object.entries(event.details)
                        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
                        .join(' · ')}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Answer>
    </Panel>
  );
}
