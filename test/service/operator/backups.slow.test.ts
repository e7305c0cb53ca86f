// docs/interface.md, Administration: backups that a running service makes, verifies, keeps and prunes.
import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreBackup } from '../../../src/service/index.ts';
import { KeptBackups, newBackupId } from '../../../src/service/operator/backup/kept-backups.ts';
import { lastDue, nextDue } from '../../../src/service/operator/backup/schedule.ts';
import { expectError } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import {
  type Account,
  backupOf,
  bundleOf,
  registerAgent,
  signInAt,
  submitNext,
  TestService,
  verifyWith,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const guest = await service.signUp('guest');
const folder = join(service.dataDir, 'backups');

const ended = ({ client }: Account) =>
  until('the job', async () => {
    const answer = await client.ok('listBackups');
    return answer.job?.status !== 'running' && answer;
  });

const backupIn = (answer: Awaited<ReturnType<typeof ended>>, id: string) =>
  answer.backups.find(({ backup_id: one }) => one === id);

describe('a backup of a running service', () => {
  it('is made, verified and listed, and can be restored', async () => {
    const signer = await registerAgent(owner);
    const receipt = await submitNext(owner, signer);
    const id = await backupOf(owner);
    const answer = await ended(owner);
    const row = backupIn(answer, id);
    expect(row).toMatchObject({ made_by: 'person', service_kid: service.kid, verification: { state: 'good' } });
    expect(row?.size).toBeGreaterThan(100_000);
    expect(answer).toMatchObject({ folder, next_at: null, last_good: { backup_id: id } });
    expect(answer.job).toMatchObject({ kind: 'make', status: 'completed', share: 1, failure: null });
    expect(statSync(join(folder, id, 'service-key.json')).mode & 0o777).toBe(0o600);

    const dataDir = join(temporaryFolder(), 'restored');
    await restoreBackup({ from: join(folder, id), dataDir, trustedKids: [service.kid] });
    const restored = await TestService.start({ dataDir });
    // No session comes along.
    const { client } = await signInAt(restored.url, owner);
    const found = await client.ok('getOperation', { params: { operation_id: receipt.operation_id } });
    expect(found.ear).toEqual(receipt);
  });

  it('also across a rotation of the service key', async () => {
    const first = service.kid;
    await owner.client.ok('rotateServiceKey', { body: { kid: first } });
    const id = await backupOf(owner);
    const dataDir = join(temporaryFolder(), 'restored');
    await restoreBackup({ from: join(folder, id), dataDir });
    const restored = await TestService.start({ dataDir });
    expect(restored.kid).toBe(service.kid);
    const account = await signInAt(restored.url, owner);
    expect((await verifyWith(first, await bundleOf(account))).verdict).toBe('verified');
  });

  it('is one at a time, and holds a rotation up', async () => {
    const { job } = await owner.client.ok('createBackup');
    const params = { backup_id: job.backup_id };
    expectError(await owner.client.call('createBackup'), 'CONFLICT');
    expectError(await owner.client.call('rotateServiceKey', { body: { kid: service.kid } }), 'CONFLICT', 'backup');
    expect((await ended(owner)).job?.status).toBe('completed');
    expect((await owner.client.call('verifyBackup', { params })).status).toBe(202);
    expect((await ended(owner)).job).toMatchObject({ kind: 'verify', status: 'completed' });
  });

  it('does not begin where its administrative event cannot be written', async () => {
    const before = await ended(owner);
    service.sql.exec(
      "CREATE TRIGGER refuse_event BEFORE INSERT ON admin_events WHEN NEW.action = 'backup.create' BEGIN SELECT RAISE(ABORT, 'refused'); END",
    );
    try {
      expectError(await owner.client.call('createBackup'), 'INTERNAL_ERROR');
      expect(await owner.client.ok('listBackups')).toMatchObject({ job: before.job, backups: before.backups });
    } finally {
      service.sql.exec('DROP TRIGGER refuse_event');
    }
  });

  it('is found bad where a byte of it is, and then is not the last good one', async () => {
    const good = (await owner.client.ok('listBackups')).last_good?.backup_id;
    const bad = await backupOf(owner);
    expect((await ended(owner)).last_good?.backup_id).toBe(bad);
    appendFileSync(join(folder, bad, 'ledger.sqlite'), 'x');
    await owner.client.ok('verifyBackup', { params: { backup_id: bad } });
    const answer = await ended(owner);
    expect(answer.job?.failure).toContain('is not the file that was backed up');
    expect(backupIn(answer, bad)?.verification?.state).toBe('bad');
    expect(answer.last_good?.backup_id).toBe(good);
  });

  it('is found by its name only', async () => {
    for (const backup_id of ['..', 'exports', '20260101T000000Z-person-00000000', '../backups']) {
      expectError(await owner.client.call('verifyBackup', { params: { backup_id } }), 'NOT_FOUND');
    }
  });

  it('is nothing to an organization that is a guest', async () => {
    expect((await guest.client.ok('listBackups')).backups).toEqual([]);
    expectError(await guest.client.call('createBackup'), 'FORBIDDEN', 'home organization');
  });

  it('says where it cannot be made', async () => {
    const other = await TestService.start({ backupDir: join(service.dataDir, 'ledger.sqlite') });
    const account = await other.signUp();
    await account.client.ok('createBackup');
    const { job, backups } = await ended(account);
    expect(job).toMatchObject({ status: 'failed', failure: expect.stringContaining('cannot be made') });
    expect(backups).toEqual([]);
  });
});

describe('the schedule', () => {
  const at = (text: string): number => Date.parse(text);
  const daily = { backupEvery: 'day', backupHour: 3 } as const;
  const weekly = { backupEvery: 'week', backupHour: 22 } as const;

  it.each<[string, Parameters<typeof lastDue>[0], string, string | null]>([
    ['off', { backupEvery: 'off', backupHour: 3 }, '2026-11-21T05:00:00Z', null],
    ['daily, after the hour', daily, '2026-11-21T05:00:00Z', '2026-11-21T03:00:00Z'],
    ['daily, at the hour', daily, '2026-11-21T03:00:00Z', '2026-11-21T03:00:00Z'],
    ['daily, before the hour', daily, '2026-11-21T02:59:59Z', '2026-11-20T03:00:00Z'],
    ['weekly, on a Saturday', weekly, '2026-11-21T05:00:00Z', '2026-11-16T22:00:00Z'],
    ['weekly, early on a Monday', weekly, '2026-11-16T21:00:00Z', '2026-11-09T22:00:00Z'],
  ])('%s', (_, schedule, now, expected) => {
    expect(lastDue(schedule, at(now))).toBe(expected === null ? null : at(expected));
  });

  it('makes up at once for what was missed, and else waits for the next', () => {
    const now = at('2026-11-21T05:00:00Z');
    expect(nextDue(daily, null, now)).toBe(now);
    expect(nextDue(daily, at('2026-11-20T03:00:10Z'), now)).toBe(now);
    expect(nextDue(daily, at('2026-11-21T03:00:10Z'), now)).toBe(at('2026-11-22T03:00:00Z'));
    expect(nextDue(weekly, at('2026-11-16T22:00:10Z'), now)).toBe(at('2026-11-23T22:00:00Z'));
  });

  it('is kept by the service, from the change of the settings on and at the next start', async () => {
    const other = await TestService.start();
    const account = await other.signUp();
    const settings = { 'backup-every': 'day', 'backup-keep': 1 };
    await account.client.ok('changeSettings', { body: { settings } });
    const scheduled = (client: Account['client']) =>
      until('a backup by the schedule', async () => {
        const { backups, job } = await client.ok('listBackups');
        const rows = backups.filter(({ made_by: by, verification }) => by === 'schedule' && verification !== null);
        expect(job?.failure ?? null).toBeNull();
        return job?.status !== 'running' && rows.length > 0 && rows;
      });
    const [first] = await scheduled(account.client);
    expect(Date.parse((await account.client.ok('listBackups')).next_at ?? '')).toBeGreaterThan(Date.now());
    // While it was off a backup was missed: here because the one that was made is gone.
    await other.stop();
    rmSync(join(other.dataDir, 'backups'), { recursive: true });
    await other.restart();
    const [second] = await scheduled(other.client(account.client.token));
    expect(second?.backup_id).not.toBe(first?.backup_id);
  });
});

describe('what is kept', () => {
  it('is the newest of the schedule, all of people, and the last good one', async () => {
    const path = temporaryFolder();
    const kept = new KeptBackups(() => path);
    const [source] = (await owner.client.ok('listBackups')).backups;
    const make = (minute: number, by: 'schedule' | 'person'): string => {
      const id = newBackupId(Date.parse('2026-01-01T00:00:00Z') + minute * 60_000, by);
      mkdirSync(join(path, id));
      return id;
    };
    const ids = [1, 2, 3, 4].map((minute) => make(minute, 'schedule'));
    const byPerson = make(0, 'person');
    for (const id of [...ids, byPerson]) {
      cpSync(join(folder, source?.backup_id ?? '', 'backup.json'), join(path, id, 'backup.json'));
    }
    const [oldest = '', second = '', third = '', newest = ''] = ids;
    await kept.note(oldest, { verified_at: '2026-01-01T00:00:00.000Z', state: 'good', message: null });
    await kept.prune(2);
    expect(kept.list().map(({ backup_id: id }) => id)).toEqual([newest, third, oldest, byPerson]);
    expect(readdirSync(path)).not.toContain(second);
  });
});
