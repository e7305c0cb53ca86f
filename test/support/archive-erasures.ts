/** How an erasure at a host reaches its archive, over any kind of archive (docs/decisions/0098-archive-buckets-and-erasure.md). */
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { verifyBundle } from '../../src/protocol/index.ts';
import { type AcceptedRun, followArchive, type RefusedRun } from '../../src/service/archive/follow.ts';
import { openRunStore } from '../../src/service/archive/open-run-store.ts';
import { type ArchiveHost, archiveHost, shipped } from './archive.ts';
import { killedAt } from './archive-killed.ts';
import { type ArchivePlace, folderPlace, type NewPlace } from './archive-places.ts';
import { at as nth } from './bytes.ts';
import { expectError } from './client.ts';
import { copyOfRunning, temporaryFolder } from './folders.ts';
import { registerAgent, submitNext } from './service.ts';

const SECRET = 'the-secret-of-this-record';

interface Erasing {
  readonly host: ArchiveHost;
  readonly place: ArchivePlace;
  readonly accepted: readonly AcceptedRun[];
  /** Of the records with the secret. */
  readonly ids: readonly string[];
}

async function follow(place: ArchivePlace, kid: string, accepted: readonly AcceptedRun[] = []) {
  const found: { accepted: AcceptedRun[]; refused: RefusedRun[] } = { accepted: [], refused: [] };
  await followArchive({
    store: place.store,
    trustedKids: [kid],
    accepted,
    recheck: true,
    signal: new AbortController().signal,
    onAccepted: (run) => void found.accepted.push(run),
    onRefused: (run) => void found.refused.push(run),
  });
  return found;
}

/** Files of an archive in which the secret is, packed or not. */
async function showing({ place }: Erasing): Promise<string[]> {
  const found = [];
  for (const { path } of await place.store.list()) {
    const bytes = await place.read(path);
    if (bytes.includes(SECRET) || gunzipSync(bytes).includes(SECRET)) found.push(path);
  }
  return found;
}

/** Two runs that were accepted; a plain and a salted record of the first have the secret. */
async function erasing(place: ArchivePlace): Promise<Erasing> {
  const host = await archiveHost();
  const salted = await registerAgent(host.account, 'salted');
  await submitNext(host.account, host.signer);
  const plain = await submitNext(host.account, host.signer, { payload: { text: SECRET } });
  const { operation_id: saltedId } = await host.account.client.ok('submitOperation', {
    body: salted.nextSalted({ text: SECRET, other: 'stays' }),
  });
  await host.seal(2);
  await shipped(host.service.dataDir, place.store);
  await host.seal(2);
  await shipped(host.service.dataDir, place.store);
  const { accepted, refused } = await follow(place, host.service.kid);
  expect({ accepted: accepted.length, refused }).toEqual({ accepted: 2, refused: [] });
  return { host, place, accepted, ids: [plain.operation_id, saltedId] };
}

/** What a host puts into the place of the first run. */
async function replacementBy(
  dataDir: string,
  { place }: Erasing,
): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const elsewhere = folderPlace();
  for (const { path, name } of await place.store.list()) {
    if (name?.first === 2) await elsewhere.put(path, await place.read(path));
  }
  const [run] = await shipped(dataDir, elsewhere.store);
  const path = run?.path ?? '';
  return { path, bytes: await elsewhere.read(path) };
}

async function erase({ host, ids }: Erasing): Promise<void> {
  for (const operation_id of ids) {
    await host.account.client.ok('eraseOperation', { params: { operation_id }, body: { reason: 'asked for' } });
  }
}

