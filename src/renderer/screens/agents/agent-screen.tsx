import { useQuery } from '@tanstack/react-query';
import { Answer } from '../../components/answer.tsx';
import { CopyButton, Hash } from '../../components/hash.tsx';
import { Histogram } from '../../components/histogram.tsx';
import { StateMark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Screen } from '../../components/screen.tsx';
import { count, Time } from '../../components/time.tsx';
import { useLedger } from '../../ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../ledger/places.tsx';
import type { AgentDetails } from '../../service/answers.ts';
import { AgentEvents } from './agent-events.tsx';
import { FreezeAgent } from './freeze-agent.tsx';

const route = ledgerScreen('/agents/$agentId');

/** One agent: what is known of it, its keys, the head of its chain, what was done to it. */
export function AgentScreen() {
  const { agentId } = route.useParams();
  const { caseId, queries } = useLedger();
  const agent = useQuery(queries.agent(agentId));
  return (
    <Screen
      name={`Agent ${agentId}`}
      title={
        <>
          <LedgerLink to="/agents" search={{}} className="crumb">
            Agents
          </LedgerLink>{' '}
          <span className="crumb">/</span> <span className="code">{agentId}</span>
        </>
      }
      actions={
        <>
          <LedgerLink to="/agents/$agentId/chain" params={{ agentId }} search={{}} className="button">
            Chain
          </LedgerLink>
          <LedgerLink to="/search" search={{ agentId }} className="button">
            Search its operations
          </LedgerLink>
          {caseId === null && agent.data !== undefined && (
            <FreezeAgent agentId={agentId} status={agent.data.agent.status} />
          )}
        </>
      }
    >
      <Answer query={agent} what="the agent">
        {(answer) => (
          <div className="stack">
            <div className="columns">
              <Facts agent={answer.agent} />
              <Head agentId={agentId} />
            </div>
            <Activity agentId={agentId} />
            <Keys keys={answer.keys} />
            <AgentEvents agentId={agentId} />
          </div>
        )}
      </Answer>
    </Screen>
  );
}

function Facts({ agent }: { readonly agent: AgentDetails['agent'] }) {
  return (
    <Panel title="Agent">
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <StateMark status={agent.status} />
        </dd>
        <dt>Name</dt>
        <dd>
          <bdi>{agent.display_name}</bdi>
        </dd>
        <dt>Responsible</dt>
        <dd>{agent.responsible_entity ?? '–'}</dd>
        <dt>Integration</dt>
        <dd>{agent.integration_type}</dd>
        <dt>Registered</dt>
        <dd>
          <Time value={agent.created_at} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time value={agent.updated_at} />
        </dd>
      </dl>
    </Panel>
  );
}

function Head({ agentId }: { readonly agentId: string }) {
  const { queries } = useLedger();
  const head = useQuery(queries.agentHead(agentId));
  return (
    <Panel title="Head of the chain">
      <Answer query={head} what="the head">
        {({ seq_no: seqNo, chain_hash: chainHash }) =>
          seqNo === null || chainHash === null ? (
            <p className="muted">
              No operation yet. The first record's <span className="code">prev_chain_hash</span> is null.
            </p>
          ) : (
            <dl className="facts">
              <dt>seq_no</dt>
              <dd>
                <LedgerLink to="/agents/$agentId/chain" params={{ agentId }} search={{ seq: seqNo }}>
                  {seqNo}
                </LedgerLink>
              </dd>
              <dt>chain_hash</dt>
              <dd>
                <Hash value={chainHash} what="chain_hash" />
              </dd>
            </dl>
          )
        }
      </Answer>
    </Panel>
  );
}

function Activity({ agentId }: { readonly agentId: string }) {
  const navigate = route.useNavigate();
  const { queries } = useLedger();
  const histogram = useQuery(queries.histogram({ agentId }, 120));
  return (
    <Panel title="Operations over time">
      <Answer query={histogram} what="the counts">
        {(counts) => (
          <Histogram
            counts={counts}
            height={110}
            onBrush={(from, to) =>
              void navigate({
                to: '/search',
                search: { agentId, startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() },
              })
            }
          />
        )}
      </Answer>
    </Panel>
  );
}

function Keys({ keys }: { readonly keys: AgentDetails['keys'] }) {
  return (
    <Panel title={`Keys (${count(keys.length)})`} flush>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">kid</th>
            <th scope="col">State</th>
            <th scope="col">Public key</th>
            <th scope="col">Added (UTC)</th>
            <th scope="col">Revoked (UTC)</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.kid}>
              <td className="code">{key.kid}</td>
              <td>
                <StateMark status={key.status} />
              </td>
              <td className="code">
                {key.public_key} <CopyButton text={key.public_key} what="public key" />
              </td>
              <td>
                <Time value={key.created_at} />
              </td>
              <td>{key.retired_at === null ? <span className="muted">–</span> : <Time value={key.retired_at} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
