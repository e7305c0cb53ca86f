import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../api/ledger/ledger.ts';
import { Answer } from '../../components/answer.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AGENT_EVENTS } from './texts.ts';

/** What the administrative log's newest events say of an agent. */
export function AgentEvents({ agentId }: { readonly agentId: string }) {
  const { q } = useLedger();
  const events = useQuery(q('listAdminEvents', { query: { limit: 100 } }));
  return (
    <Panel title={AGENT_EVENTS.adminLog} flush>
      <Answer query={events} what={AGENT_EVENTS.log}>
        {(answer) => {
          const own = answer.events.filter((event) => event.target_type === 'agent' && event.target_id === agentId);
          if (own.length === 0) return <p className="loading">{AGENT_EVENTS.noneAbout}</p>;
          return (
            <Table heads={[AGENT_EVENTS.when, AGENT_EVENTS.what, AGENT_EVENTS.details]}>
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