export function erasureCases(newPlace: NewPlace): void {
  describe('an erasure', () => {
    it('reaches the archive with the next shipping, and what was accepted is replaced', async () => {
      const made = await erasing(newPlace());
      const { host, place, accepted } = made;
      const { dataDir, kid } = host.service;
      expect(await showing(made)).toEqual(
        [nth(await place.store.list(), 0).path].filter((path) => path.includes('/1-1.')),
      );
      await erase(made);
      const runs = await shipped(dataDir, place.store);
      expect(runs).toMatchObject([
        { outcome: 'replaced', path: expect.stringMatching(/\/1-1\.e\d+\.csbundle\.json\.gz$/) },
      ]);
      expect(await showing(made)).toEqual([]);
      const paths = (await place.store.list()).map(({ path }) => path.split('/')[2]?.replace(/\.e\d+/, '.eN'));
      expect(paths.sort()).toEqual(['1-1.eN.csbundle.json.gz', '2-2.csbundle.json.gz']);
      const report = await verifyBundle(place.store.open(nth(runs, 0).path), {
        crypto: nodeCrypto,
        trustedKids: [kid],
      });
      expect(report).toMatchObject({ verdict: 'verified', findings: [], bundle: { records: 5, redacted: 2 } });
      const after = await follow(place, kid, accepted);
      expect(after.refused).toEqual([]);
      const [before] = accepted;
      expect(after.accepted).toEqual([
        {
          ...before,
          sha256: expect.any(String),
          erased_at_event: expect.any(Number),
          withheld: '',
          replaces: before?.sha256,
        },
      ]);
      // Whoever begins with the runs alone accepts the same, and what comes later continues it.
      const replaced = [...after.accepted, ...accepted.slice(1)];
      expect(await shipped(dataDir, place.store)).toEqual([]);
      await host.seal();
      expect(await shipped(dataDir, place.store)).toMatchObject([{ outcome: 'shipped' }]);
      const anew = await follow(place, kid);
      expect(anew).toMatchObject({ refused: [], accepted: [{ replaces: null }, {}, {}] });
      expect(await follow(place, kid, replaced)).toMatchObject({ refused: [], accepted: [{ first_epoch_no: 3 }] });
    });

    it('that a hold forbids leaves the run as it is', async () => {
      const made = await erasing(newPlace());
      const { client } = made.host.account;
      const selection = { kind: 'agent', agent_id: made.host.signer.agentId } as const;
      await client.ok('placeHold', { body: { selection, reason: 'Matter 1' } });
      const params = { operation_id: nth(made.ids, 0) };
      expectError(await client.call('eraseOperation', { params, body: { reason: 'asked for' } }), 'RECORD_HELD');
      expect(await shipped(made.host.service.dataDir, made.place.store)).toEqual([]);
      expect(await showing(made)).toHaveLength(1);
    });

    it('that a restored ledger has forgotten is not taken back', async () => {
      const made = await erasing(newPlace());
      const copy = join(temporaryFolder(), 'copy');
      copyOfRunning(made.host.service.dataDir, copy);
      await erase(made);
      await shipped(made.host.service.dataDir, made.place.store);
      expect(await shipped(copy, made.place.store)).toMatchObject([{ outcome: 'set_back' }]);
      expect(await showing(made)).toEqual([]);
    });

    it.each(['written', 'named', 'removed', 'replaced'])('is completed after a crash behind "%s"', async (step) => {
      const made = await erasing(newPlace());
      const { host, place, accepted } = made;
      await erase(made);
      expect(await killedAt(step, host.service.dataDir, place)).toBe('SIGKILL');
      const store = await openRunStore({
        at: place.at,
        spool: host.service.dataDir,
        ...(place.s3 && { s3: place.s3 }),
      });
      const outcomes = (await shipped(host.service.dataDir, store)).map(({ outcome }) => outcome);
      expect(outcomes).toEqual(step === 'replaced' ? [] : ['replaced']);
      expect(await showing(made)).toEqual([]);
      expect(await place.store.list()).toHaveLength(2);
      expect(await follow(place, host.service.kid, accepted)).toMatchObject({
        refused: [],
        accepted: [{ records: 5 }],
      });
    });

    it('names the file that was to go, where it is there', async () => {
      const made = await erasing(newPlace());
      const { host, place, accepted } = made;
      const [old] = (await showing(made)).map(async (path) => [path, await place.read(path)] as const);
      await erase(made);
      await shipped(host.service.dataDir, place.store);
      const after = await follow(place, host.service.kid, accepted);
      const [path, bytes] = (await old) ?? ['', Buffer.alloc(0)];
      await place.put(path, bytes);
      const replaced = [...after.accepted, ...accepted.slice(1)];
      const superseded = [{ path, code: 'superseded' as const, findings: [] }];
      expect(await follow(place, host.service.kid, replaced)).toEqual({ accepted: [], refused: superseded });
      expect((await follow(place, host.service.kid)).refused).toEqual(superseded);
      // The next shipping removes it.
      expect(await shipped(host.service.dataDir, place.store)).toMatchObject([{ outcome: 'replaced' }]);
      expect(await showing(made)).toEqual([]);
    });
  });

  describe('a replacement is refused', () => {
    const attacks: [string, RefusedRun['code'], (text: string) => string][] = [
      ['that drops a record', 'changed', (text) => text.replace(/\n\{"eor":[^\n]*\n/, '\n')],
      ['that changes a payload', 'changed', (text) => text.replace('"hello"', '"hullo"')],
      [
        'that shows a record erased which is not',
        'changed',
        (text) => text.replace(/"payload":\{"n":1,"text":"hello"\},/, ''),
      ],
    ];
    it.each(attacks)('%s', async (_, code, change) => {
      const made = await erasing(newPlace());
      const { host, place, accepted } = made;
      await erase(made);
      const { path, bytes } = await replacementBy(host.service.dataDir, made);
      const text = gunzipSync(bytes).toString();
      expect(change(text)).not.toBe(text);
      await place.put(path, gzipSync(change(text)));
      const after = await follow(place, host.service.kid, accepted);
      expect(after).toMatchObject({ accepted: [], refused: [{ path, code }] });
    });

    it('whose host erased more than its log says, or other records than its name', async () => {
      const made = await erasing(newPlace());
      const { host, place, accepted } = made;
      await erase(made);
      const copy = join(temporaryFolder(), 'copy');
      copyOfRunning(host.service.dataDir, copy);
      const ledger = new Database(join(copy, 'ledger.sqlite'));
      ledger.prepare('UPDATE operations SET payload = NULL WHERE seq_no = 1').run();
      ledger.close();
      const { path, bytes } = await replacementBy(copy, made);
      await place.put(path, bytes);
      const refused = await follow(place, host.service.kid, accepted);
      expect(refused).toMatchObject({ accepted: [], refused: [{ path, code: 'erasure' }] });
      // The honest one, by another name.
      await place.remove(path);
      const honest = await replacementBy(host.service.dataDir, made);
      const renamed = path.replace(/\.e\d+\./, '.e999.');
      await place.put(renamed, honest.bytes);
      expect((await follow(place, host.service.kid, accepted)).refused).toMatchObject([
        { path: renamed, code: 'erasure' },
      ]);
      expect(await shipped(host.service.dataDir, place.store)).toMatchObject([{ outcome: 'set_back' }]);
    });
  });
}
