import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { formatDigest } from '../../src/protocol/index.ts';
import { BackupError, type BackupManifest, restoreBackup, verifyBackup, writeBackup } from '../../src/service/index.ts';
import { temporaryFolder } from '../support/folders.ts';
import { refusedStart } from '../support/refused-start.ts';
import { bundleOf, registerAgent, signInAt, submitNext, TestService, verifyWith } from '../support/service.ts';

const folder = temporaryFolder();
let paths = 0;
const newPath = (ending = ''): string => join(folder, `path-${paths++}${ending}`);

const service = await TestService.start();
const owner = await service.signUp();
const signer = await registerAgent(owner);
for (let n = 0; n < 3; n++) await submitNext(owner, signer);
const { dataDir } = service;

const back = (to: string, options: { withoutKeys?: boolean; dataDir?: string } = {}): Promise<BackupManifest> =>
  writeBackup({ dataDir, to, withoutKeys: false, now: Date.now, ...options });

async function refusal(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return 'done';
  } catch (error) {
    if (error instanceof BackupError) return error.code;
    throw error;
  }
}

const sound = newPath();
const manifest = await back(sound);

/** A copy of the sound backup. */
function copy(): string {
  const path = newPath();
  cpSync(sound, path, { recursive: true });
  return path;
}

function changeManifest(path: string, change: (text: string) => string): void {
  const file = join(path, 'backup.json');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

describe('a backup folder, of a service that runs', () => {
  it('holds the database as one file, the keys and a manifest, each for its user alone', () => {
    const names = ['backup.json', 'ledger.sqlite', 'sealing-key.json', 'service-key.json'];
    expect(readdirSync(sound).toSorted()).toEqual(names);
    for (const name of ['', ...names]) expect(statSync(join(sound, name)).mode & 0o077).toBe(0);
  });

  it('says where every chain ends, and is signed by the service key', () => {
    expect(manifest).toMatchObject({
      type: 'countersign.backup.v1',
      service_kid: service.kid,
      heads: [{ org_id: owner.orgId, record: { seq_no: 3 }, epoch: null }],
    });
    expect(manifest.signature).not.toBeNull();
  });

  it('verifies, and is not changed by that', async () => {
    const before = readdirSync(sound).map((name) => readFileSync(join(sound, name)));
    expect(await verifyBackup(sound, [service.kid])).toEqual({ manifest, headsCompared: true });
    expect(readdirSync(sound).map((name) => readFileSync(join(sound, name)))).toEqual(before);
  });

  it('verifies where nothing may be written', async () => {
    const path = copy();
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o400);
    chmodSync(path, 0o500);
    expect((await verifyBackup(path)).manifest).toEqual(manifest);
    chmodSync(path, 0o700);
  });

  it('can be told to leave the keys out', async () => {
    const path = newPath();
    const { files, signature } = await back(path, { withoutKeys: true });
    expect(files.map(({ name }) => name)).toEqual(['ledger.sqlite']);
    expect(signature).not.toBeNull();
    expect(readdirSync(path).toSorted()).toEqual(['backup.json', 'ledger.sqlite']);
  });

  it('is not signed where the key is not in the folder', async () => {
    const keyless = newPath();
    cpSync(sound, keyless, { recursive: true });
    rmSync(join(keyless, 'service-key.json'));
    const path = newPath();
    expect(await back(path, { dataDir: keyless })).toMatchObject({ signature: null, service_kid: service.kid });
    expect(await refusal(() => verifyBackup(path))).toBe('done');
    expect(await refusal(() => verifyBackup(path, [service.kid]))).toBe('BACKUP_FORGED');
  });
});

describe('a backup in a single file', () => {
  const path = newPath('.sqlite');

  it('is the database alone, its manifest beside it', async () => {
    const { files } = await back(path);
    expect(files.map(({ name }) => name)).toEqual(['ledger.sqlite']);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(existsSync(`${path}.part`)).toBe(false);
    expect(await verifyBackup(path)).toMatchObject({ manifest: { service_kid: service.kid } });
  });

  it('is restored, and wants the key then', async () => {
    const restored = newPath();
    const { missing } = await restoreBackup({ from: path, dataDir: restored });
    expect(missing).toEqual(['service-key.json', 'sealing-key.json']);
    expect(await refusedStart({ dataDir: restored })).toMatchObject({ code: 'KEY_MISSING' });
    cpSync(join(dataDir, 'service-key.json'), join(restored, 'service-key.json'));
    expect(await refusedStart({ dataDir: restored })).toBeUndefined();
  });
});

