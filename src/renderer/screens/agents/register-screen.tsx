import { useQuery } from '@tanstack/react-query';
import { Link, useBlocker, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { LIMITS, REGISTRATION_TYPES } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { keyFileName } from '../../snippets/snippet.ts';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { agentIdProblem } from './agent-id.ts';
import { INTEGRATION_HINT, integrationName } from './integration-names.ts';
import { draftBody, draftProblem, emptyKeyDraft, type KeyDraft } from './key-draft.ts';
import { KeyFields } from './key-fields.tsx';
import { REGISTER_SCREEN } from './texts.ts';

const EMPTY = {
  agentId: '',
  displayName: '',
  responsible: '',
  integrationType: 'sdk' as (typeof REGISTRATION_TYPES)[number],
};

/** What registering does, and what comes after it, for whoever has not seen the next screen. */
function AfterRegistering() {
  return (
    <div className="stack">
      <Panel title={REGISTER_SCREEN.whatItDoes}>
        <ul className="bullets">
          {REGISTER_SCREEN.effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </Panel>
      <Panel title={REGISTER_SCREEN.whatFollows}>
        <ol className="bullets numbered">
          {REGISTER_SCREEN.nextSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Panel>
      <p className="muted">
        {fill(REGISTER_SCREEN.recordInstead, {
          link: (
            <Link to="/record-program" search={{}}>
              {REGISTER_SCREEN.recordProgram}
            </Link>
          ),
        })}
      </p>
    </div>
  );
}

/** Registers an agent with its first key; then continues to its first operation. */
export function RegisterScreen() {
  const [agent, setAgent] = useState(EMPTY);
  const [draft, setDraft] = useState(() => emptyKeyDraft('key-1'));
  const navigate = useNavigate();
  // A private key that was made and not used is lost with the screen.
  const isDone = useRef(false);
  const leaving = useBlocker({
    shouldBlockFn: () => !isDone.current,
    enableBeforeUnload: () => !isDone.current,
    disabled: draft.pair === null,
    withResolver: true,
  });
  const register = async (): Promise<void> => {
    if (problem !== null) return;
    const {
      agent: { agent_id: agentId },
    } = await call('registerAgent', {
      body: {
        agent_id: agent.agentId,
        ...(agent.displayName === '' ? {} : { display_name: agent.displayName }),
        ...(agent.responsible === '' ? {} : { responsible_entity: agent.responsible }),
        integration_type: agent.integrationType,
        keys: [draftBody(draft)],
      },
    });
    isDone.current = true;
    toast(REGISTER_SCREEN.registered(agentId));
    await invalidate('listAgents');
    await navigate({ to: '/agents/$agentId/connect', params: { agentId } });
  };
  const set = (member: 'displayName' | 'responsible') => (value: string) =>
    setAgent((before) => ({ ...before, [member]: value }));
  const setKey = (change: Partial<KeyDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const { data: known } = useQuery(q('listAgents'));
  const idProblem = agentIdProblem(agent.agentId, known?.agents.map(({ agent_id }) => agent_id) ?? []);
  const problem = idProblem ?? draftProblem(draft);
  return (
    <Screen
      name={REGISTER_SCREEN.title}
      title={fill(REGISTER_SCREEN.crumbs, {
        agents: (
          <Link to="/agents" search={{}} className="crumb">
            {REGISTER_SCREEN.agents}
          </Link>
        ),
        slash: <span className="crumb">/</span>,
      })}
    >
      <div className="panels has-side">
        <Form
          className="stack short-fields"
          label={REGISTER_SCREEN.title}
          act={register}
          verb={REGISTER_SCREEN.registerAgent}
          call="registerAgent"
          reason={problem}
          actions={
            <Link to="/agents" search={{}} className="button">
              {REGISTER_SCREEN.cancel}
            </Link>
          }
        >
          <Panel title={REGISTER_SCREEN.identity}>
            <div className="stack">
              <TextField
                label={REGISTER_SCREEN.agent}
                required
                autoFocus
                autoComplete="off"
                spellCheck={false}
                maxLength={128}
                hint={REGISTER_SCREEN.idHint}
                problem={idProblem}
                value={agent.agentId}
                onChange={(agentId) => {
                  setAgent((before) => ({ ...before, agentId }));
                  // The file that was saved has another name now.
                  setKey({ isSaved: false });
                }}
              />
              <div className="pair-of-fields">
                <TextField
                  label={REGISTER_SCREEN.nameOptional}
                  dir="auto"
                  maxLength={LIMITS.displayName}
                  value={agent.displayName}
                  onChange={set('displayName')}
                />
                <TextField
                  label={REGISTER_SCREEN.responsible}
                  dir="auto"
                  maxLength={LIMITS.responsibleEntity}
                  value={agent.responsible}
                  onChange={set('responsible')}
                />
                <SelectField
                  label={REGISTER_SCREEN.integration}
                  options={REGISTRATION_TYPES.map((value) => ({ value, label: integrationName(value) }))}
                  hint={INTEGRATION_HINT}
                  value={agent.integrationType}
                  onChange={(integrationType) => setAgent((before) => ({ ...before, integrationType }))}
                />
              </div>
            </div>
          </Panel>
          <Panel title={REGISTER_SCREEN.key}>
            <KeyFields
              draft={draft}
              onChange={setKey}
              fileName={keyFileName(agent.agentId || 'agent')}
              notYet={agent.agentId === '' ? REGISTER_SCREEN.idFirst : idProblem}
            />
          </Panel>
        </Form>
        <AfterRegistering />
      </div>
      <Confirm
        open={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        title={REGISTER_SCREEN.leaveTitle}
        verb={REGISTER_SCREEN.leavePage}
        isDestructive
        act={async () => leaving.proceed?.()}
      >
        <p>{REGISTER_SCREEN.leaveConsequence}</p>
      </Confirm>
    </Screen>
  );
}
