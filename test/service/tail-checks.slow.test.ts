import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { StrictVerifier } from '../../src/protocol/index.ts';
import { examineEpochTail } from '../../src/service/ledger/start-checks/tail-epochs.ts';
import { openStore } from '../../src/service/store/open.ts';
import { expectError } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { refusedStart } from '../support/refused-start.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';

const folder = temporaryFolder();
let folders = 0;

/** A stopped service's folder: 12 records of two agents in epochs of 4, the last one of 2. */
async function makeLedger(): Promise<string> {
  const service = await TestService.start({ epochMaxLeaves: 5 });
  const owner = await service.signUp();
  const signers = [await registerAgent(owner, 'agent-a'), await registerAgent(owner, 'agent-b')] as const;
  for (let n = 0; n < 12; n++) await submitNext(owner, signers[n % 2] ?? signers[0]);
  await service.stop();
  return service.dataDir;
}

const sound = await makeLedger();

/** A copy of the sound folder, its database changed behind the service's back. */
function damaged(...statements: readonly string[]): string {
  const dataDir = join(folder, `data-${folders++}`);
  cpSync(sound, dataDir, { recursive: true });
  const database = new Database(join(dataDir, 'ledger.sqlite'));
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
  for (const name of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.pragma('foreign_keys = OFF');
  for (const statement of statements) expect(database.prepare(statement).run().changes).toBeGreaterThan(0);
  database.close();
  return dataDir;
}

describe('a start looks at the tail of the ledger', () => {
  it('and finds nothing where nothing is wrong', async () => {
    expect(await refusedStart({ dataDir: damaged() })).toBeUndefined();
  });

  it.each<[string, string, RegExp]>([
    ['a changed subject', "UPDATE operations SET subject = 'x' WHERE seq_no = 7", /record 7: .*chain hash/],
    ['a changed payload', "UPDATE operations SET payload = '{}' WHERE seq_no = 12", /record 12: .*payload/],
    [
      'a payload that is no JSON',
      "UPDATE operations SET payload = '{' WHERE seq_no = 12",
      /record 12: .*cannot be read/,
    ],
    [
      'a time that is none',
      'UPDATE operations SET received_at = 1 << 60 WHERE seq_no = 3',
      /record 3: .*cannot be read/,
    ],
    [
      'a changed time of receipt',
      'UPDATE operations SET received_at = received_at + 1 WHERE seq_no = 1',
      /record 1: .*leaf/,
    ],
    [
      "another receipt's signature",
      'UPDATE operations SET service_signature = (SELECT service_signature FROM operations WHERE seq_no = 4) WHERE seq_no = 5',
      /record 5: .*signature/,
    ],
    ['a strange leaf hash', 'UPDATE operations SET leaf_hash = zeroblob(32) WHERE seq_no = 11', /record 11: .*leaf/],
    ['a record that is gone', 'DELETE FROM operations WHERE seq_no = 8', /record 8: is missing/],
    ['the newest record gone', 'DELETE FROM operations WHERE seq_no = 12', /record 12: is missing/],
    ['an unsealed record gone', 'DELETE FROM epochs WHERE epoch_no = 2', /epoch 3: .*missing/],
    ['a changed epoch', 'UPDATE epochs SET end_time = start_time WHERE epoch_no = 2', /epoch 2: .*signature/],
    ["an agent's head elsewhere", 'UPDATE agents SET head_seq_no = 9', /agent agent-[ab]: the head of its chain/],
    [
      "an agent's head altered",
      'UPDATE agents SET head_chain_hash = zeroblob(32)',
      /agent agent-[ab]: the head of its chain/,
    ],
    ['an agent without its head', 'UPDATE agents SET head_seq_no = NULL', /agent agent-[ab]: has no head/],
    ['a changed admin event', "UPDATE admin_events SET actor = 'nobody' WHERE event_no = 3", /admin event .*hash/],
    ['an admin event that is gone', 'DELETE FROM admin_events WHERE event_no = 2', /admin event .*follow/],
    ['a key of somebody else', "UPDATE operations SET service_kid = 'other' WHERE seq_no = 2", /record 2: .*key/],
  ])('%s', async (_, statement, message) => {
    const dataDir = damaged(statement);
    const error = await refusedStart({ dataDir });
    expect(error).toMatchObject({ code: 'LEDGER_DAMAGED', message: expect.stringMatching(message) });
    expect(error?.message).toContain('--accept-damage');
    expect(error?.message).toContain(`countersign verify --data-dir ${dataDir}`);
  });

  it('where records that no epoch has sealed are missing, beyond the newest that are looked at', async () => {
    const dataDir = damaged('DELETE FROM epochs', 'DELETE FROM operations WHERE seq_no = 6');
    const store = openStore(join(dataDir, 'ledger.sqlite'));
    const orgId = store.sqlite.prepare('SELECT org_id FROM organizations').pluck().get() as string;
    const reader = { store, keys: new Map<string, Uint8Array>(), verifier: new StrictVerifier(nodeCrypto) };
    expect(await examineEpochTail(reader, orgId, 12)).toMatchObject([
      { place: 'the open epoch, from record 1 on', expected: '12 records', found: '11' },
    ]);
    store.close();
  });

  it('where a record does not follow on the one of its agent before it', async () => {
    const dataDir = damaged('UPDATE operations SET prev_chain_hash = zeroblob(32) WHERE seq_no = 10');
    expect(await refusedStart({ dataDir })).toMatchObject({
      code: 'LEDGER_DAMAGED',
      message: expect.stringMatching(/record 10: does not follow/),
    });
  });

  it('and says of a file that SQLite cannot read what it is, without a stack', async () => {
    const dataDir = damaged();
    const path = join(dataDir, 'ledger.sqlite');
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 8192);
    writeFileSync(path, bytes);
    expect(await refusedStart({ dataDir })).toMatchObject({ code: 'LEDGER_DAMAGED' });
    bytes.fill(0xa5, 200);
    writeFileSync(path, bytes);
    expect(await refusedStart({ dataDir })).toMatchObject({ code: 'LEDGER_DAMAGED' });
  });
});