describe('a restored folder', () => {
  it('continues where the backup was made', async () => {
    const restored = newPath();
    expect((await restoreBackup({ from: sound, dataDir: restored, trustedKids: [service.kid] })).missing).toEqual([]);
    expect(readdirSync(restored).toSorted()).toEqual(['ledger.sqlite', 'sealing-key.json', 'service-key.json']);
    const again = await TestService.start({ dataDir: restored });
    expect(again.kid).toBe(service.kid);
    const same = await signInAt(again.url, owner);
    const receipt = await same.client.ok('submitOperation', { body: signer.record() });
    expect(receipt.seq_no).toBe(4);
    const report = await verifyWith(again.kid, await bundleOf(same));
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: 4 } });
  });

  it('may have been an empty one before, and nothing else', async () => {
    const empty = newPath();
    mkdirSync(empty);
    expect(await refusal(() => restoreBackup({ from: sound, dataDir: empty }))).toBe('done');
    const before = readdirSync(empty).map((name) => readFileSync(join(empty, name)));
    expect(await refusal(() => restoreBackup({ from: sound, dataDir: empty }))).toBe('TARGET_EXISTS');
    expect(readdirSync(empty).map((name) => readFileSync(join(empty, name)))).toEqual(before);
    const file = newPath();
    writeFileSync(file, 'content');
    expect(await refusal(() => restoreBackup({ from: sound, dataDir: file }))).toBe('TARGET_EXISTS');
  });

  it('is refused by its ledger, put over a newer one by hand', async () => {
    const newer = newPath();
    await restoreBackup({ from: sound, dataDir: newer });
    const again = await TestService.start({ dataDir: newer });
    await (await signInAt(again.url, owner)).client.ok('submitOperation', { body: signer.record() });
    await again.stop();
    for (const name of readdirSync(sound)) cpSync(join(sound, name), join(newer, name));
    expect(await refusedStart({ dataDir: newer })).toMatchObject({ code: 'LEDGER_ROLLED_BACK' });
  });
});

