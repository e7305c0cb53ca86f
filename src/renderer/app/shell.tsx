import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, lazyRouteComponent, useNavigate, useRouterState } from '@tanstack/react-router';
import {
  Fragment,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { SCREENS } from '../../api/index.ts';
import type { LedgerSummary, Session } from '../api/answers.ts';
import { onUnauthorized } from '../api/call.ts';
import { connection } from '../api/connection.ts';
import { setDroppedFiles } from '../api/dropped-files.ts';
import { droppedFolder } from '../api/folder-files.ts';
import { addressOf, caseOfPath } from '../api/ledger/places.tsx';
import { useRefusals } from '../api/permission.ts';
import { keyOf, q } from '../api/query.ts';
import { invalidate } from '../api/query-client.ts';
import { PermittedButton } from '../components/permitted.tsx';
import { useConnection } from '../components/use-connection.ts';
import { fill } from '../lib/fill.ts';
import { rememberOrganization } from '../lib/known-organization.ts';
import { SignInForm } from '../sign-in/sign-in-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { toast } from '../ui/toasts.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { SHORTCUTS, useKeyboard } from './keyboard.ts';
import { isOfEveryLedger, NAV, type NavEntry } from './screens-list.ts';
import { FILE_DROP, KEYBOARD, KEYS_HELP, PALETTE, SHELL, SIGN_IN_AGAIN } from './texts.ts';
import { UserMenu } from './user-menu.tsx';

const GROWING = [
  ...(['listEpochs', 'getEpoch', 'auditHistogram', 'facets', 'listAgents', 'getAgent', 'agentHead'] as const),
  ...(['getOperation', 'waitingDecisions', 'listAdminEvents', 'adminChain', 'deepHealth'] as const),
];

/** Has what depends on the ledger asked for again when that has grown; the rows of a search stay as they are. */
function useLiveLedger(ledger: LedgerSummary | undefined): void {
  const client = useQueryClient();
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (ledger === undefined) return;
    const now = `${ledger.records} ${ledger.epochs} ${ledger.agents.active} ${ledger.agents.frozen}`;
    const isNews = seen.current !== null && seen.current !== now;
    seen.current = now;
    if (!isNews) return;
    void invalidate(...GROWING);
    // Rows that somebody reads do not move by themselves: the search says that there is more.
    for (const list of ['auditQuery', 'actions'] as const) {
      void client.invalidateQueries({ queryKey: keyOf(list, 'pages'), refetchType: 'none' });
    }
  }, [client, ledger]);
}

/** Asks for the password again where the session has ended, over the page, so that nothing on it is lost. */
function SignInAgain({ email }: { readonly email: string }) {
  const [open, setOpen] = useState(false);
  useEffect(
    () =>
      onUnauthorized(() => {
        connection.noteSessionEnded();
        setOpen(true);
      }),
    [],
  );
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={SIGN_IN_AGAIN.sessionEnded}>
      <p>{SIGN_IN_AGAIN.explained}</p>
      <SignInForm email={email} className="stack" onSignedIn={() => setOpen(false)} />
    </Dialog>
  );
}

/** No part of what the first screen needs. */
const Palette = lazyRouteComponent(() => import('./palette.tsx'), 'Palette');

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
  const organization = summary?.org.name;
  useEffect(() => {
    if (organization !== undefined) rememberOrganization(organization);
  }, [organization]);
  // So that nobody waits for it who presses its keys, nor lacks it once the service is away.
  useEffect(() => void Palette.preload?.(), []);
  // Where the screen changes, so does what is read out and where Tab continues from.
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shownPath = useRef(path);
  // With the screen, not after it was drawn: the focus would be taken from where a quick hand has put it.
  useLayoutEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    main.current?.focus();
  }, [path]);
  const side = useRef<HTMLElement>(null);
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
      <header ref={side} className="side">
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
          <UserMenu
            session={session}
            ledger={session === null ? undefined : summary}
            showKeys={keys.help}
            landmark={side}
          />
        </div>
      </header>
      <main ref={main} className="main scroll-column" tabIndex={-1}>
        {children}
      </main>
      <Dialog open={over === 'palette'} onClose={close} title={PALETTE.title} hideTitle className="palette">
        <Suspense fallback={null}>
          <Palette onClose={close} showKeys={keys.help} />
        </Suspense>
      </Dialog>
      <KeysHelp open={over === 'help'} onClose={close} />
      {session !== null && <SignInAgain email={session.email} />}
      {session !== null && <ConfirmIdentity />}
      <FileDrop />
    </div>
  );
}

function KeysHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={KEYS_HELP.keys}>
      <dl className="keys">
        {SHORTCUTS.map(({ keys, what }) => (
          <Fragment key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <Fragment key={key}>
                  <kbd>{key}</kbd>{' '}
                </Fragment>
              ))}
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        {KEYS_HELP.close}
      </button>
    </Dialog>
  );
}

/** One entry of the navigation: the way to its screen, or a lock with the reason where the role lacks what it shows. */
function NavLink({ entry: { to, label, icon, needs }, path }: { readonly entry: NavEntry; readonly path: string }) {
  const refusals = useRefusals();
  if (needs !== undefined && refusals(needs) !== null) {
    return (
      <PermittedButton call={needs} className="nav-locked">
        {label}
      </PermittedButton>
    );
  }
  return (
    // One of two addresses, where one begins with the other, is the screen.
    <Link to={to} activeOptions={{ exact: path === SCREENS.importCase.path }}>
      <Icon name={icon} />
      <span>{label}</span>
    </Link>
  );
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(FILE_DROP.files) === true;
}

/** Takes files that are dropped anywhere on the page, and goes to where they are imported. */
function FileDrop() {
  const navigate = useNavigate();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      // Else the browser would leave the page and show the file.
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      // Between two elements of the page there is always another one to go to.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      // Of a folder there is a file as well, which cannot be read.
      const entries = [...(event.dataTransfer?.items ?? [])]
        .map((item) => item.webkitGetAsEntry())
        .filter((entry) => entry !== null);
      if (files.length === 0) return;
      void droppedFolder(entries).then((folder) => {
        setDroppedFiles(folder === null ? files : [folder]);
        void navigate({ to: '/cases/new' });
      });
    };
    window.addEventListener('dragenter', onDrag);
    window.addEventListener('dragover', onDrag);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onDrag);
      window.removeEventListener('dragover', onDrag);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [navigate]);
  if (!isOver) return null;
  return (
    <div className="drop-over">
      <p>
        <Icon name="briefcase" large />
        {FILE_DROP.drop}
      </p>
    </div>
  );
}
