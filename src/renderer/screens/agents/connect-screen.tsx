import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import type { AgentDetails } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { saveFile } from '../../api/save-file.ts';
import { serviceAddress } from '../../api/service-address.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { Form } from '../../components/form.tsx';
import { copyText, Hash } from '../../components/hash.tsx';
import { PermittedButton, Refusal } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { SNIPPETS } from '../../snippets/all-snippets.ts';
import { keyFileName, type SnippetFacts, TOKEN_VARIABLE, terminalText } from '../../snippets/snippet.ts';
import { Panel } from '../../ui/panel.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextBlock } from '../../ui/text-block.tsx';
import { Time } from '../../ui/time.tsx';
import { FirstOperation } from './first-operation.tsx';
import { AGENT_TOKEN, CONNECT_SCREEN, SNIPPET_TABS } from './texts.ts';

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
      <div className="panels has-side">
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

interface SnippetTabsProps {
  readonly facts: SnippetFacts;
  /** The agent's token; null until one was made. */
  readonly token: string | null;
}

/** Programs that send the first operation, filled in: to paste into a terminal, or to save. */
function SnippetTabs({ facts, token }: SnippetTabsProps) {
  const snippets = SNIPPETS.map((make) => make(facts));
  return (
    <Tabs.Root defaultValue={snippets[0]?.id}>
      <Tabs.List className="tabs" aria-label={SNIPPET_TABS.program} activateOnFocus>
        {snippets.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => {
        const text = terminalText(snippet, token ?? 'TOKEN');
        return (
          <Tabs.Panel key={snippet.id} value={snippet.id} className="tab-panel">
            <p className="note">
              {fill(snippet.where, { keyFile: <span className="code nowrap">{facts.keyFile}</span> })}
            </p>
            <TextBlock label={SNIPPET_TABS.programWith(snippet.label)} text={text} />
            <div className="cluster">
              <PermittedButton
                call="submitOperation"
                className="button-primary"
                reason={token === null ? SNIPPET_TABS.needsToken : null}
                onClick={() => void copyText(text, SNIPPET_TABS.program)}
              >
                {SNIPPET_TABS.copy}
              </PermittedButton>
              <button type="button" onClick={() => saveFile(snippet.fileName, snippet.program, 'text/plain')}>
                {SNIPPET_TABS.save}
              </button>
              <span className="muted">
                {fill(SNIPPET_TABS.howToRun, {
                  command: <span className="code">{snippet.command}</span>,
                  tokenVariable: <span className="code">{TOKEN_VARIABLE}</span>,
                })}
              </span>
            </div>
          </Tabs.Panel>
        );
      })}
    </Tabs.Root>
  );
}

type IssuedToken = AnswerOf<'createToken'>;

const DAY = 86_400;
const LIFETIMES = [
  { value: 'day', label: AGENT_TOKEN.day, seconds: DAY },
  { value: 'month', label: AGENT_TOKEN.days30, seconds: 30 * DAY },
  { value: 'year', label: AGENT_TOKEN.year, seconds: 365 * DAY },
  { value: 'ever', label: AGENT_TOKEN.untilRevoked, seconds: null },
] as const;

interface AgentTokenProps {
  readonly agentId: string;
  readonly token: IssuedToken | null;
  readonly onIssued: (token: IssuedToken) => void;
}

/** An API token for the agent's program, which submits for this agent and can do nothing else: shown once. */
function AgentToken({ agentId, token, onIssued }: AgentTokenProps) {
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number]['value']>('month');
  // Anybody may create a token; only whoever may submit can create one that does.
  const refusal = useRefusal('submitOperation');
  const issue = async (): Promise<void> => {
    const ttl = LIFETIMES.find(({ value }) => value === lifetime)?.seconds ?? null;
    const name = AGENT_TOKEN.programAgentid(agentId).slice(0, 128);
    onIssued(await call('createToken', { body: { ttl_seconds: ttl, scope: 'submit', agent_id: agentId, name } }));
  };
  if (token !== null) {
    return (
      <section className="once" aria-label={AGENT_TOKEN.token}>
        <strong>{AGENT_TOKEN.shownOnce}</strong>
        <Hash value={token.token} what={AGENT_TOKEN.tokenCopied} />
        <p className="note">
          {fill(AGENT_TOKEN.tokenExplained, {
            agentId: <b>{agentId}</b>,
            expiry:
              token.expires_at === null
                ? AGENT_TOKEN.noExpiry
                : fill(AGENT_TOKEN.expiry, { expiresAt: <Time value={token.expires_at * 1000} hasZone /> }),
          })}
        </p>
      </section>
    );
  }
  return (
    <Form act={issue}>
      {(isBusy, failure) => (
        <>
          <p className="note">{fill(AGENT_TOKEN.whyToken, { agentId: <b>{agentId}</b> })}</p>
          <div className="field-row">
            <SelectField label={AGENT_TOKEN.lifetime} options={LIFETIMES} value={lifetime} onChange={setLifetime} />
            <PermittedButton
              call="createToken"
              type="submit"
              className="button-primary"
              reason={refusal}
              disabled={isBusy}
            >
              {AGENT_TOKEN.createToken}
            </PermittedButton>
          </div>
          {failure}
        </>
      )}
    </Form>
  );
}
