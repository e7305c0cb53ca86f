// docs/interface.md, Exports: what an export shows of the administrative log, and what is said of that before it is made.
import { describe, expect, it } from 'vitest';
import { readContents } from '../../src/protocol/index.ts';
import { expectError } from '../support/client.ts';
import { ALWAYS, bundleOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';

const service = await TestService.start({ webhookAllowPrivate: true });
const owner = await service.signUp();
const { client } = owner;
const [billing, mail] = [await registerAgent(owner, 'billing-bot'), await registerAgent(owner, 'mail-bot')];
for (let n = 0; n < 3; n++) await submitNext(owner, billing);
const erased = await submitNext(owner, mail);
const hook = { endpoint_url: 'https://secret.example/hook', events: ['epoch.created'], secret: 's'.repeat(16) };
await client.ok('registerWebhook', { body: hook });
await client.ok('invite', { body: { email: 'bob@secret.example', role: 'compliance_auditor' } });
await client.ok('freezeAgent', { params: { agent_id: 'mail-bot' }, body: { reason: 'secret suspicion' } });
await client.ok('eraseOperation', { params: { operation_id: erased.operation_id }, body: { reason: 'secret wish' } });

async function eventsIn(bundle: Buffer): Promise<{ shown: string[]; withheld: number }> {
  const shown: string[] = [];
  let withheld = 0;
  for await (const contents of readContents(() => [bundle])) {
    for (const content of contents) {
      if (content.kind === 'admin_event') shown.push(`${content.value.action} ${content.value.target_id}`);
      if (content.kind === 'withheld_event') withheld++;
    }
  }
  return { shown, withheld };
}

describe('an export', () => {
  it('carries the whole log for a program that knows nothing of the choice', async () => {
    const bundle = await bundleOf(owner, { ...ALWAYS, agentId: 'billing-bot' });
    const { shown, withheld } = await eventsIn(bundle);
    expect(withheld).toBe(0);
    expect(shown).toContain('member.invite bob@secret.example');
  });

  it('of one agent, asked for so, shows that agent alone, and verifies', async () => {
    const bundle = await bundleOf(owner, { ...ALWAYS, agentId: 'billing-bot', admin_events: 'agents' });
    expect(bundle.toString('utf8')).not.toContain('secret');
    const { shown, withheld } = await eventsIn(bundle);
    expect(shown).toEqual([`org.create ${owner.orgId}`, 'agent.register billing-bot']);
    const report = await verifyWith(service.kid, bundle);
    expect(report.verdict).toBe('verified');
    expect(report.checks.admin_log).toMatchObject({ status: 'pass', counts: { events: 2, withheld } });
    expect(report.summary).toContain(`${withheld} administrative events withheld`);
  });

  it('shows why a payload of the agent is gone, and of all agents nothing but what is about them', async () => {
    const one = await bundleOf(owner, { ...ALWAYS, agentId: 'mail-bot', admin_events: 'agents' });
    expect((await eventsIn(one)).shown).toEqual([
      `org.create ${owner.orgId}`,
      'agent.register mail-bot',
      'agent.freeze mail-bot',
      `operation.erase ${erased.operation_id}`,
    ]);
    const all = await bundleOf(owner, { ...ALWAYS, admin_events: 'agents' });
    expect((await eventsIn(all)).shown).toHaveLength(5);
    expect(all.toString('utf8')).not.toContain('secret.example');
  });

  it('always shows that the service key changed', async () => {
    await client.ok('rotateServiceKey', { body: { kid: service.kid } });
    const bundle = await bundleOf(owner, { ...ALWAYS, agentId: 'billing-bot', admin_events: 'agents' });
    expect((await eventsIn(bundle)).shown.map((event) => event.split(' ')[0])).toContain('service_key.rotate');
  });

  it('is noted with the choice, and made again with it after a restart', async () => {
    const { events } = await client.ok('listAdminEvents', { query: { limit: '100' } });
    const made = events
      .filter(({ action }) => action === 'export.create')
      .map(({ details }) => details['admin_events']);
    expect(made).toEqual(['agents', 'agents', 'agents', 'agents', undefined]);
  });

  it.each(['none', '', null, 1])('refuses the choice %j', async (admin_events) => {
    expectError(
      await client.call('createExport', { body: { ...ALWAYS, admin_events } }),
      'VALIDATION_ERROR',
      'admin_events',
    );
  });
});

describe('POST /v1/exports/preview', () => {
  it('says how many records and whose addresses the export will show', async () => {
    const { startTime, endTime } = ALWAYS;
    const one = await client.ok('previewExport', { body: { startTime, endTime, agentId: 'billing-bot' } });
    expect(one).toMatchObject({ records: 3, more_records: false });
    const { all, agents, not_examined } = one.admin_events;
    expect(not_examined).toBe(0);
    expect(all).toMatchObject({ withheld: 0, mail_addresses: 1, webhook_addresses: 1 });
    expect(agents).toMatchObject({ mail_addresses: 0, webhook_addresses: 0 });
    expect(agents.shown + agents.withheld).toBe(all.shown);
    const bundle = await bundleOf(owner, { ...ALWAYS, agentId: 'billing-bot', admin_events: 'agents' });
    expect((await eventsIn(bundle)).shown).toHaveLength(agents.shown);
    expect(await client.ok('previewExport', { body: { startTime, endTime } })).toMatchObject({ records: 4 });
  });

  it('is empty where there is nothing, and refuses a range that ends before it begins', async () => {
    const body = { startTime: '1999-01-01T00:00:00Z', endTime: '1999-01-02T00:00:00Z' };
    expect((await client.ok('previewExport', { body })).records).toBe(0);
    const reversed = { startTime: body.endTime, endTime: body.startTime };
    expectError(await client.call('previewExport', { body: reversed }), 'VALIDATION_ERROR', 'endTime');
  });

  it('is of the own organization', async () => {
    const guest = await service.signUpGuest();
    const { startTime, endTime } = ALWAYS;
    const ofOthers = { startTime, endTime, agentId: 'billing-bot' };
    expectError(await guest.client.call('previewExport', { body: ofOthers }), 'VALIDATION_ERROR', 'agentId');
    const found = await guest.client.ok('previewExport', { body: { startTime, endTime } });
    expect(found).toMatchObject({ records: 0, admin_events: { all: { shown: 1, mail_addresses: 0 } } });
  });
});
