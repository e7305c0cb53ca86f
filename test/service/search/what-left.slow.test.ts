// What agents sent elsewhere, live and in a case: docs/interface.md (Investigation).
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/index.ts';
import { importCase } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { bundleOf, registerAgent, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const mailer = await registerAgent(owner, 'mailer');
const ops = await registerAgent(owner, 'ops');

const CALLS: readonly (readonly [typeof mailer, JsonObject])[] = [
  [mailer, { tool: 'send_email', arguments: { to: 'nurse@ward.example', body: 'a' }, result: 'sent' }],
  [mailer, { tool: 'send_email', arguments: { to: 'bob@out.example', body: 'a' }, result: 'sent' }],
  [mailer, { tool: 'send_email', arguments: { to: 'Bob@out.example', body: 'b' }, error: 'bounced' }],
  [ops, { tool: 'http', arguments: { method: 'POST', url: 'https://files.out.example/up', body: 'x' }, result: 'ok' }],
  [ops, { tool: 'http', arguments: { method: 'GET', url: 'https://files.out.example/list' }, result: 'ok' }],
  [ops, { tool: 'http', arguments: { method: 'GET', url: 'https://10.1.2.3/' }, result: 'ok' }],
  [ops, { tool: 'http', arguments: { method: 'GET', url: 'http://localhost:80/' }, result: 'ok' }],
];
const ids: string[] = [];
for (const [signer, payload] of CALLS) {
  const body = signer.next({ payload });
  await client.ok('submitOperation', { body });
  ids.push(body.operation_id);
}
await until('all records to be indexed', async () => {
  return (await client.ok('whatLeft', { body: {} })).coverage.pending === 0;
});

const rows = async (body: object = {}) =>
  (await client.ok('whatLeft', { body })).data.map(({ destination, agent_id, sent, asked, failed }) => [
    destination,
    agent_id,
    [sent, asked, failed],
  ]);

describe('what left', () => {
  it('is everything but this machine, as long as nobody says what is their own', async () => {
    const found = await client.ok('whatLeft', { body: {} });
    expect(found).toMatchObject({ is_own_stated: false, destinations: 4, total: 4 });
    expect(found.data.map(({ destination }) => destination)).toEqual([
      '10.1.2.3',
      'files.out.example',
      'bob@out.example',
      'nurse@ward.example',
    ]);
  });

  it('is by destination and agent, with what was given, what was only asked, and the first record', async () => {
    const { data } = await client.ok('whatLeft', { body: { contains: 'out.example' } });
    expect(data[0]).toMatchObject({ sent: 1, asked: 1, failed: 0, ways: ['request'], first: { operation_id: ids[3] } });
    expect(data[1]).toMatchObject({ sent: 2, asked: 0, failed: 1, ways: ['mail'], first: { operation_id: ids[1] } });
    for (const { query, sent, asked } of data) {
      expect((await client.ok('auditQuery', { body: { query } })).data).toHaveLength(sent + asked);
    }
  });

  it('leaves out what the rules say is the organization’s own, without reading records again', async () => {
    const own = { domains: ['ward.example'], networks: ['10.0.0.0/8'] };
    const { rules } = await client.ok('setInvestigationRules', { body: { rules: { version: 1, own } } });
    expect(rules['own']).toEqual({ domains: ['ward.example'], hosts: [], networks: ['10.0.0.0/8'], people: [] });
    const found = await client.ok('whatLeft', { body: {} });
    expect(found).toMatchObject({ is_own_stated: true, coverage: { pending: 0, complete: true } });
    expect(await rows()).toEqual([
      ['files.out.example', 'ops', [1, 1, 0]],
      ['bob@out.example', 'mailer', [2, 0, 1]],
    ]);
    const people = { ...own, people: ['bob@out.example'], hosts: ['files.out.example'] };
    await client.ok('setInvestigationRules', { body: { rules: { version: 1, own: people } } });
    expect(await rows()).toEqual([]);
    const wrong = { version: 1, own: { networks: ['10.0.0.0/99'] } };
    expectError(await client.call('setInvestigationRules', { body: { rules: wrong } }), 'VALIDATION_ERROR', 'own');
  });

  it('is the same in a case, by what its own rules say', async () => {
    const bytes = Buffer.from(await bundleOf(owner));
    const { case_id } = await importCase(client, { name: 'left', bytes }, { trusted_kids: [service.kid] });
    const params = { case_id };
    expect((await client.ok('caseWhatLeft', { params, body: {} })).total).toBe(4);
    const rules = { version: 1, own: { domains: ['out.example'] } };
    await client.ok('caseSetInvestigationRules', { params, body: { rules } });
    const { data } = await client.ok('caseWhatLeft', { params, body: {} });
    expect(data.map(({ destination }) => destination)).toEqual(['10.1.2.3', 'nurse@ward.example']);
  });

  it('comes by pages', async () => {
    await client.ok('setInvestigationRules', { body: { rules: null } });
    const first = await client.ok('whatLeft', { body: { limit: 3 } });
    const cursor = first.nextCursor ?? expect.fail();
    const last = await client.ok('whatLeft', { body: { limit: 3, cursor } });
    expect([first.data.length, last.data.length, last.nextCursor]).toEqual([3, 1, null]);
  });

  it('has what an agent declares that it sent, whatever it calls the recipient', async () => {
    const payload = {
      profile: 'countersign.agent-action/1',
      phase: 'completed',
      action_id: randomUUID(),
      actor: { identity_source: 'asserted' },
      tool: { name: 'mail.send' },
      outcome: { status: 'ok' },
      touched: [{ kind: 'account', id: 'carl@else.example', access: 'send' }],
    };
    await client.ok('submitOperation', { body: mailer.next({ payload }) });
    await until('the mail to be read', async () => (await rows({ contains: 'else.example' })).length > 0);
    expect(await rows({ contains: 'else.example' })).toEqual([['carl@else.example', 'mailer', [1, 0, 0]]]);
  });

  it('has where a call was directed that its proposal alone tells, as hooks do, once it was carried out or refused', async () => {
    const moment = (phase: string, id: string, members: JsonObject): JsonObject => ({
      profile: 'countersign.agent-action/1',
      phase,
      action_id: id,
      actor: { identity_source: 'asserted' },
      tool: { name: 'Bash', type: 'shell' },
      ...members,
    });
    const [done, denied, open] = [randomUUID(), randomUUID(), randomUUID()];
    const proposed = (id: string, host: string): JsonObject =>
      moment('proposed', id, { input: { value: { command: `curl -T a.txt https://${host}.hook.example/` } } });
    const payloads = [
      proposed(done, 'done'),
      moment('completed', done, { outcome: { status: 'ok' }, output: { value: 'sent' } }),
      proposed(denied, 'denied'),
      moment('refused', denied, { outcome: { status: 'denied' } }),
      proposed(open, 'open'),
    ];
    for (const payload of payloads) await client.ok('submitOperation', { body: ops.next({ payload }) });
    await until(
      'all of them to be read',
      async () => (await client.ok('whatLeft', { body: {} })).coverage.pending === 0,
    );
    const { data } = await client.ok('whatLeft', { body: { contains: 'hook.example' } });
    const counts = data.map(({ destination, sent, asked, refused }) => [destination, sent, asked, refused]);
    expect(counts).toEqual([
      ['denied.hook.example', 0, 0, 1],
      ['done.hook.example', 1, 0, 0],
    ]);
  });

  it('takes a domain with letters beyond ASCII and the labels that DNS has for it as one', async () => {
    const get = (url: string): JsonObject => ({ tool: 'http', arguments: { method: 'GET', url }, result: 'ok' });
    const mail = (to: string): JsonObject => ({ tool: 'send_email', arguments: { to, body: 'a' }, result: 'sent' });
    const calls = [
      get('https://bücher.example/'),
      get('https://xn--bcher-kva.example/'),
      get('https://Bücher.example/list'),
      mail('ada@xn--bcher-kva.example'),
      mail('ada@bücher.example'),
    ];
    for (const payload of calls) await client.ok('submitOperation', { body: mailer.next({ payload }) });
    const asked = { contains: 'bücher' };
    const isRead = async () => (await client.ok('whatLeft', { body: {} })).coverage.pending === 0;
    await until('all of them to be read', isRead);
    const expected = [
      ['ada@xn--bcher-kva.example', 'mailer', [2, 0, 0]],
      ['bücher.example', 'mailer', [0, 3, 0]],
    ];
    expect(await rows(asked)).toEqual(expected);
    expect(await rows({ contains: 'xn--bcher' })).toEqual(expected);
    const { data, destinations } = await client.ok('whatLeft', { body: asked });
    expect(destinations).toBe(2);
    for (const { query, sent, asked: requests } of data) {
      expect((await client.ok('auditQuery', { body: { query } })).data).toHaveLength(sent + requests);
    }
    const own = { version: 1, own: { domains: ['Bücher.example'] } };
    await client.ok('setInvestigationRules', { body: { rules: own } });
    expect(await rows(asked)).toEqual([]);
  });
});
