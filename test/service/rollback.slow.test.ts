import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HeadsKeeper } from '../../src/service/ledger/heads/keeper.ts';
import { checkRollback } from '../../src/service/ledger/start-checks/rollback.ts';
import { openStore } from '../../src/service/store/open.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestLedger } from '../support/ledger.ts';
import { refusedStart } from '../support/refused-start.ts';
import { type Account, eventsOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
let folders = 0;
const newFolder = (): string => join(folder, `data-${folders++}`);

interface Heads {
  heads: { org_id: string; record: { seq_no: number } | null; epoch: { epoch_no: number } | null }[];
}
const headsOf = (dataDir: string): Heads => JSON.parse(readFileSync(join(dataDir, 'heads.json'), 'utf8')) as Heads;

/** A further owner of the organization there is. */
function ownerOf(service: TestService): Account {
  const orgId = headsOf(service.dataDir).heads[0]?.org_id ?? '';
  return service.addUser({ orgId, role: 'org_owner' });
}

/** A folder as it was after two records, and as it is after five. */
async function twoStates(): Promise<{ older: string; newer: string }> {
  const service = await TestService.start();
  const owner = await service.signUp();
  const signer = await registerAgent(owner, 'agent');
  for (let n = 0; n < 2; n++) await submitNext(owner, signer);
  await service.stop();
  const older = newFolder();
  cpSync(service.dataDir, older, { recursive: true });
  await service.restart();
  const again = { ...owner, client: service.client(owner.client.token) };
  for (let n = 0; n < 3; n++) await submitNext(again, signer);
  await service.stop();
  return { older, newer: service.dataDir };
}

const { older, newer } = await twoStates();

/** The newer folder with files of the older one put over its own. */
function rolledBack(...files: readonly string[]): string {
  const dataDir = newFolder();
  cpSync(newer, dataDir, { recursive: true });
  for (const file of files) cpSync(join(older, file), join(dataDir, file));
  return dataDir;
}

/** The id that a refusal says can be accepted. */
async function offeredId(dataDir: string): Promise<string> {
  const error = await refusedStart({ dataDir });
  return /--accept-rollback ([0-9a-f]{16})/.exec(error?.message ?? '')?.[1] ?? 'none';
}

describe('the heads beside the ledger', () => {
  it('are those of a cleanly stopped ledger, for its user alone', () => {
    expect(headsOf(newer).heads).toMatchObject([{ record: { seq_no: 5 }, epoch: { epoch_no: 2 } }]);
    expect(statSync(join(newer, 'heads.json')).mode & 0o077).toBe(0);
  });

  it('follow the ledger while it runs, and its clean stop', async () => {
    const ledger = await TestLedger.open();
    const { store, writer, key } = ledger;
    const path = join(ledger.folder, 'heads.json');
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const keeper = new HeadsKeeper({ store, writer, key, path, now: Date.now, onError, intervalMs: 1 });
    await keeper.start();
    expect(headsOf(ledger.folder).heads).toMatchObject([{ record: null, epoch: null }]);
    const signer = await ledger.agent('agent');
    await ledger.submit(signer.next());
    await until('the heads', () => headsOf(ledger.folder).heads[0]?.record?.seq_no === 1);
    await ledger.submit(signer.next());
    await ledger.ledger.sealNow(ledger.orgId);
    await keeper.close();
    expect(headsOf(ledger.folder).heads).toMatchObject([{ record: { seq_no: 2 }, epoch: { epoch_no: 1 } }]);
    expect(errors).toEqual([]);
  });

  it('are never ahead of the ledger: whatever a crash leaves refuses no start', async () => {
    const ledger = await TestLedger.open({ epochMaxLeaves: 7 });
    const { store, writer, key } = ledger;
    const path = join(ledger.folder, 'heads.json');
    const onError = (error: unknown): void => void ledger.errors.push(error);
    const keeper = new HeadsKeeper({ store, writer, key, path, now: Date.now, onError, intervalMs: 0 });
    await keeper.start();
    const signer = await ledger.agent('agent');
    const seen = new Set<number | undefined>();
    for (let n = 0; n < 60; n++) {
      const answered = ledger.submit(signer.next());
      for (let turn = 0; turn < n % 8; turn++) await new Promise((resolve) => setImmediate(resolve));
      // Copied within one turn: what a crash would leave right here, also in the middle of a submission.
      const image = newFolder();
      for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'heads.json']) {
        cpSync(join(ledger.folder, name), join(image, name));
      }
      seen.add(headsOf(image).heads[0]?.record?.seq_no);
      const crashed = openStore(join(image, 'ledger.sqlite'));
      const check = {
        store: crashed,
        writer: new Writer(crashed),
        key,
        path: join(image, 'heads.json'),
        accepted: null,
        now: Date.now,
      };
      await checkRollback({ ...check, damaged: new Set(), warn: () => undefined });
      crashed.close();
      await answered;
    }
    await keeper.close();
    // The heads did follow meanwhile.
    expect(seen.size).toBeGreaterThan(2);
    expect(ledger.errors).toEqual([]);
  });

  it('are not looked for in an older version, and not missed after a crash', async () => {
    const dataDir = rolledBack();
    rmSync(join(dataDir, 'heads.json'));
    expect(await refusedStart({ dataDir })).toBeUndefined();
    expect(headsOf(dataDir).heads).toMatchObject([{ record: { seq_no: 5 } }]);
  });

  it('may be behind: a crash came between', async () => {
    const dataDir = rolledBack('heads.json');
    expect(headsOf(dataDir).heads).toMatchObject([{ record: { seq_no: 2 } }]);
    expect(await refusedStart({ dataDir })).toBeUndefined();
    expect(headsOf(dataDir).heads).toMatchObject([{ record: { seq_no: 5 } }]);
  });

  it('may have been left half written under another name', async () => {
    const dataDir = rolledBack();
    writeFileSync(join(dataDir, 'heads.json.new'), '{"half":');
    expect(await refusedStart({ dataDir })).toBeUndefined();
    expect(readdirSync(dataDir)).not.toContain('heads.json.new');
  });
});

