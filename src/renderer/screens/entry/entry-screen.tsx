import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { SCREENS } from '../../../api/index.ts';
import { q } from '../../api/query.ts';
import { fill } from '../../lib/fill.ts';
import { knownOrganization } from '../../lib/known-organization.ts';
import { useTitle } from '../../lib/use-title.ts';
import { SignInForm } from '../../sign-in/sign-in-form.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Fingerprint } from './fingerprint.tsx';
import { ENTRY } from './texts.ts';

/**
 * What a visitor sees: what this is, and where to begin. Once there is a home organization, signing in comes first, and who follows a
 * link into the workspace is asked for little else. The sample case and checking a file need no account.
 * @param isWorkstation whether the browser has a workstation session
 */
export function EntryScreen({ isWorkstation }: { readonly isWorkstation: boolean }) {
  const { data: keys } = useQuery(q('jwks'));
  const { data: state, isPending } = useQuery(q('setUpState'));
  const [isSigningIn, setSigningIn] = useState(false);
  const kid = keys?.keys[0]?.kid;
  const isLinked = useRouterState({ select: ({ location }) => location.pathname !== SCREENS.dashboard.path });
  const organization = knownOrganization();
  useTitle(null);
  if (isPending) return null;
  // Where the service does not say, it cannot be set up either.
  const hasHome = state?.has_home ?? true;
  const takesSignUps = hasHome && state?.takes_sign_ups === true;
  return (
    <main className="porch">
      <header>
        <h1>
          <Icon name="seal" large />
          Countersign
        </h1>
        {isLinked && hasHome ? (
          <>
            <p className="porch-claim">
              {organization === null
                ? ENTRY.signInHere
                : fill(ENTRY.signInTo, { organization: <Seen text={organization} /> })}
            </p>
            <p className="muted">{ENTRY.linked}</p>
          </>
        ) : (
          <>
            <p className="porch-claim">{ENTRY.claim}</p>
            <p className="muted">{ENTRY.explanation}</p>
          </>
        )}
      </header>
      {isLinked && hasHome ? (
        <SignInForm className="slip">
          <p className="cluster">
            <Link to="/join" search={{}}>
              {ENTRY.invitation}
            </Link>
            <Link to={isWorkstation ? '/cases/new' : '/verify'}>{ENTRY.checkWithout}</Link>
          </p>
        </SignInForm>
      ) : hasHome || isSigningIn ? (
        <div className="doors">
          <SignInForm className="slip">
            <p className="cluster">
              <Link to="/join" search={{}}>
                {ENTRY.invitation}
              </Link>
              {takesSignUps && (
                <Link to="/set-up" search={{}}>
                  {ENTRY.guest}
                </Link>
              )}
            </p>
          </SignInForm>
          <nav className="doors-beside" aria-label={ENTRY.ways}>
            <CheckDoor isWorkstation={isWorkstation} />
            <SampleDoor isFirst={false} />
          </nav>
        </div>
      ) : (
        <nav className="doors" aria-label={ENTRY.ways}>
          <SampleDoor isFirst />
          <RecordDoor />
          <CheckDoor isWorkstation={isWorkstation} />
        </nav>
      )}
      {!hasHome && !isSigningIn && (
        <p className="cluster">
          <button type="button" className="button-plain" onClick={() => setSigningIn(true)}>
            {ENTRY.signIn}
          </button>
          <Link to="/join" search={{}}>
            {ENTRY.invitation}
          </Link>
        </p>
      )}
      {kid !== undefined && <Fingerprint kid={kid} />}
    </main>
  );
}

interface DoorProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly effort: string;
  /** What opens it: the first link is that of the whole card. */
  readonly children: ReactNode;
}

/** One way in: what it is, what it takes, and what opens it. */
function Door({ icon, title, text, effort, children }: DoorProps) {
  return (
    <section className="door">
      <Icon name={icon} large />
      <h2>{title}</h2>
      <p>{text}</p>
      <p className="muted">{effort}</p>
      <div className="door-ways">{children}</div>
    </section>
  );
}

/** @param isFirst whether it is where most begin: not where somebody comes to sign in */
function SampleDoor({ isFirst }: { readonly isFirst: boolean }) {
  return (
    <Door icon="magnifier_record" title={ENTRY.sampleTitle} text={ENTRY.sampleText} effort={ENTRY.sampleNote}>
      <Link to="/sample" className={isFirst ? 'button button-primary' : 'button'}>
        {ENTRY.sampleGo}
      </Link>
    </Door>
  );
}

function RecordDoor() {
  return (
    <Door icon="record" title={ENTRY.recordTitle} text={ENTRY.recordText} effort={ENTRY.recordNote}>
      <Link to="/set-up" search={{ next: 'record' }} className="button" title={ENTRY.recordGoHint}>
        {ENTRY.recordGo}
      </Link>
      <Link to="/set-up" search={{ next: 'register' }}>
        {ENTRY.registerGo}
      </Link>
    </Door>
  );
}

/** @param isWorkstation whether the browser may keep cases; else the file is checked in the window */
function CheckDoor({ isWorkstation }: { readonly isWorkstation: boolean }) {
  return (
    <Door
      icon="shield"
      title={ENTRY.checkTitle}
      text={isWorkstation ? ENTRY.checkAsCase : ENTRY.checkInWindow}
      effort={ENTRY.checkNote}
    >
      <Link to={isWorkstation ? '/cases/new' : '/verify'} className="button">
        {ENTRY.checkGo}
      </Link>
      {isWorkstation && (
        <Link to="/cases" search={{}}>
          {ENTRY.cases}
        </Link>
      )}
    </Door>
  );
}
