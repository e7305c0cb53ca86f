import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AgentDetails } from '../../api/answers.ts';
import { q } from '../../api/query.ts';
import { serviceAddress } from '../../api/service-address.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { Refusal } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { keyFileName } from '../../snippets/snippet.ts';
import { Panel } from '../../ui/panel.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { AgentToken, type IssuedToken } from './agent-token.tsx';
import { FirstOperation } from './first-operation.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { CONNECT_SCREEN } from './texts.ts';

const route = getRouteApi('/agents/$agentId/connect');

/** From a registered agent to its first operation: a token, a program, and waiting for what it sends. */
export function ConnectScreen() {
  const { agentId } = route.useParams();
  const agent = useQuery(q('getAgent', { params: { agent_id: agentId } }));
  return (
    <Screen
      name={CONNECT_SCREEN.title(agentId)}
      title={fill(CONNECT_SCREEN.crumbs, {
        agents: (
          <Link to="/agents" search={{}} className="crumb">
            {CONNECT_SCREEN.agents}
          </Link>
        ),
        slash: <span className="crumb">/</span>,
        agentId: (
          <Link to="/agents/$agentId" params={{ agentId }} className="crumb code">
            <AgentName agentId={agentId} />
          </Link>
        ),
        slash2: <span className="crumb">/</span>,
      })}
    >
      <Answer query={agent} what={CONNECT_SCREEN.agent}>
        {(answer) => <Connect {...answer} />}
      </Answer>
    </Screen>
  );
}

function Connect({ agent, keys }: AgentDetails) {
  const [token, setToken] = useState<IssuedToken | null>(null);
  const serviceKeys = useQuery(q('jwks'));
  const { kid: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const usable = keys.filter(({ status }) => status === 'active');
  const key = usable.find(({ kid }) => kid === chosen) ?? usable[0];
  return (
    <div className="stack">
      {agent.status === 'frozen' && <Refusal>{CONNECT_SCREEN.frozen}</Refusal>}
      <div className="beside">
        <div className="stack">
          <Panel title={CONNECT_SCREEN.tokenStep}>
            <AgentToken agentId={agent.agent_id} token={token} onIssued={setToken} />
          </Panel>
          <Panel
            title={CONNECT_SCREEN.programStep}
            actions={
              usable.length > 1 && (
                <SelectField
                  label={CONNECT_SCREEN.key}
                  options={usable.map(({ kid }) => ({ value: kid, label: kid }))}
                  value={key?.kid ?? ''}
                  onChange={(kid) => void navigate({ search: { kid }, replace: true })}
                />
              )
            }
          >
            {key === undefined ? (
              <p className="muted">{CONNECT_SCREEN.noKey}</p>
            ) : (
              <Answer query={serviceKeys} what={CONNECT_SCREEN.keysService}>
                {({ keys: [active] }) => (
                  <SnippetTabs
                    token={token?.token ?? null}
                    facts={{
                      serviceUrl: serviceAddress(),
                      serviceKid: active?.kid ?? '',
                      orgId: agent.org_id,
                      agentId: agent.agent_id,
                      kid: key.kid,
                      // The first key's file bears the agent's name alone.
                      keyFile: keyFileName(agent.agent_id, key.kid === keys[0]?.kid ? undefined : key.kid),
                    }}
                  />
                )}
              </Answer>
            )}
          </Panel>
        </div>
        <div className="beside-stays">
          <Panel title={CONNECT_SCREEN.firstOperationStep}>
            <FirstOperation agentId={agent.agent_id} />
          </Panel>
        </div>
      </div>
    </div>
  );
}
