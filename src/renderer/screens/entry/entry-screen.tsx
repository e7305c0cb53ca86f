import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { signIn } from '../../app/session.ts';
import { TextField } from '../../components/field.tsx';
import { Icon } from '../../components/icons.tsx';
import { sentenceOf } from '../../service/call.ts';
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
        <Link to={isWorkstation ? '/cases/new' : '/verify'} className="door">
          <Icon name="verify" large />
          <strong>Verify a bundle</strong>
          <p className="muted">
            {isWorkstation
              ? 'Check an export that somebody gave you, and look through it as a case. No account; it stays on this machine.'
              : 'Check an export that somebody gave you, in this window alone. No account; the file goes nowhere.'}
          </p>
          <span className="go">Choose a file</span>
        </Link>
      </nav>
      {isWorkstation && (
        <p>
          <Link to="/cases" search={{}}>
            Cases on this workstation
          </Link>
        </p>
      )}
      <p>
        This workstation is set up already?{' '}
        <button type="button" onClick={signIn}>
          Sign in
        </button>
      </p>
    </>
  );
}

function SignIn({ back }: { readonly back: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFailure(null);
    try {
      await signIn(email, password);
    } catch (error) {
      setFailure(sentenceOf(error));
    }
  };
  return (
    <form className="slip" aria-label="Sign in" onSubmit={(event) => void submit(event)}>
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      {failure !== null && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <button type="submit" className="button-primary">
        Sign in
      </button>
      <button type="button" className="button-plain" onClick={back}>
        Back
      </button>
    </form>
  );
}
