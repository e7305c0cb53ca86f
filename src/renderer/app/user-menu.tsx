import { Menu } from '@base-ui/react/menu';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { type RefObject, Suspense, useState } from 'react';
import type { LedgerSummary, Session } from '../api/answers.ts';
import { sentenceOf } from '../api/call.ts';
import { viewerName } from '../api/desktop.ts';
import { roleWords } from '../api/permission.ts';
import { invalidate } from '../api/query-client.ts';
import { signOut } from '../api/session.ts';
import { NOT_HOME, OrgFingerprint } from '../components/fingerprint.tsx';
import { Mark } from '../components/mark.tsx';
import { fill } from '../lib/fill.ts';
import { useTimeZone } from '../lib/time-zone.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Seen } from '../ui/seen.tsx';
import { toast } from '../ui/toasts.tsx';
import { type Appearance, storeAppearance, storedAppearance } from './appearance.ts';
import { USER_MENU } from './texts.ts';

/** No part of what the first screen needs. */
const ZonePicker = lazyRouteComponent(() => import('../components/time-menu/zone-picker.tsx'), 'ZonePicker');

interface UserMenuProps {
  readonly session: Session | null;
  /** Of the organization of who is signed in, once it is known. */
  readonly ledger: LedgerSummary | undefined;
  readonly showKeys: () => void;
  /** What the open menu is part of: at the end of the page, where menus usually go, no landmark leads to it. */
  readonly landmark: RefObject<HTMLElement | null>;
}

const THEMES: readonly (readonly [Appearance['theme'], string])[] = [
  ['system', USER_MENU.asSystem],
  ['light', USER_MENU.light],
  ['dark', USER_MENU.dark],
];

/** Who is signed in and where; how the page looks and tells times; the way out. */
export function UserMenu({ session, ledger, showKeys, landmark }: UserMenuProps) {
  const [appearance, setAppearance] = useState(storedAppearance);
  const zone = useTimeZone();
  const [isChoosingZone, setChoosingZone] = useState(false);
  const navigate = useNavigate();
  const change = (next: Appearance): void => {
    storeAppearance(next);
    setAppearance(next);
  };
  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (error) {
      toast(sentenceOf(error), 'failed');
      await invalidate('session');
    }
  };
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="user-button button-plain">
          <span>
            <strong className="ellipsis">
              <Seen text={session === null ? USER_MENU.workstation : (ledger?.org.name ?? USER_MENU.noOrganization)} />
            </strong>
            {ledger !== undefined && (
              <small>
                <OrgFingerprint orgId={ledger.org.org_id} />
              </small>
            )}
            {ledger?.resembles_home === true && <Mark outcome="cannot_check" word={USER_MENU.notHomeOrganization} />}
            <small className="ellipsis">
              <Seen text={session?.email ?? USER_MENU.nobodySignedIn} />
            </small>
          </span>
          <Icon name="up" />
        </Menu.Trigger>
        <Menu.Portal container={landmark}>
          <Menu.Positioner className="menu-place" side="top" align="start" sideOffset={6}>
            <Menu.Popup className="menu">
              <p className="menu-label">
                {session === null
                  ? USER_MENU.caseRoomOnly
                  : session.role == null
                    ? USER_MENU.noRole
                    : roleWords(session.role)}{' '}
                · {viewerName()}
              </p>
              {ledger?.resembles_home === true && (
                <p className="menu-label">
                  <Mark outcome="cannot_check" word={NOT_HOME} />
                </p>
              )}
              <Menu.RadioGroup
                aria-label={USER_MENU.theme}
                value={appearance.theme}
                onValueChange={(theme: Appearance['theme']) => change({ ...appearance, theme })}
              >
                {THEMES.map(([value, label]) => (
                  <Menu.RadioItem key={value} value={value} className="menu-item" closeOnClick={false}>
                    {label}
                    <span className="tick">{appearance.theme === value && <Icon name="check" />}</span>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
              <Menu.CheckboxItem
                className="menu-item"
                closeOnClick={false}
                checked={appearance.contrast === 'more'}
                onCheckedChange={(more) => change({ ...appearance, contrast: more ? 'more' : 'normal' })}
              >
                {fill(USER_MENU.highContrast, {
                  mark: <span className="tick">{appearance.contrast === 'more' && <Icon name="check" />}</span>,
                })}
              </Menu.CheckboxItem>
              <Menu.CheckboxItem
                className="menu-item"
                closeOnClick={false}
                checked={appearance.textOrder === 'logical'}
                onCheckedChange={(isLogical) => change({ ...appearance, textOrder: isLogical ? 'logical' : 'reading' })}
              >
                {fill(USER_MENU.logicalOrder, {
                  mark: <span className="tick">{appearance.textOrder === 'logical' && <Icon name="check" />}</span>,
                })}
              </Menu.CheckboxItem>
              <Menu.Item className="menu-item" onClick={() => setChoosingZone(true)}>
                {USER_MENU.times(zone)}
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={showKeys}>
                {USER_MENU.keys}
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => window.open('/docs', '_blank', 'noopener')}>
                {USER_MENU.httpInterface}
              </Menu.Item>
              {session === null ? (
                <Menu.Item className="menu-item" onClick={() => void navigate({ to: '/dashboard' })}>
                  {USER_MENU.signInOrSetUp}
                </Menu.Item>
              ) : (
                <>
                  <Menu.Item className="menu-item" onClick={() => void navigate({ to: '/account' })}>
                    {USER_MENU.account}
                  </Menu.Item>
                  <Menu.Item className="menu-item" onClick={() => void leave()}>
                    {USER_MENU.signOut}
                  </Menu.Item>
                </>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <Dialog open={isChoosingZone} onClose={() => setChoosingZone(false)} title={USER_MENU.zone}>
        <Suspense fallback={null}>
          <ZonePicker />
        </Suspense>
      </Dialog>
    </>
  );
}
