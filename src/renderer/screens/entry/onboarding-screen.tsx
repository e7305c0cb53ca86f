import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { LIMITS } from '../../../contract/index.ts';
import { TextField } from '../../components/field.tsx';
import { Screen } from '../../components/screen.tsx';
import { call, sentenceOf } from '../../service/call.ts';

/** For who is signed in and belongs to no organization: makes one, or joins one with an invitation. */
export function OnboardingScreen() {
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const client = useQueryClient();
  const onSuccess = async (): Promise<void> => client.invalidateQueries();
  const found = useMutation({ mutationFn: () => call('onboardOrganization', { body: { org_name: name } }), onSuccess });
  const join = useMutation({ mutationFn: () => call('acceptInvitation', { body: { code: code.trim() } }), onSuccess });
  const submit = (mutation: { readonly mutate: () => void }) => (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  const error = found.error ?? join.error;
  return (
    <Screen title="Your organization" name="Your organization">
      <div className="columns">
        <form className="slip" onSubmit={submit(found)} aria-label="New organization">
          <TextField label="New organization" required maxLength={LIMITS.orgName} value={name} onChange={setName} />
          <button type="submit" className="button-primary">
            Make it
          </button>
        </form>
        <form className="slip" onSubmit={submit(join)} aria-label="Invitation">
          <TextField label="Code of an invitation" required value={code} onChange={setCode} />
          <button type="submit" className="button-primary">
            Join
          </button>
        </form>
      </div>
      {error !== null && (
        <p className="field-error" role="alert">
          {sentenceOf(error)}
        </p>
      )}
    </Screen>
  );
}