describe('a backup that is not what it was is neither verified nor restored', () => {
  const flip = (name: string, at: number) => (path: string) => {
    const file = join(path, name);
    const bytes = readFileSync(file);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };

  it.each<[string, string, (path: string) => void]>([
    ['a bit of the database', 'BACKUP_DAMAGED', flip('ledger.sqlite', 20_000)],
    ['a bit of a key', 'BACKUP_DAMAGED', flip('service-key.json', 50)],
    ['a database cut off', 'BACKUP_DAMAGED', (path) => writeFileSync(join(path, 'ledger.sqlite'), '')],
    ['a key gone', 'BACKUP_DAMAGED', (path) => rmSync(join(path, 'sealing-key.json'))],
    ['the database gone', 'BACKUP_DAMAGED', (path) => rmSync(join(path, 'ledger.sqlite'))],
    ['the manifest gone', 'NOT_A_BACKUP', (path) => rmSync(join(path, 'backup.json'))],
    ['no manifest', 'BACKUP_DAMAGED', (path) => changeManifest(path, () => '{}')],
    ['half a manifest', 'BACKUP_DAMAGED', (path) => changeManifest(path, (text) => text.slice(0, 200))],
    [
      'another time',
      'BACKUP_FORGED',
      (path) => changeManifest(path, (text) => text.replace('"created_at": "2', '"created_at": "1')),
    ],
    [
      'other heads',
      'BACKUP_FORGED',
      (path) => changeManifest(path, (text) => text.replace('"seq_no": 3', '"seq_no": 2')),
    ],
    [
      'a file less',
      'BACKUP_FORGED',
      (path) => changeManifest(path, (text) => text.replace('"sealing-key.json"', '"service-key.json"')),
    ],
    [
      'another kid',
      'BACKUP_FORGED',
      (path) => changeManifest(path, (text) => text.replace(/"service_kid": "./, '"service_kid": "_')),
    ],
  ])('%s', async (_, code, damage) => {
    const path = copy();
    damage(path);
    expect(await refusal(() => verifyBackup(path))).toBe(code);
    const restored = newPath();
    expect(await refusal(() => restoreBackup({ from: path, dataDir: restored }))).toBe(code);
    expect([restored, `${restored}.part`].map((made) => existsSync(made))).toEqual([false, false]);
  });

  it('by itself sound, but signed by somebody else', async () => {
    const trustedKids = ['A'.repeat(43)];
    expect(await refusal(() => verifyBackup(sound, trustedKids))).toBe('BACKUP_FORGED');
    expect(await refusal(() => restoreBackup({ from: sound, dataDir: newPath(), trustedKids }))).toBe('BACKUP_FORGED');
  });

  /** Changes the database and, like somebody who knows how, the unsigned manifest's digest. */
  function rewrite(path: string, change: (database: Database.Database) => void): void {
    const database = new Database(join(path, 'ledger.sqlite'));
    change(database);
    database.close();
    const bytes = readFileSync(join(path, 'ledger.sqlite'));
    const parsed = JSON.parse(readFileSync(join(path, 'backup.json'), 'utf8')) as BackupManifest;
    const files = parsed.files.map((file) =>
      file.name === 'ledger.sqlite'
        ? { ...file, size: bytes.length, sha256: formatDigest(nodeCrypto.sha256(bytes)) }
        : file,
    );
    writeFileSync(join(path, 'backup.json'), JSON.stringify({ ...parsed, files, signature: null }));
  }

  it.each<[string, string, (database: Database.Database) => void]>([
    [
      'a record less',
      'BACKUP_DAMAGED',
      (database) => {
        database.exec('DROP TRIGGER operations_keep_rows; DELETE FROM operations WHERE seq_no = 3');
      },
    ],
    [
      'an organization more',
      'BACKUP_DAMAGED',
      (database) => {
        database.exec("INSERT INTO organizations (org_id, name, created_at) VALUES ('more', 'More', 1)");
      },
    ],
    ['a newer schema', 'BACKUP_NEWER', (database) => void database.pragma('user_version = 99')],
    ['another program’s', 'BACKUP_DAMAGED', (database) => void database.pragma('application_id = 1')],
    [
      'an index that does not fit',
      'BACKUP_DAMAGED',
      (database) => {
        database.exec('CREATE INDEX times ON operations (org_id, received_at)');
        database.unsafeMode();
        database.pragma('writable_schema = ON');
        database.exec("UPDATE sqlite_schema SET sql = replace(sql, 'received_at', 'nonce') WHERE name = 'times'");
        database.exec('UPDATE organizations SET created_at = created_at');
      },
    ],
  ])('its database: %s', async (_, code, change) => {
    const path = copy();
    rewrite(path, change);
    expect(await refusal(() => verifyBackup(path))).toBe(code);
    const restored = newPath();
    expect(await refusal(() => restoreBackup({ from: path, dataDir: restored }))).toBe(code);
    expect(existsSync(restored)).toBe(false);
  });
});

describe('a backup of a ledger that is written to all the time', () => {
  it('comes to its end, and is of one moment', async () => {
    const busy = await TestService.start();
    const { orgId } = await busy.signUp();
    busy.sql.exec('UPDATE organizations SET description = hex(zeroblob(10000000)), created_at = 0');
    const [to, totals] = [newPath(), new Set<number>()];
    let steps = 0;
    await writeBackup({
      dataDir: busy.dataDir,
      to,
      withoutKeys: true,
      now: Date.now,
      onProgress: (_, total) => {
        totals.add(total);
        busy.sql.exec('UPDATE organizations SET created_at = created_at + 1');
        if (++steps > 50) throw new Error('it starts over after each commit');
      },
    });
    expect(steps).toBeGreaterThan(3);
    expect(totals.size).toBe(1);
    const database = new Database(join(to, 'ledger.sqlite'), { readonly: true });
    expect(database.prepare('SELECT org_id, created_at FROM organizations').all()).toEqual([
      { org_id: orgId, created_at: 0 },
    ]);
    database.close();
  });
});

describe('no backup is made', () => {
  it('of a folder without a ledger, or of another program’s database', async () => {
    expect(await refusal(() => back(newPath(), { dataDir: folder }))).toBe('LEDGER_MISSING');
    const foreign = newPath();
    mkdirSync(foreign);
    new Database(join(foreign, 'ledger.sqlite')).exec('CREATE TABLE recipes (name TEXT)').close();
    await expect(back(newPath(), { dataDir: foreign })).rejects.toMatchObject({ code: 'NOT_OUR_DATABASE' });
  });

  it('of a ledger whose schema is an older version’s', async () => {
    const older = copy();
    const database = new Database(join(older, 'ledger.sqlite'));
    const version = database.pragma('user_version', { simple: true }) as number;
    database.pragma(`user_version = ${version - 1}`);
    database.close();
    await expect(back(newPath(), { dataDir: older })).rejects.toMatchObject({ code: 'LEDGER_OLDER' });
  });

  it.each(['', '.sqlite'])('over what is there: "%s"', async (ending) => {
    const path = newPath(ending);
    writeFileSync(path, 'content');
    expect(await refusal(() => back(path))).toBe('TARGET_EXISTS');
    expect(readFileSync(path, 'utf8')).toBe('content');
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it.each(['', '.sqlite'])('over what another one left or is making: "%s.part"', async (ending) => {
    const path = newPath(ending);
    mkdirSync(`${path}.part`);
    writeFileSync(join(`${path}.part`, 'ledger.sqlite'), 'content');
    expect(await refusal(() => back(path))).toBe('TARGET_EXISTS');
    expect(readFileSync(join(`${path}.part`, 'ledger.sqlite'), 'utf8')).toBe('content');
    expect(existsSync(path)).toBe(false);
  });

  it('of a database that SQLite cannot read', async () => {
    const broken = copy();
    const bytes = readFileSync(join(broken, 'ledger.sqlite'));
    bytes.fill(0xa5, 8192);
    writeFileSync(join(broken, 'ledger.sqlite'), bytes);
    await expect(back(newPath(), { dataDir: broken })).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
  });

  it('in part: a failure removes what there was', async () => {
    const broken = copy();
    chmodSync(join(broken, 'service-key.json'), 0o644);
    const path = newPath();
    await expect(back(path, { dataDir: broken })).rejects.toMatchObject({ code: 'KEY_UNREADABLE' });
    expect([path, `${path}.part`].map((made) => existsSync(made))).toEqual([false, false]);
  });
});
