import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { AgentDetails } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { histogramOf, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { agentChanged } from '../../api/query-client.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { Hash } from '../../components/hash.tsx';
import { Histogram } from '../../components/histogram.tsx';
import { StateMark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { AgentKeys } from './agent-keys.tsx';
import { Assignments } from './assignments.tsx';
import { ChangeIntegration } from './change-integration.tsx';
import { integrationName } from './integration-names.ts';
import { AGENT_EVENTS, AGENT_SCREEN, DELETE_AGENT, FREEZE_AGENT } from './texts.ts';

const route = ledgerScreen('/agents/$agentId');

/** One agent: what is known of it, its keys, the head of its chain, what was done to it. */
export function AgentScreen() {
  const { agentId } = route.useParams();
  const { caseId, q } = useLedger();
  const agent = useQuery(q('getAgent', { params: { agent_id: agentId } }));
  return (
    <Screen
      name={AGENT_SCREEN.agentAgentid(agentId)}
      title={
        <>
          <LedgerLink to="/agents" search={{}} className="crumb">
            {AGENT_SCREEN.agents}
          </LedgerLink>{' '}
          <span className="crumb">/</span> <AgentName agentId={agentId} />
        </>
      }
      actions={
        <>
          <LedgerLink to="/agents/$agentId/chain" params={{ agentId }} search={{}} className="button">
            {AGENT_SCREEN.showChain}
          </LedgerLink>
          <LedgerLink to="/search" search={{ agentId }} className="button">
            {AGENT_SCREEN.searchOperations}
          </LedgerLink>
          {caseId === null && (
            <Link to="/agents/$agentId/connect" params={{ agentId }} search={{}} className="button">
              {AGENT_SCREEN.connectAgent}
            </Link>
          )}
          {caseId === null && agent.data !== undefined && (
            <>
              <FreezeAgent agentId={agentId} status={agent.data.agent.status} />
              <DeleteAgent agentId={agentId} />
            </>
          )}
        </>
      }
    >
      <Answer query={agent} what={AGENT_SCREEN.what}>
        {(answer) => (
          <div className="stack">
            <div className="columns">
              <Facts agent={answer.agent} activeKeys={answer.keys.filter(({ status }) => status === 'active').length} />
              <Head agentId={agentId} />
            </div>
            <Activity agentId={agentId} />
            <AgentKeys agentId={agentId} type={answer.agent.integration_type} keys={answer.keys} />
            {caseId === null && <Assignments agentId={agentId} />}
            <AgentEvents agentId={agentId} />
          </div>
        )}
      </Answer>
    </Screen>
  );
}

function Facts({ agent, activeKeys }: { readonly agent: AgentDetails['agent']; readonly activeKeys: number }) {
  const { caseId } = useLedger();
  return (
    <Panel title={AGENT_SCREEN.agent}>
      <FactList
        of={{
          [AGENT_SCREEN.state]: <StateMark status={agent.status} activeKeys={activeKeys} />,
          [AGENT_SCREEN.name]: <Seen text={agent.display_name} />,
          [AGENT_SCREEN.responsible]: <Seen text={agent.responsible_entity ?? '–'} />,
          [AGENT_SCREEN.integration]: (
            <span className="cluster">
              {integrationName(agent.integration_type)}
              {caseId === null && <ChangeIntegration agentId={agent.agent_id} current={agent.integration_type} />}
            </span>
          ),
          [AGENT_SCREEN.registered]: <Time value={agent.created_at} hasZone />,
          [AGENT_SCREEN.changed]: <Time value={agent.updated_at} hasZone />,
        }}
      />
    </Panel>
  );
}

function Head({ agentId }: { readonly agentId: string }) {
  const { caseId, q } = useLedger();
  const head = useQuery(q('agentHead', { params: { agent_id: agentId } }));
  return (
    <Panel title={AGENT_SCREEN.headOfChain}>
      <Answer query={head} what={AGENT_SCREEN.head}>
        {({ seq_no: seqNo, chain_hash: chainHash }) =>
          seqNo === null || chainHash === null ? (
            <p className="muted">
              {caseId === null
                ? fill(AGENT_SCREEN.noOperation, {
                    link: (
                      <Link to="/agents/$agentId/connect" params={{ agentId }} search={{}}>
                        {AGENT_SCREEN.sendFirst}
                      </Link>
                    ),
                    member: <span className="code">prev_chain_hash</span>,
                  })
                : AGENT_SCREEN.unreadable}
            </p>
          ) : (
            <FactList
              of={{
                [AGENT_SCREEN.sequenceNumber]: (
                  <LedgerLink to="/agents/$agentId/chain" params={{ agentId }} search={{ seq: seqNo }}>
                    {seqNo}
                  </LedgerLink>
                ),
                [AGENT_SCREEN.chainHash]: <Hash value={chainHash} what={AGENT_SCREEN.chainHash} />,
              }}
            />
          )
        }
      </Answer>
    </Panel>
  );
}

function Activity({ agentId }: { readonly agentId: string }) {
  const navigate = route.useNavigate();
  const ledger = useLedger();
  const histogram = useQuery(histogramOf(ledger, { agentId }, 120));
  return (
    <Panel title={AGENT_SCREEN.operationsOverTime}>
      <Answer query={histogram} what={AGENT_SCREEN.counts}>
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

/** Freezes an agent, or lets it go on, with a reason for the administrative log. */
function FreezeAgent({ agentId, status }: { readonly agentId: string; readonly status: string }) {
  const isFrozen = status === 'frozen';
  const verb = isFrozen ? FREEZE_AGENT.unfreezeAgent : FREEZE_AGENT.freezeAgent;
  const route = isFrozen ? 'unfreezeAgent' : 'freezeAgent';
  return (
    <PermittedButton
      call={route}
      onClick={() =>
        askBefore({
          title: `${verb} ${agentId}`,
          verb,
          wantsReason: true,
          act: async (reason) => {
            await call(route, { params: { agent_id: agentId }, body: { reason } });
            toast(FREEZE_AGENT.isNow(agentId, isFrozen ? FREEZE_AGENT.activeAgain : FREEZE_AGENT.frozen));
            await agentChanged();
          },
          children: <p>{isFrozen ? FREEZE_AGENT.accepted : FREEZE_AGENT.refused}</p>,
        })
      }
    >
      {verb}…
    </PermittedButton>
  );
}

/** Deletes an agent for good, after its name was typed. */
function DeleteAgent({ agentId }: { readonly agentId: string }) {
  const navigate = useNavigate();
  return (
    <PermittedButton
      call="deleteAgent"
      className="button-grave"
      onClick={() =>
        askBefore({
          title: DELETE_AGENT.title(agentId),
          verb: DELETE_AGENT.deleteAgentPermanently,
          isDestructive: true,
          word: { label: DELETE_AGENT.typeId, text: agentId },
          act: async () => {
            await call('deleteAgent', { params: { agent_id: agentId } });
            toast(DELETE_AGENT.deleted(agentId));
            await navigate({ to: '/agents', search: {} });
            await agentChanged();
          },
          children: (
            <ul className="bullets">
              <li>{DELETE_AGENT.effect}</li>
              <li>{DELETE_AGENT.recordsStay}</li>
              <li>{DELETE_AGENT.idStays}</li>
              <li>{DELETE_AGENT.freezeInstead}</li>
            </ul>
          ),
        })
      }
    >
      {DELETE_AGENT.deleteAgent}
    </PermittedButton>
  );
}

/** What the administrative log's newest events say of an agent. */
function AgentEvents({ agentId }: { readonly agentId: string }) {
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
