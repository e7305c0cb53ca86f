import { useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { Form } from '../../components/form.tsx';
import { Hash } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { Time } from '../../ui/time.tsx';
import { AGENT_TOKEN } from './texts.ts';

export type IssuedToken = AnswerOf<'createToken'>;

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
export function AgentToken({ agentId, token, onIssued }: AgentTokenProps) {
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
