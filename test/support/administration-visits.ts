// The screens of the administration with something on each, as workspace-visits.ts has them of the ledger and its cases.
import type { Page } from 'playwright';
import { WEBHOOK_EVENTS } from '../../src/api/index.ts';
import { SETTINGS_SECTIONS, type SettingsSection } from '../../src/renderer/lib/search-params.ts';
import { PERSON_SCREEN } from '../../src/renderer/screens/people/texts.ts';
import {
  ABOUT_SECTION,
  BACKUPS_SECTION,
  KEYS_SECTION,
  TRUST_SECTION,
} from '../../src/renderer/screens/settings/texts.ts';
import { DELIVERY_DETAILS } from '../../src/renderer/screens/webhooks/texts.ts';
import { WITNESSES_SCREEN } from '../../src/renderer/screens/witnesses/texts.ts';
import type { Account } from './service.ts';
import type { Visit } from './workspace-visits.ts';

/** What is on a section of the settings once it is complete. */
const COMPLETE: Readonly<Record<SettingsSection, string | RegExp>> = {
  service: 'Listening address',
  'sign-in': 'Sign-in',
  mail: 'Sender',
  keys: KEYS_SECTION.history,
  // Not every service has a store of trusted keys.
  trust: new RegExp(`${TRUST_SECTION.trustKey}|${TRUST_SECTION.noStore.slice(0, 14)}`),
  backups: BACKUPS_SECTION.schedule,
  about: ABOUT_SECTION.dataFolder,
};

/** Registers a webhook and a token, and has an event sent that nobody answers; @returns the screens of the administration */
export async function administrationVisits({ client, userId }: Account): Promise<readonly Visit[]> {
  const { webhook } = await client.ok('registerWebhook', {
    body: {
      endpoint_url: `https://127.0.0.1:1/${'a-rather-long-path/'.repeat(4)}audit`,
      events: [...WEBHOOK_EVENTS],
      secret: 'a secret of this test alone, long enough',
    },
  });
  const { delivery } = await client.ok('testWebhook', { params: { webhook_id: webhook.webhook_id } });
  await client.ok('createToken', { body: { ttl_seconds: 3600, name: 'Nightly report' } });
  const deliveryPath = `/webhooks?webhook=${webhook.webhook_id}&delivery=${delivery.delivery_id}`;
  const main = (wanted: string | RegExp) => (page: Page) => page.locator('main').getByText(wanted).first().waitFor();
  return [
    { name: 'webhooks', path: deliveryPath, ready: main(DELIVERY_DETAILS.sent) },
    { name: 'witnesses', path: '/witnesses', ready: main(WITNESSES_SCREEN.cosignatures) },
    { name: 'tokens', path: '/tokens', ready: main('of your own') },
    { name: 'admin-events', path: '/admin-events', ready: main(/^\d+ events?, all$/) },
    { name: 'person', path: `/people/${userId}`, ready: main(PERSON_SCREEN.userId) },
    ...SETTINGS_SECTIONS.map((section) => ({
      name: section === 'service' ? 'settings' : `settings-${section}`,
      path: `/settings?section=${section}`,
      ready: main(COMPLETE[section]),
    })),
  ];
}
