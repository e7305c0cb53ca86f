import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { setUpQuery } from '../../api/case-queries.ts';
import { jwksQuery } from '../../api/queries.ts';
import { useTitle } from '../../lib/use-title.ts';
import { SignInForm } from '../../sign-in/sign-in-form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Fingerprint } from './fingerprint.tsx';
import { SetUpForm } from './set-up-form.tsx';

/**
 * What a visitor sees. Once there is a home organization, signing in comes first; before that, setting the service up. Verifying
 * a file needs neither.
 * @param isWorkstation whether the browser has a workstation session
 */
export function EntryScreen({ isWorkstation }: { readonly isWorkstation: boolean }) {
  const { data: keys } = useQuery(jwksQuery);
  const { data: state, isPending } = useQuery(setUpQuery);
  const [isSigningIn, setSigningIn] = useState(false);
  const kid = keys?.keys[0]?.kid;
  useTitle(null);
  if (isPending) return null;
  // Where the service does not say, it cannot be set up either.
  const hasHome = state?.has_home ?? true;
  return (
    <main className="porch">
      <header>
        <h1>
          <Icon name="seal" large />
          Countersign
        </h1>
        <p className="muted">Signed operations, countersigned receipts, sealed epochs, offline verification.</p>
      </header>
      <div className="doors">
        {hasHome || isSigningIn ? (
          <SignIn takesSignUps={hasHome && state?.takes_sign_ups === true} />
        ) : (
          <SetUp signIn={() => setSigningIn(true)} />
        )}
        <VerifyDoor isWorkstation={isWorkstation} />
      </div>
      {kid !== undefined && <Fingerprint kid={kid} />}
    </main>
  );
}

function SignIn({ takesSignUps }: { readonly takesSignUps: boolean }) {
  return (
    <SignInForm className="slip">
      <p className="cluster">
        <Link to="/join" search={{}}>
          I have an invitation
        </Link>
        {takesSignUps && <Link to="/set-up">Create a guest organization</Link>}
      </p>
    </SignInForm>
  );
}

function SetUp({ signIn }: { readonly signIn: () => void }) {
  return (
    <section className="slip">
      <h2>Set up this workstation</h2>
      <p className="muted">
        Create the organization that administers this service. Everything stays in its data folder.
      </p>
      <SetUpForm />
      <p className="cluster">
        <button type="button" className="button-plain" onClick={signIn}>
          Sign in
        </button>
        <Link to="/join" search={{}}>
          I have an invitation
        </Link>
      </p>
    </section>
  );
}

function VerifyDoor({ isWorkstation }: { readonly isWorkstation: boolean }) {
  return (
    <nav className="door-column" aria-label="Without an account">
      <Link to={isWorkstation ? '/cases/new' : '/verify'} className="door">
        <Icon name="shield" large />
        <strong>Verify a bundle</strong>
        <p className="muted">
          {isWorkstation
            ? 'Verify an export that somebody gave you, and investigate it as a case. No account; it stays on this machine.'
            : 'Verify an export that somebody gave you, in this window alone. No account; the file goes nowhere.'}
        </p>
        <span className="go">Choose a file</span>
      </Link>
      {isWorkstation && (
        <Link to="/cases" search={{}}>
          Cases on this workstation
        </Link>
      )}
    </nav>
  );
}