describe('a damaged ledger that is accepted', async () => {
  const service = await TestService.start({ epochMaxLeaves: 2 });
  const [owner, other] = [await service.signUp('a'), await service.signUp('b')];
  const [signer, otherSigner] = [await registerAgent(owner), await registerAgent(other)];
  for (let n = 0; n < 3; n++) {
    await submitNext(owner, signer);
    await submitNext(other, otherSigner);
  }
  await service.stop();
  service.sql.exec('DROP TRIGGER operations_keep_values; DROP TRIGGER epochs_keep_rows');
  service.sql.prepare("UPDATE operations SET subject = 'x' WHERE seq_no = 2 AND org_id = ?").run(owner.orgId);
  service.sql.prepare('DELETE FROM epochs WHERE epoch_no = 2 AND org_id = ?').run(owner.orgId);
  await service.stop();
  const heads = readFileSync(join(service.dataDir, 'heads.json'));
  await service.restart({ acceptDamage: true });
  const [reader, sender] = [owner, other].map(({ client: { token } }) => service.client(token));

  it('can be read, and exported as far as it is sealed; what is damaged takes no records and gets no epochs', async () => {
    if (reader === undefined) throw new Error('no client');
    const refused = await reader.call('submitOperation', { body: signer.next() });
    expectError(refused, 'CONFLICT', 'damaged');
    const bundle = await bundleOf({ ...owner, client: reader });
    expect(JSON.parse(bundle.toString('utf8'))).toMatchObject({ manifest: { record_count: 2 } });
    expect((await reader.ok('listEpochs')).data).toHaveLength(1);
  });

  it('takes records of the organizations that are sound', async () => {
    await sender?.ok('submitOperation', { body: otherSigner.next() });
  });

  it('does not become what the next start is held to', async () => {
    await service.stop();
    expect(readFileSync(join(service.dataDir, 'heads.json'))).toEqual(heads);
    expect(await refusedStart({ dataDir: service.dataDir })).toMatchObject({ code: 'LEDGER_DAMAGED' });
  });
});
