import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Fragment, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Session } from '../api/answers.ts';
import { addressOf, caseOfPath } from '../api/ledger/places.tsx';
import { useRefusals } from '../api/permission.ts';
import { q } from '../api/query.ts';
import { useConnection } from '../components/use-connection.ts';
import { fill } from '../lib/fill.ts';
import { Icon } from '../ui/icons.tsx';
import { toast } from '../ui/toasts.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { FileDrop } from './file-drop.tsx';
import { useKeyboard } from './keyboard.ts';
import { KeysHelp } from './keys-help.tsx';
import { NavLink } from './nav-entry.tsx';
import { Palette } from './palette.tsx';
import { isOfEveryLedger, NAV } from './screens-list.ts';
import { SignInAgain } from './sign-in-again.tsx';
import { KEYBOARD, SHELL } from './texts.ts';
import { useLiveLedger } from './use-live-ledger.ts';
import { UserMenu } from './user-menu.tsx';

type Overlay = 'palette' | 'help' | null;

interface ShellProps {
  /** Null for a workstation session without an account: only what that is enough for is offered. */
  readonly session: Session | null;
  readonly children: ReactNode;
}

/** Navigation, menu and keys around the screens. */
export function Shell({ session, children }: ShellProps) {
  const { isCut } = useConnection();
  const [over, setOver] = useState<Overlay>(null);
  const navigate = useNavigate();
  const { data: summary } = useQuery({ ...q('ledgerSummary'), enabled: session !== null && session.orgId !== null });
  useLiveLedger(summary);
  // Where the screen changes, so does what is read out and where Tab continues from.
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shownPath = useRef(path);
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    main.current?.focus();
  }, [path]);
  // In a low window the navigation scrolls: the entry of the screen is in sight.
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each screen another entry is the current one
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  const hasAccount = session !== null;
  const entries = useMemo(() => NAV.filter(({ isOpen }) => hasAccount || isOpen), [hasAccount]);
  const close = useCallback(() => setOver(null), []);
  const caseId = caseOfPath(path);
  const refusals = useRefusals();
  const go = useCallback(
    (letter: string) => {
      const { to, needs } = NAV.find(({ key }) => key === letter) ?? {};
      if (to === undefined) return;
      if (caseId !== null && isOfEveryLedger(to)) void navigate(addressOf({ caseId }, { to }));
      else if (entries.some((entry) => entry.to === to)) {
        const refusal = needs === undefined ? null : refusals(needs);
        if (refusal === null) void navigate({ to });
        else toast(refusal, 'failed');
      }
    },
    [navigate, entries, caseId, refusals],
  );
  const keys = useMemo(() => ({ palette: () => setOver('palette'), help: () => setOver('help'), go }), [go]);
  useKeyboard(keys);

  return (
    <div className={isCut ? 'shell is-cut' : 'shell'}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {SHELL.skip}
      </button>
      <div className="side">
        <p className="brand">
          <Icon name="seal" />
          <span>Countersign</span>
        </p>
        <nav ref={nav} className="nav" aria-label={SHELL.screens}>
          {entries.map((entry, n) => (
            <Fragment key={entry.to}>
              {entry.group !== undefined && entry.group !== entries[n - 1]?.group && (
                <p className="nav-group">{entry.group}</p>
              )}
              <NavLink entry={entry} path={path} />
            </Fragment>
          ))}
        </nav>
        <div className="side-foot">
          <button type="button" className="palette-button button-small" onClick={keys.palette}>
            {fill(SHELL.goOrRun, { keys: <kbd>{KEYBOARD.ctrlK}</kbd> })}
          </button>
          <UserMenu session={session} ledger={session === null ? undefined : summary} showKeys={keys.help} />
        </div>
      </div>
      <main ref={main} className="main" tabIndex={-1}>
        {children}
      </main>
      <Palette open={over === 'palette'} onClose={close} showKeys={keys.help} />
      <KeysHelp open={over === 'help'} onClose={close} />
      {session !== null && <SignInAgain email={session.email} />}
      {session !== null && <ConfirmIdentity />}
      <FileDrop />
    </div>
  );
}
