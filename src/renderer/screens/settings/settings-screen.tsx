import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
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
import { SETTINGS_SCREEN } from './texts.ts';
import { TrustSection } from './trust-section.tsx';

const route = getRouteApi('/settings');

const SECTION_NAMES: Readonly<Record<SettingsSection, string>> = {
  service: SETTINGS_SCREEN.service,
  'sign-in': SETTINGS_SCREEN.signIn,
  mail: SETTINGS_SCREEN.mail,
  keys: SETTINGS_SCREEN.serviceKeys,
  trust: SETTINGS_SCREEN.trustStore,
  backups: SETTINGS_SCREEN.backups,
  about: SETTINGS_SCREEN.about,
};

/** The settings of the service, section by section; which one is part of the address. */
export function SettingsScreen() {
  const { section = 'service' } = route.useSearch();
  return (
    <Screen title={SETTINGS_SCREEN.settings} name={SETTINGS_SCREEN.titleOf(SECTION_NAMES[section])} flush>
      <div className="settings">
        <nav className="settings-nav" aria-label={SETTINGS_SCREEN.sections}>
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
  const settings = useQuery({ ...q('getSettings'), enabled: refusal === null });
  if (section === 'keys') return <KeysSection />;
  if (section === 'trust') return <TrustSection />;
  if (section === 'about') return <AboutSection dataDir={settings.data?.data_dir ?? null} />;
  if (section === 'backups' && refusal !== null) return <BackupsSection form={null} />;
  if (refusal !== null) return <Refusal>{refusal}</Refusal>;
  return (
    <Answer query={settings} what={SETTINGS_SCREEN.what}>
      {(answer) => {
        const form = { answer, drafts, setDrafts };
        if (!answer.administered_here) return <Refusal>{GUEST}</Refusal>;
        switch (section) {
          case 'sign-in':
            return (
              <SettingsForm
                {...form}
                title={SETTINGS_SCREEN.signProviders}
                names={['google-client-id', 'google-client-secret', 'github-client-id', 'github-client-secret']}
              >
                <p className="muted">{SETTINGS_SCREEN.providersExplained}</p>
              </SettingsForm>
            );
          case 'mail':
            return (
              <SettingsForm {...form} title={SETTINGS_SCREEN.mail} names={['smtp-url', 'smtp-from']}>
                <p className="muted">{SETTINGS_SCREEN.mailExplained}</p>
              </SettingsForm>
            );
          case 'backups':
            return <BackupsSection form={form} />;
          default:
            return (
              <div className="stack">
                <SettingsForm
                  {...form}
                  title={SETTINGS_SCREEN.listening}
                  names={['host', 'port', 'public-url', 'sign-up', 'common-passwords']}
                />
                <SettingsForm {...form} title={SETTINGS_SCREEN.epochs} names={['epoch-interval', 'epoch-max-leaves']} />
                <SettingsForm {...form} title={SETTINGS_SCREEN.limits} names={['rate-limit']} />
                <SettingsForm {...form} title={SETTINGS_SCREEN.archive} names={['archive-to', 'archive-every']} />
              </div>
            );
        }
      }}
    </Answer>
  );
}
