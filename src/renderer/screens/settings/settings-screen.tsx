import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { settingsQuery } from '../../api/administration-queries.ts';
import { useRefusal } from '../../api/permission.ts';
import { Answer } from '../../components/answer.tsx';
import { Refusal } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { SETTINGS_SECTIONS, type SettingsSection } from '../../lib/search-params.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { AboutSection } from './about-section.tsx';
import { BackupsSection } from './backups-section.tsx';
import { GUEST } from './guest.ts';
import { KeysSection } from './keys-section.tsx';
import { type Drafts, SettingsForm } from './settings-form.tsx';
import { TrustSection } from './trust-section.tsx';

const route = getRouteApi('/settings');

const SECTION_NAMES: Readonly<Record<SettingsSection, string>> = {
  service: 'Service',
  'sign-in': 'Sign-in',
  mail: 'Mail',
  keys: 'Service keys',
  trust: 'Trust store',
  backups: 'Backups',
  about: 'About',
};

/** The settings of the service, section by section; which one is part of the address. */
export function SettingsScreen() {
  const { section = 'service' } = route.useSearch();
  return (
    <Screen title="Settings" name={`Settings: ${SECTION_NAMES[section]}`} flush>
      <div className="settings">
        <nav className="settings-nav" aria-label="Sections">
          {SETTINGS_SECTIONS.map((name) => (
            <Link
              key={name}
              to="/settings"
              search={{ section: name }}
              data-row
              aria-current={name === section ? 'page' : undefined}
            >
              {SECTION_NAMES[name]}
            </Link>
          ))}
        </nav>
        <ScrollArea className="settings-body" label={SECTION_NAMES[section]}>
          <Section section={section} />
        </ScrollArea>
      </div>
    </Screen>
  );
}

function Section({ section }: { readonly section: SettingsSection }) {
  const [drafts, setDrafts] = useState<Drafts>({});
  const refusal = useRefusal('getSettings');
  const settings = useQuery({ ...settingsQuery, enabled: refusal === null });
  if (section === 'keys') return <KeysSection />;
  if (section === 'trust') return <TrustSection />;
  if (section === 'about') return <AboutSection dataDir={settings.data?.data_dir ?? null} />;
  if (section === 'backups' && refusal !== null) return <BackupsSection form={null} />;
  if (refusal !== null) return <Refusal>{refusal}</Refusal>;
  return (
    <Answer query={settings} what="the settings">
      {(answer) => {
        const form = { answer, drafts, setDrafts };
        if (!answer.administered_here) return <Refusal>{GUEST}</Refusal>;
        switch (section) {
          case 'sign-in':
            return (
              <SettingsForm
                {...form}
                title="Sign-in with a provider"
                names={['google-client-id', 'google-client-secret', 'github-client-id', 'github-client-secret']}
              >
                <p className="muted">
                  Without a provider people sign in with a password that only this service knows. A client secret is
                  kept in the data folder in a file that only the service's user may read.
                </p>
              </SettingsForm>
            );
          case 'mail':
            return (
              <SettingsForm {...form} title="Mail" names={['smtp-url', 'smtp-from']}>
                <p className="muted">
                  With a mail server invitations are mailed. Without one their codes are shown, to be handed over.
                </p>
              </SettingsForm>
            );
          case 'backups':
            return <BackupsSection form={form} />;
          default:
            return (
              <div className="stack">
                <SettingsForm
                  {...form}
                  title="Listening"
                  names={['host', 'port', 'public-url', 'sign-up', 'common-passwords']}
                />
                <SettingsForm {...form} title="Epochs" names={['epoch-interval', 'epoch-max-leaves']} />
                <SettingsForm {...form} title="Limits" names={['rate-limit']} />
              </div>
            );
        }
      }}
    </Answer>
  );
}
