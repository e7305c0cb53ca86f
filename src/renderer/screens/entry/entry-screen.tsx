import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { SignInForm } from '../../app/sign-in-form.tsx';
import { Icon } from '../../components/icons.tsx';
import { jwksQuery } from '../../service/queries.ts';
import { Fingerprint } from './fingerprint.tsx';

/**
 * What a visitor sees: two doors, and the way in for who has an account.
 * @param isWorkstation whether the case room is open without one
 */
export function EntryScreen({ isWorkstation }: { readonly isWorkstation: boolean }) {
  const [isSigningIn, setSigningIn] = useState(false);
  const { data: keys } = useQuery(jwksQuery);
  const kid = keys?.keys[0]?.kid;
  useEffect(() => {
    document.title = 'Countersign';
  }, []);
  return (
    <main className="porch">
      <header>
        <h1>
          <Icon name="seal" large />
          Countersign
        </h1>
        <p className="muted">Signed operations, countersigned receipts, sealed epochs, offline verification.</p>
      </header>
      {isSigningIn ? (
        <SignIn back={() => setSigningIn(false)} />
      ) : (
        <Doors isWorkstation={isWorkstation} signIn={() => setSigningIn(true)} />
      )}
      {kid !== undefined && <Fingerprint kid={kid} />}
    </main>
  );
}

function Doors({ isWorkstation, signIn }: { readonly isWorkstation: boolean; readonly signIn: () => void }) {
  return (
    <>
      <nav className="doors" aria-label="Ways in">
        <Link to="/set-up" className="door">
          <Icon name="workstation" large />
          <strong>Set up this workstation</strong>
          <p className="muted">
            Make an organization and its owner. Register agents, take their signed operations, search and prove them.
          </p>
          <span className="go">Set up</span>
        </Link>
        <Link to="/verify" className="door">
          <Icon name="verify" large />
          <strong>Verify a bundle</strong>
          <p className="muted">
            Check a file someone sent you. No account needed; the file stays in this window and is stored nowhere.
          </p>
          <span className="go">Choose a file</span>
        </Link>
      </nav>
      {isWorkstation && (
        <p className="cluster">
          <Link to="/cases/new" className="button">
            Import as a case
          </Link>
          <Link to="/cases" search={{}}>
            Cases on this workstation
          </Link>
        </p>
      )}
      <p>
        This workstation is set up already?{' '}
        <button type="button" onClick={signIn}>
          Sign in
        </button>{' '}
        <Link to="/join" search={{}} className="button">
          I have an invitation
        </Link>
      </p>
    </>
  );
}

function SignIn({ back }: { readonly back: () => void }) {
  return (
    <SignInForm className="slip">
      <button type="button" className="button-plain" onClick={back}>
        Back
      </button>
    </SignInForm>
  );
}
