// GET /v1/health and /v1/health/deep (docs/interface.md, Service).
import { afterEach, describe, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { DeepHealth } from '../../src/api/index.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';

/** How much room the disk claims to have, in bytes; null asks the disk. */
let room: number | null = null;
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const statfs = async (path: string) => (room === null ? real.statfs(path) : { bavail: room / 4096, bsize: 4096 });
  return { ...real, statfs };
});

/** How much time has passed, and by how much the clock alone is ahead, in milliseconds. The service takes its clock at the start. */
let ahead = 0;
let jumped = 0;
vi.mock('node:os', async (original) => {
  const real = await original<typeof import('node:os')>();
  return { ...real, uptime: () => real.uptime() + ahead / 1000 };
});
const realNow = Date.now.bind(Date);
vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead + jumped);
afterEach(() => {
  ahead = 0;
  jumped = 0;
  room = null;
});

const service = await TestService.start({ epochIntervalSeconds: 3600 });
const owner = await service.signUp();
const deep = () => service.client().call('deepHealth');
const badParts = ({ checks }: Pick<DeepHealth, 'checks'>): string[] =>
  Object.entries(checks).flatMap(([name, { status }]) => (status === 'bad' ? [name] : []));

describe('GET /v1/health', () => {
  it('answers without the database', async () => {
    service.sql.exec('ALTER TABLE organizations RENAME TO organizations_gone');
    const answers = [await service.client().call('health'), await deep()];
    service.sql.exec('ALTER TABLE organizations_gone RENAME TO organizations');
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'ok', version: packageJson.version } });
    expect(answers[1]?.status).toBe(503);
  });
});

describe('GET /v1/health/deep', () => {
  it('says of each part that it is well', async () => {
    const answer = await deep();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'ok',
      version: packageJson.version,
      checks: {
        database: { status: 'ok', detail: expect.any(String) },
        epochs: { status: 'ok', detail: 'every record is sealed' },
        disk: { status: 'ok', detail: expect.stringMatching(/^\d+(\.\d GiB| MiB) free$/) },
        key: { status: 'ok', detail: 'signs' },
        webhooks: { status: 'ok', detail: '0 waiting, 0 failed within the last hour' },
        readers: { status: 'ok', detail: 'ledger: 0 waiting; cases: 0 waiting' },
        clock: { status: 'ok', detail: 'no sign that it is wrong' },
        exports: { status: 'ok', detail: 'within what one export may hold' },
        archive: { status: 'ok', detail: 'none is set' },
        syslog: { status: 'ok', detail: 'none is set' },
      },
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('says so when the database cannot be read, and not why', async () => {
    service.sql.exec('ALTER TABLE organizations RENAME TO organizations_gone');
    const answer = await deep();
    service.sql.exec('ALTER TABLE organizations_gone RENAME TO organizations');
    expect(answer.status).toBe(503);
    expect(answer.body.status).toBe('bad');
    expect(badParts(answer.body)).toContain('database');
    expect(JSON.stringify(answer.body)).not.toMatch(/SQL|table|organizations/i);
    expect((await deep()).status).toBe(200);
  });

  it('says so when the clock jumps ahead, and no longer once it is right', async () => {
    jumped = 120_000;
    const answer = await deep();
    expect([answer.status, badParts(answer.body)]).toEqual([503, ['clock']]);
    jumped = 0;
    expect((await deep()).status).toBe(200);
  });

  it('says so when an epoch is open for longer than it may be', async () => {
    await submitNext(owner, await registerAgent(owner));
    ahead = 3_600_000 + 50_000;
    expect((await deep()).body.checks.epochs.status).toBe('ok');
    ahead = 3_600_000 + 70_000;
    const answer = await deep();
    expect(answer.status).toBe(503);
    expect(badParts(answer.body)).toEqual(['epochs']);
    ahead = 0;
    await owner.client.ok('closeEpoch');
    ahead = 3_600_000 + 70_000;
    expect((await deep()).status).toBe(200);
  });

  it('says so when deliveries have been due for long', async () => {
    const now = Date.now();
    service.sql
      .prepare(
        `INSERT INTO webhooks VALUES ('hook', ?, 'https://receiver.invalid/', '["agent.status_changed"]', x'00', ?, ?, NULL, 0, 0)`,
      )
      .run(owner.orgId, now, now);
    service.sql
      .prepare(
        `INSERT INTO webhook_deliveries (delivery_id, webhook_id, event_type, body, status, attempts, created_at, next_attempt_at)
         VALUES ('delivery', 'hook', 'test', '{}', 'pending', 0, ?, ?)`,
      )
      .run(now, now);
    ahead = 9 * 60_000;
    expect((await deep()).body.checks.webhooks).toEqual({
      status: 'ok',
      detail: '1 waiting, 0 failed within the last hour',
    });
    ahead = 11 * 60_000;
    const answer = await deep();
    expect(answer.status).toBe(503);
    expect(badParts(answer.body)).toEqual(['webhooks']);
    service.sql.exec('DELETE FROM webhook_deliveries; DELETE FROM webhooks');
    expect((await deep()).status).toBe(200);
  });

  it('says so when there is hardly any room on the disk', async () => {
    const MiB = 1024 * 1024;
    room = 256 * MiB;
    expect((await deep()).body.checks.disk).toEqual({ status: 'ok', detail: '256 MiB free' });
    room = 255 * MiB;
    const answer = await deep();
    expect(answer.status).toBe(503);
    expect(badParts(answer.body)).toEqual(['disk']);
  });

  describe('when a log comes near to what an export may hold', () => {
    const logUpTo = (number: number, { orgId }: { readonly orgId: string }): void => {
      const hash = `sha256:${String(number).padStart(64, '0')}`;
      const first = 'FROM admin_events WHERE org_id = ? ORDER BY event_no LIMIT 1';
      service.sql
        .prepare(
          `INSERT INTO admin_events SELECT org_id, ?, 'event ' || ? || org_id, actor, action, target_type, target_id, details,
           created_at, prev_event_hash, ? ${first}`,
        )
        .run(number, number, hash, orgId);
    };

    it('tells of it, and refuses acts that can be done without', async () => {
      const owner = await service.signUp('many-events');
      const states: unknown[] = [];
      const save = (name: number) => owner.client.call('saveSearch', { body: { name: `${name}`, search: {} } });
      for (const number of [262_143, 262_200, 311_296]) {
        logUpTo(number, owner);
        const { exports } = ((await deep()).body as DeepHealth).checks;
        states.push([exports, (await save(number)).status]);
      }
      expect(states).toMatchObject([
        [{ status: 'ok', detail: 'within what one export may hold' }, 201],
        [{ status: 'ok', detail: expect.stringMatching(/^262\d+ of 327680 administrative events/) }, 201],
        [{ status: 'ok', detail: expect.stringMatching(/^3112\d+ of 327680 administrative events/) }, 409],
      ]);
    });

    it('exports all the same, and lets whoever has to stop something do so', async () => {
      const owner = await service.signUp('still-exported');
      const saved = await owner.client.call('saveSearch', { body: { name: 'before', search: {} } });
      logUpTo(311_400, owner);
      const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
      expect((await owner.client.call('createExport', { body: times })).status).toBe(202);
      expect((await owner.client.call('createToken', { body: { name: 'for an agent' } })).status).toBe(201);
      const { search_id } = saved.body as { readonly search_id: string };
      expect((await owner.client.call('deleteSearch', { params: { search_id } })).status).toBe(200);
    });
  });
});
