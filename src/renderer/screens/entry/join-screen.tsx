import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import { CallFailed, call } from '../../api/call.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { refreshSession } from '../../api/session.ts';
import { OrganizationLabel } from '../../components/fingerprint.tsx';
import { Form } from '../../components/form.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { fill } from '../../lib/fill.ts';
import { useTitle } from '../../lib/use-title.ts';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { JOIN_SCREEN } from './texts.ts';

const route = getRouteApi('/join');

const EMPTY = { code: '', name: '', email: '', password: '' };

/** Accepts an invitation: as who is signed in, with an account that there is, or with a new one. */
export function JoinScreen() {
  const { code: given = '' } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const { data: summary } = useQuery({ ...q('ledgerSummary'), enabled: session != null && session.orgId !== null });
  const [form, setForm] = useState({ ...EMPTY, code: given });
  const [hasAccount, setHasAccount] = useState(false);
  const navigate = useNavigate();
  const isSignedIn = session != null;
  useTitle(JOIN_SCREEN.acceptInvitation);
  const set = (member: keyof typeof EMPTY) => (value: string) => setForm((before) => ({ ...before, [member]: value }));

  const accept = async (): Promise<void> => {
    const { name, email, password } = form;
    const code = form.code.trim();
    // The session begins with the sign-in; the page takes note of it once all is done, and stays as it is until then.
    if (!isSignedIn && hasAccount) await call('signIn', { body: { email, password } });
    await call('acceptInvitation', { body: isSignedIn || hasAccount ? { code } : { code, name, password } });
    await refreshSession();
    await navigate({ to: '/dashboard', search: {}, replace: true });
  };
  const join = async (): Promise<void> => {
    try {
      await accept();
    } catch (error) {
      // Asked for a new account where there is one: what is missing is its address and password.
      if (error instanceof CallFailed && error.code === 'UNAUTHORIZED' && !hasAccount) setHasAccount(true);
      throw error;
    }
  };

  if (session != null && session.orgId !== null) {
    return (
      <div className="porch">
        <Header />
        <div className="slip">
          <p>
            {fill(JOIN_SCREEN.belongsAlready, {
              email: <Seen text={session.email} />,
              organization: (
                <OrganizationLabel
                  orgId={session.orgId}
                  name={summary?.org.name ?? JOIN_SCREEN.anOrganization}
                  resemblesHome={summary?.resembles_home === true}
                />
              ),
            })}
          </p>
          <Link to="/people" search={{}} className="button">
            {JOIN_SCREEN.toPeople}
          </Link>
        </div>
      </div>
    );
  }
  return (
    <div className="porch">
      <Header />
      <Form
        className="slip"
        label={JOIN_SCREEN.acceptInvitation}
        act={join}
        verb={JOIN_SCREEN.join}
        isStacked
        actions={
          <Link to="/dashboard" search={{}}>
            {JOIN_SCREEN.backToStart}
          </Link>
        }
      >
        <TextField
          label={JOIN_SCREEN.code}
          required
          autoFocus={given === ''}
          autoComplete="off"
          spellCheck={false}
          maxLength={LIMITS.personName}
          hint={JOIN_SCREEN.codeHint}
          value={form.code}
          onChange={set('code')}
        />
        {isSignedIn && <p className="muted">{fill(JOIN_SCREEN.acceptAs, { email: <Seen text={session.email} /> })}</p>}
        {!isSignedIn && (
          <fieldset className="choices">
            <legend>{JOIN_SCREEN.account}</legend>
            <label>
              <input type="radio" name="account" checked={!hasAccount} onChange={() => setHasAccount(false)} />
              {JOIN_SCREEN.newAccount}
            </label>
            <label>
              <input type="radio" name="account" checked={hasAccount} onChange={() => setHasAccount(true)} />
              {JOIN_SCREEN.haveAccount}
            </label>
          </fieldset>
        )}
        {!isSignedIn && !hasAccount && (
          <TextField
            label={JOIN_SCREEN.name}
            autoComplete="name"
            required
            dir="auto"
            maxLength={LIMITS.personName}
            value={form.name}
            onChange={set('name')}
          />
        )}
        {!isSignedIn && hasAccount && (
          <TextField
            label={JOIN_SCREEN.eMailAddress}
            type="email"
            autoComplete="username"
            required
            value={form.email}
            onChange={set('email')}
          />
        )}
        {!isSignedIn && hasAccount && (
          <TextField
            label={JOIN_SCREEN.password}
            type="password"
            autoComplete="current-password"
            required
            value={form.password}
            onChange={set('password')}
          />
        )}
        {!isSignedIn && !hasAccount && (
          <NewPassword label={JOIN_SCREEN.password} value={form.password} onChange={set('password')} />
        )}
      </Form>
    </div>
  );
}

function Header() {
  return (
    <header>
      <h1>
        <Icon name="people" large />
        {JOIN_SCREEN.acceptInvitation}
      </h1>
      <p className="muted">{JOIN_SCREEN.askForCode}</p>
    </header>
  );
}
