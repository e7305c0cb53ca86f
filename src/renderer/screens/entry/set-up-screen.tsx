import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import { CallFailed, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { signUp } from '../../api/session.ts';
import { Form } from '../../components/form.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { useTitle } from '../../lib/use-title.ts';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ENTRY, SET_UP_FORM, SET_UP_SCREEN } from './texts.ts';

const route = getRouteApi('/set-up');

/** Creates the home organization while there is none, and guest organizations from then on. */
export function SetUpScreen() {
  const { data: state } = useQuery(q('setUpState'));
  const { next } = route.useSearch();
  const isGuest = state?.has_home === true;
  const title = isGuest ? SET_UP_SCREEN.guestTitle : SET_UP_SCREEN.title;
  useTitle(SET_UP_SCREEN.short);
  if (state === undefined) return null;
  return (
    <div className="porch">
      <header>
        <h1>
          <Icon name="monitor" large />
          {title}
        </h1>
        <p className="muted">{isGuest ? SET_UP_SCREEN.guestExplained : SET_UP_SCREEN.explained}</p>
      </header>
      <div className="slip">
        {isGuest && !state.takes_sign_ups ? <p>{SET_UP_SCREEN.closed}</p> : <SetUpForm next={next} />}
        <Link to="/dashboard">{SET_UP_SCREEN.backToStart}</Link>
      </div>
    </div>
  );
}

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
function SetUpForm({ next }: { readonly next?: 'record' | 'register' | undefined }) {
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
