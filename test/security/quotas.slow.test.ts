import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { ALWAYS, bundleOf, eventsOf, exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

const MOST = 5;

describe('an organization that takes all that it can get', async () => {
  const service = await TestService.start({
    quotaWebhooks: MOST,
    quotaInvitations: MOST,
    quotaTokens: MOST,
    quotaExports: MOST,
    quotaUploads: MOST,
    quotaCases: MOST,
    quotaDeliveries: 10,
    webhookAllowPrivate: true,
  });
  const home = await service.signUp('home');
  const guest = await service.signUp('guest');
  const webhook = {
    endpoint_url: 'https://127.0.0.1:9/nobody',
    events: ['operation.accepted'],
    secret: 'a secret of 16 or more',
  };

  it('gets as many webhooks, invitations, API tokens and exports as its quota, and the others theirs', async () => {
    const asks = {
      registerWebhook: () => ({ body: webhook }),
      invite: (number: number) => ({ body: { email: `one-${number}@example.org`, role: 'readonly_investigator' } }),
      createToken: () => ({ body: {} }),
      createExport: () => ({ body: ALWAYS }),
    } as const;
    for (const [route, given] of Object.entries(asks) as [keyof typeof asks, (number: number) => object][]) {
      const answers = await Promise.all(
        Array.from({ length: 3 * MOST }, (_, number) => guest.client.call(route, given(number))),
      );
      const refused = answers.filter(({ status }) => status >= 400);
      expect(answers.length - refused.length, route).toBe(MOST);
      for (const answer of refused)
        expect(expectError(answer, 'QUOTA_EXCEEDED', `may be ${MOST}`).message).toMatch(/: \w+/);
      await home.client.ok(route, given(0));
    }
  });

  it('gets room again by deleting', async () => {
    const { webhooks } = await guest.client.ok('listWebhooks');
    await guest.client.ok('deleteWebhook', { params: { webhook_id: webhooks[0]?.webhook_id ?? '' } });
    await guest.client.ok('registerWebhook', { body: webhook });
    expectError(await guest.client.call('registerWebhook', { body: webhook }), 'QUOTA_EXCEEDED');
  });

  it('gets as many uploads as its quota also where all begin at once', async () => {
    const bytes = randomBytes(200_000);
    const answers = await Promise.all(
      Array.from({ length: 6 * MOST }, () => guest.client.inspect({ name: 'noise', bytes })),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(MOST);
    const refused = answers.find(({ status }) => status !== 201) ?? expect.fail();
    expectError(refused, 'QUOTA_EXCEEDED', 'uploads that wait to be used');
    await guest.client.ok('deleteUpload', { params: { upload_id: taken[0]?.body.upload_id ?? '' } });
    expect((await guest.client.inspect({ name: 'noise', bytes })).status).toBe(201);
    expect((await home.client.inspect({ name: 'noise', bytes })).status).toBe(201);
  });

  it('has records told to its webhooks without a copy of each for each, and no longer a queue than its quota', async () => {
    const signer = await registerAgent(guest);
    for (let number = 0; number < 30; number++) await submitNext(guest, signer, { subject: 'x'.repeat(400) });
    const queued = () =>
      service.sql
        .prepare(
          `SELECT count(*) AS pending, coalesce(sum(length(body)), 0) AS bytes FROM webhook_deliveries
           WHERE next_attempt_at IS NOT NULL GROUP BY webhook_id ORDER BY 1 DESC`,
        )
        .all() as { pending: number; bytes: number }[];
    const rows = await until('the queues to be full', () => {
      const found = queued();
      return found.filter(({ pending }) => pending === 10).length >= MOST && found;
    });
    expect(Math.max(...rows.map(({ pending }) => pending))).toBe(10);
    expect(rows.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(0);
    const { webhooks } = await guest.client.ok('listWebhooks');
    const params = { webhook_id: webhooks[0]?.webhook_id ?? '' };
    const { data } = await guest.client.ok('listDeliveries', { params });
    expect(JSON.parse(data[0]?.body ?? '')).toMatchObject({
      type: 'operation.accepted',
      data: { agent_id: signer.agentId },
    });
    expectError(await guest.client.call('testWebhook', { params }), 'QUOTA_EXCEEDED');
  });
});

describe('a service with as many organizations as it may have', async () => {
  const service = await TestService.start({ quotaOrganizations: 3 });

  it('takes no further sign-up', async () => {
    await service.signUp('first');
    const account = { password: 'correct horse battery', name: 'G', org_name: 'Guest' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        service.client().call('signUp', { body: { ...account, email: `guest-${number}@example.org` } }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers.length - refused.length).toBe(2);
    for (const answer of refused) expectError(answer, 'QUOTA_EXCEEDED', 'quota-organizations');
  });
});

describe('what no bundle could list', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const agent = await registerAgent(owner, 'known');

  /** Copies of a row with another value in one column, as many as there may be, less those that are there. */
  function fill(table: string, column: string, most: number): void {
    const columns = service.sql.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[];
    const values = columns.map((name) => (name === column ? `'copy ' || i` : name));
    service.sql
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @most - (SELECT count(*) FROM ${table}))
         INSERT INTO ${table} (${columns}) SELECT ${values} FROM n, (SELECT * FROM ${table} LIMIT 1)`,
      )
      .run({ most });
  }

  it('is refused before it is there: keys and agents', async () => {
    const { kid, publicKey: public_key } = new Signer(owner.orgId, 'known', 'another');
    fill('agent_keys', 'kid', 65_536);
    const answer = await owner.client.call('addKey', {
      params: { agent_id: agent.agentId },
      body: { kid, public_key, algorithm: 'ed25519' },
    });
    expectError(answer, 'QUOTA_EXCEEDED', 'there may be 65536');
  });

  it('is refused as an export too, before anything is read', async () => {
    fill('service_keys', 'kid', 1025);
    const answer = await owner.client.call('createExport', { body: ALWAYS });
    expectError(answer, 'EXPORT_TOO_LARGE', 'more than 1024 service keys');
    expect((await owner.client.ok('listExports')).data).toEqual([]);
  });
});

describe('exports', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  await submitNext(owner, await registerAgent(owner));
  const folder = join(service.dataDir, 'exports');

  it('can be deleted with their files, and that is recorded', async () => {
    const export_id = await exportOf(owner);
    const params = { export_id };
    expect(existsSync(join(folder, `${export_id}.json`))).toBe(true);
    expectError(
      await service.addMember(owner, 'integration_engineer').client.call('deleteExport', { params }),
      'FORBIDDEN',
    );
    expectError(await (await service.signUp('other')).client.call('deleteExport', { params }), 'NOT_FOUND');
    await owner.client.ok('deleteExport', { params });
    expect(readdirSync(folder)).toEqual([]);
    expectError(await owner.client.call('getExport', { params }), 'NOT_FOUND');
    const [event] = await eventsOf(owner, 'export.delete');
    expect(event).toMatchObject({ actor: owner.userId, target_id: export_id, details: { record_count: 1 } });
    expectError(await owner.client.call('deleteExport', { params }), 'NOT_FOUND');
  });

  it('are counted by the bytes of their files', async () => {
    const first = await exportOf(owner);
    await service.restart({ quotaExportBytes: 10 });
    const client = service.client(owner.client.token);
    expectError(await client.call('createExport', { body: ALWAYS }), 'QUOTA_EXCEEDED', 'bytes of exports');
    await client.ok('deleteExport', { params: { export_id: first } });
    await client.ok('createExport', { body: ALWAYS });
    await service.restart();
  });

  it('go once they are as old as they are kept, with what a crash left of others', async () => {
    const account = { ...owner, client: service.client(owner.client.token) };
    const [old, fresh] = [await exportOf(account), await exportOf(account)];
    service.sql.prepare('UPDATE exports SET created_at = created_at - 31 * 86400000 WHERE export_id = ?').run(old);
    writeFileSync(join(folder, '00000000-0000-4000-8000-000000000000.json'), 'left behind');
    await service.restart();
    const again = { ...owner, client: service.client(owner.client.token) };
    await until('the old export to go', () => !existsSync(join(folder, `${old}.json`)));
    expect(readdirSync(folder)).toContain(`${fresh}.json`);
    expect(readdirSync(folder).filter((name) => name.startsWith('0000'))).toEqual([]);
    const [event] = await eventsOf(again, 'export.delete');
    expect(event).toMatchObject({ actor: 'operator', target_id: old, details: { kept_days: 30 } });
  });
});

describe('the records of an organization', async () => {
  /** Of each record, with what stands beside its payload: a little over 5 KiB. */
  const payload = { text: 'a'.repeat(4096) };
  const service = await TestService.start({ quotaRecordBytes: 60_000, quotaAgentBytes: 30_000 });
  const home = await service.signUp('home');
  const guest = await service.signUpGuest();

  /** Submits until a record is refused. @returns the receipts, and the answer that refused */
  async function fill({ client }: typeof home, signer: Signer) {
    const records = Array.from({ length: 30 }, () => signer.next({ payload }));
    const { results } = await client.ok('submitBatch', { body: { records } });
    const taken = results.filter((result) => 'receipt' in result);
    return { records, taken: taken.length, results };
  }

  it('of one agent end at its quota, and what was accepted before is answered again', async () => {
    const signer = await registerAgent(home);
    const { records, taken, results } = await fill(home, signer);
    expect(taken).toBe(5);
    expect(results[5]).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } });
    const again = await home.client.call('submitOperation', { body: records[0] });
    expect(again.status).toBe(200);
    // Another agent has a quota as well.
    await submitNext(home, await registerAgent(home), { payload });
  });

  it('that are repeated or refused take no room from those that come with them', async () => {
    const signer = await registerAgent(home);
    const kept = Array.from({ length: 4 }, () => signer.next({ payload }));
    await home.client.ok('submitBatch', { body: { records: kept } });
    const unchained = Array.from({ length: 4 }, () => signer.record({ payload, prev_chain_hash: null }));
    const { results } = await home.client.ok('submitBatch', {
      body: { records: [...kept, ...unchained, signer.next({ payload })] },
    });
    expect(results.map((result) => ('receipt' in result ? 'receipt' : result.error.code))).toEqual([
      ...Array(4).fill('receipt'),
      ...Array(4).fill('PREV_HASH_MISMATCH'),
      'receipt',
    ]);
  });

  it('of a guest end at its quota, whichever agents it has, and not those of the home organization', async () => {
    let taken = 0;
    for (let n = 0; n < 4; n++) taken += (await fill(guest, await registerAgent(guest))).taken;
    expect(taken).toBe(11);
    for (let n = 0; n < 4; n++) expect((await fill(home, await registerAgent(home))).taken).toBe(5);
  });

  it.each([
    ['a payload was', (signer: Signer) => signer.next({ payload }), {}],
    ['a salted payload was', (signer: Signer) => signer.nextSalted(payload), {}],
    ['a member of one was', (signer: Signer) => signer.nextSalted({ ...payload, left: 1 }), { members: ['text'] }],
  ])('have room again where %s erased', async (_, next, what) => {
    const { client } = home;
    const signer = await registerAgent(home);
    const records = Array.from({ length: 6 }, () => next(signer));
    const { results } = await client.ok('submitBatch', { body: { records } });
    const codes = results.map((result) => ('receipt' in result ? 'receipt' : result.error.code));
    expect(codes).toEqual([...Array(5).fill('receipt'), 'QUOTA_EXCEEDED']);
    const params = { operation_id: records[0]?.operation_id ?? '' };
    await client.ok('eraseOperation', { params, body: { reason: 'to make room', ...what } });
    await client.ok('submitOperation', { body: records[5] });
    expectError(await client.call('submitOperation', { body: next(signer) }), 'QUOTA_EXCEEDED');
  });

  it('of guests leave the rest of the disk to the home organization, and so do their files', async () => {
    const full = await TestService.start();
    const [owner, stranger] = [await full.signUp('home'), await full.signUpGuest()];
    const [ofGuest, ofHome] = [await registerAgent(stranger), await registerAgent(owner)];
    await submitNext(stranger, ofGuest, { payload });
    const bundle = { name: 'bundle', bytes: await bundleOf(stranger) };
    await full.restart({ homeReserveBytes: 999_999_999_999 });
    const [guest, home] = [full.client(stranger.client.token), full.client(owner.client.token)];
    const refused = [
      await guest.call('submitOperation', { body: ofGuest.next({ payload }) }),
      await guest.call('createExport', { body: ALWAYS }),
      await guest.inspect(bundle),
    ];
    for (const answer of refused) expectError(answer, 'STORAGE_FULL', 'kept for the home organization');
    expect((await guest.ok('listExports')).data).toHaveLength(1);
    await submitNext({ ...owner, client: home }, ofHome, { payload });
    await home.ok('createExport', { body: ALWAYS });
    expect((await home.inspect(bundle)).status).toBe(201);
  });
});