describe('a ledger that was set back', () => {
  it('is refused: expected, found, and the way forward are named', async () => {
    const error = await refusedStart({ dataDir: rolledBack('ledger.sqlite') });
    expect(error).toMatchObject({ code: 'LEDGER_ROLLED_BACK' });
    expect(error?.message).toMatch(/record 5: expected sha256:[0-9a-f]{64}, found nothing: the newest is record 2/);
    expect(error?.message).toMatch(/--accept-rollback [0-9a-f]{16}/);
  });

  it('is refused where another history took its place', async () => {
    const dataDir = rolledBack('ledger.sqlite', 'heads.json');
    const service = await TestService.start({ dataDir });
    const owner = ownerOf(service);
    const signer = await registerAgent(owner);
    for (let n = 0; n < 4; n++) await submitNext(owner, signer);
    await service.stop();
    cpSync(join(newer, 'heads.json'), join(dataDir, 'heads.json'));
    const error = await refusedStart({ dataDir });
    expect(error).toMatchObject({ code: 'LEDGER_ROLLED_BACK' });
    expect(error?.message).toMatch(/record 5: expected sha256:[0-9a-f]{64}, found sha256:/);
  });

  it('is refused where nothing is left of it', async () => {
    const dataDir = rolledBack();
    rmSync(join(dataDir, 'ledger.sqlite'));
    expect(await refusedStart({ dataDir })).toMatchObject({ code: 'LEDGER_ROLLED_BACK' });
    // Nor was a new one begun.
    expect(readdirSync(dataDir)).not.toContain('ledger.sqlite');
  });

  it.each<[string, (text: string) => string]>([
    ['altered', (text) => text.replace('"seq_no":5', '"seq_no":2')],
    ['signed by nobody', (text) => text.replace(/"signature":"[^"]+"/, `"signature":"${'A'.repeat(86)}"`)],
    ['no heads at all', () => '{}'],
    ['cut off', (text) => text.slice(0, 100)],
  ])('is not hidden by heads that are %s', async (_, change) => {
    const dataDir = rolledBack('ledger.sqlite');
    const path = join(dataDir, 'heads.json');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    expect(await refusedStart({ dataDir })).toMatchObject({ code: 'HEADS_UNREADABLE' });
    const acceptRollback = await offeredId(dataDir);
    expect(await refusedStart({ dataDir, acceptRollback })).toBeUndefined();
  });

  it('continues where that one rollback is accepted, which is recorded', async () => {
    const dataDir = rolledBack('ledger.sqlite');
    const acceptRollback = await offeredId(dataDir);
    const before = readFileSync(join(dataDir, 'heads.json'), 'utf8');
    expect(await refusedStart({ dataDir, acceptRollback: '0123456789abcdef' })).toMatchObject({
      code: 'LEDGER_ROLLED_BACK',
    });
    const service = await TestService.start({ dataDir, acceptRollback });
    const owner = ownerOf(service);
    const [event, ...more] = await eventsOf(owner, 'ledger.accept_rollback');
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      actor: 'operator',
      target_id: acceptRollback,
      details: { expected: { record: { seq_no: 5 } }, found: { record: { seq_no: 2 } } },
    });
    expect(readFileSync(join(dataDir, `heads-before-rollback-${acceptRollback}.json`), 'utf8')).toBe(before);
    await service.stop();
    // It was this one, not every one: nothing is accepted a second time, and nothing has to be.
    expect(await refusedStart({ dataDir })).toBeUndefined();
    cpSync(join(older, 'ledger.sqlite'), join(dataDir, 'ledger.sqlite'));
    expect(await refusedStart({ dataDir, acceptRollback })).toMatchObject({ code: 'LEDGER_ROLLED_BACK' });
  });

  it('is recorded once, whenever a crash comes', async () => {
    const dataDir = rolledBack('ledger.sqlite');
    const acceptRollback = await offeredId(dataDir);
    const heads = readFileSync(join(dataDir, 'heads.json'));
    expect(await refusedStart({ dataDir, acceptRollback })).toBeUndefined();
    // As if the crash had come before the new heads were written.
    writeFileSync(join(dataDir, 'heads.json'), heads);
    expect(await refusedStart({ dataDir })).toMatchObject({ code: 'LEDGER_ROLLED_BACK' });
    const service = await TestService.start({ dataDir, acceptRollback });
    const owner = ownerOf(service);
    expect(await eventsOf(owner, 'ledger.accept_rollback')).toHaveLength(1);
  });
});
