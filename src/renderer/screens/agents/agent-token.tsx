import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { FormError } from '../../components/form-end.tsx';
import { Hash } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Time } from '../../ui/time.tsx';

export type IssuedToken = AnswerOf<'createToken'>;

const DAY = 86_400;
const LIFETIMES = [
  { value: 'day', label: 'One day', seconds: DAY },
  { value: 'month', label: '30 days', seconds: 30 * DAY },
  { value: 'year', label: 'One year', seconds: 365 * DAY },
  { value: 'ever', label: 'Until it is revoked', seconds: null },
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
  const issue = useMutation({
    mutationFn: () => {
      const ttl = LIFETIMES.find(({ value }) => value === lifetime)?.seconds ?? null;
      const name = `Program of ${agentId}`.slice(0, 128);
      return call('createToken', { body: { ttl_seconds: ttl, scope: 'submit', agent_id: agentId, name } });
    },
    onSuccess: onIssued,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    issue.mutate();
  };
  if (token !== null) {
    return (
      <section className="once" aria-label="Token">
        <strong>Token: shown this once</strong>
        <Hash value={token.token} what="token" />
        <p className="note">
          This token can only submit operations of <b>{agentId}</b>. It reads no records, and changes nothing else. The
          program below contains this token.{' '}
          {token.expires_at === null ? (
            'The token does not expire; you can revoke it under Tokens.'
          ) : (
            <>
              The token expires <Time value={token.expires_at * 1000} hasZone />.
            </>
          )}
        </p>
      </section>
    );
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="note">
        The agent signs with its private key. To reach the service, its program also needs a token. This token can only
        submit operations of <b>{agentId}</b>: whoever steals the token can read nothing with it.
      </p>
      <div className="field-row">
        <SelectField label="Lifetime" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
        <PermittedButton
          call="createToken"
          type="submit"
          className="button-primary"
          reason={refusal}
          disabled={issue.isPending}
        >
          Create token
        </PermittedButton>
      </div>
      <FormError error={issue.error} />
    </form>
  );
}
