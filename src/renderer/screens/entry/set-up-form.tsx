import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { LIMITS } from '../../../contract/index.ts';
import { CallFailed, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { signUp } from '../../api/session.ts';
import { Form } from '../../components/form.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { TextField } from '../../ui/field.tsx';
import { ENTRY, SET_UP_FORM } from './texts.ts';

const EMPTY = { org_name: '', name: '', email: '', password: '', setup_code: '' };

function explain(error: unknown): string {
  if (error instanceof CallFailed && error.code === 'FORBIDDEN' && !error.message.startsWith('setup_code')) {
    return SET_UP_FORM.closed;
  }
  return sentenceOf(error);
}

/**
 * Makes an organization and its owner: the home organization while there is none, which takes the set-up code where the
 * browser has no workstation session; a guest organization from then on.
 * @param next what follows, where somebody came to record an agent
 */
export function SetUpForm({ next }: { readonly next?: 'record' | 'register' | undefined }) {
  const [account, setAccount] = useState(EMPTY);
  const { data: state } = useQuery(q('setUpState'));
  const { data: workstation } = useQuery(q('workstation'));
  const isGuest = state?.has_home === true;
  const needsCode = state?.has_home === false && workstation?.active === false;
  const navigate = useNavigate();
  const set = (member: keyof typeof account) => (value: string) =>
    setAccount((before) => ({ ...before, [member]: value }));
  const setUp = async (): Promise<void> => {
    const { setup_code, ...rest } = account;
    try {
      await signUp(needsCode ? { ...rest, setup_code } : rest);
    } catch (error) {
      throw new Error(explain(error));
    }
    await navigate({
      to: next === undefined ? '/dashboard' : next === 'record' ? '/record-program' : '/register-agent',
    });
  };
  return (
    <Form
      label={SET_UP_FORM.setUp}
      act={setUp}
      verb={isGuest ? SET_UP_FORM.createOrganization : SET_UP_FORM.setUp}
      isStacked
    >
      <TextField
        label={SET_UP_FORM.organization}
        required
        autoFocus
        dir="auto"
        maxLength={LIMITS.orgName}
        hint={ENTRY.organizationHint}
        value={account.org_name}
        onChange={set('org_name')}
      />
      <TextField
        label={SET_UP_FORM.name}
        autoComplete="name"
        required
        dir="auto"
        value={account.name}
        onChange={set('name')}
      />
      <TextField
        label={SET_UP_FORM.eMailAddress}
        type="email"
        autoComplete="username"
        required
        value={account.email}
        onChange={set('email')}
      />
      <NewPassword label={SET_UP_FORM.password} value={account.password} onChange={set('password')} />
      {needsCode && (
        <TextField
          label={SET_UP_FORM.code}
          required
          autoComplete="off"
          spellCheck={false}
          maxLength={LIMITS.setUpCode}
          hint={SET_UP_FORM.codeHint}
          value={account.setup_code}
          onChange={set('setup_code')}
        />
      )}
    </Form>
  );
}
