import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { useRefusal } from '../../app/permission.ts';
import { FormError } from '../../components/form-end.tsx';
import { Hash } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { Time } from '../../components/time.tsx';
import { call } from '../../service/call.ts';

export type IssuedToken = AnswerOf<'createToken'>;

const DAY = 86_400;
const LIFETIMES = [
  { value: 'day', label: 'One day', seconds: DAY },
  { value: 'month', label: '30 days', seconds: 30 * DAY },
  { value: 'year', label: 'One year', seconds: 365 * DAY },
  { value: 'ever', label: 'Until it is revoked', seconds: null },
] as const;

interface AgentTokenProps {
  readonly token: IssuedToken | null;
  readonly onIssued: (token: IssuedToken) => void;
}

/** An API token for the agent's program: made here, shown once. */
export function AgentToken({ token, onIssued }: AgentTokenProps) {
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number]['value']>('day');
  // Anybody may make a token; a program with a lower role's could submit nothing.
  const refusal = useRefusal('submitOperation');
  const issue = useMutation({
    mutationFn: () => {
      const ttl = LIFETIMES.find(({ value }) => value === lifetime)?.seconds ?? null;
      return call('createToken', { body: { ttl_seconds: ttl } });
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
          {token.expires_at === null ? (
            'It does not expire.'
          ) : (
            <>
              It expires <Time value={token.expires_at * 1000} /> UTC.
            </>
          )}{' '}
          It is filled in below. It may do what you may do: pass it on to the agent's program alone.
        </p>
      </section>
    );
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="note">
        The key proves who acted; the token lets the program talk to the service, with your role and in your name.
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
          Make a token
        </PermittedButton>
      </div>
      <FormError error={issue.error} />
    </form>
  );
}
