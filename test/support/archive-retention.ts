/** Rules and holds of a central node, over any kind of archive (docs/decisions/0108-retention-of-the-archive.md). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { verifyBundle } from '../../src/protocol/index.ts';
import { type AcceptedRun, followArchive } from '../../src/service/archive/follow.ts';
import { openRunStore } from '../../src/service/archive/open-run-store.ts';
import { writeParquetFiles } from '../../src/service/archive/parquet-files.ts';
import { type ArchiveHost, archiveHost, exitCodes, shipped } from './archive.ts';
import { killedAt } from './archive-killed.ts';
import type { ArchivePlace, NewPlace } from './archive-places.ts';
import { at as nth } from './bytes.ts';
import { archiveOf, TestCentral } from './central.ts';
import type { Client } from './client.ts';
import { contentsBelow, temporaryFolder } from './folders.ts';
import { AT_ONCE, sweep } from './retention.ts';
import { registerAgent, submitNext } from './service.ts';

export const SECRET = 'unmistakable-word-of-one-record';
const KEPT = 'what-a-hold-keeps';

interface Kept {
  readonly host: ArchiveHost;
  readonly place: ArchivePlace;
  readonly central: TestCentral;
  readonly owner: Client;
  /** Operation of a record that a hold keeps. */
  readonly heldId: string;
  readonly ship: () => ReturnType<typeof shipped>;
}

/** A host with two runs, of which the first has a plain and a salted secret and a record of an agent that a hold is on. */
export async function kept(place: ArchivePlace): Promise<Kept> {
  const host = await archiveHost();
  const salted = await registerAgent(host.account, 'salted');
  const held = await registerAgent(host.account, 'held');
  await submitNext(host.account, host.signer, { payload: { text: SECRET } });
  await host.account.client.ok('submitOperation', { body: salted.nextSalted({ text: SECRET, other: SECRET }) });
  const { operation_id: heldId } = await submitNext(host.account, held, { payload: { text: KEPT } });
  await host.seal(1);
  await shipped(host.service.dataDir, place.store);
  await submitNext(host.account, held, { payload: { text: KEPT } });
  await host.seal(0);
  await shipped(host.service.dataDir, place.store);
  const central = await TestCentral.start({
    folder: place.at,
    ...(place.s3 && { s3: place.s3 }),
    trusted: [host.service.kid],
    keepers: [{ organization: host.account.orgId, reader: null }],
  });
  expect(await central.follow()).toEqual([]);
  const owner = await central.owner();
  const selection = { kind: 'agent', agent_id: 'held' } as const;
  await owner.ok('placeHold', { body: { selection, reason: 'Matter 1' } });
  await owner.ok('setRetentionRules', { body: { rules: [{ name: 'All', ...AT_ONCE }] } });
  const ship = () => shipped(host.service.dataDir, place.store, { archiveKeys: [central.orderKey] });
  return { host, place, central, owner, heldId, ship };
}

/** Files of the archive and of the central node in which a text is, packed or not. */
export async function showing({ place, central }: Kept, text: string): Promise<string[]> {
  const found = [];
  for (const { path } of await place.store.list()) {
    const bytes = await place.read(path);
    if ((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text)) found.push(path);
  }
  for (const { path, bytes } of contentsBelow(central.running.dataDir)) {
    if ((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text)) found.push(path);
  }
  return found;
}

async function files({ place }: Pick<Kept, 'place'>): Promise<string[]> {
  const paths = (await place.store.list()).map(({ path }) => path.split('/')[2] ?? '');
  return paths
    .map((path) =>
      path
        .replace(/\.a\d+/, '.aN')
        .replace(/\.e\d+/, '.eN')
        .replace(/-\d+\.json/, '-N.json'),
    )
    .sort();
}

/** What a central node has accepted that begins with the runs alone. */
async function acceptedAnew({ place, host }: Kept): Promise<AcceptedRun[]> {
  const accepted: AcceptedRun[] = [];
  await followArchive({
    store: place.store,
    trustedKids: [host.service.kid],
    accepted: [],
    recheck: true,
    signal: new AbortController().signal,
    onAccepted: (run) => void accepted.push(run),
    onRefused: (run) => expect(run).toBeNull(),
  });
  return accepted;
}

async function found({ owner }: Kept, query: string): Promise<number> {
  const params = { case_id: (await archiveOf(owner))?.case_id ?? '' };
  return (await owner.ok('caseAuditQuery', { params, body: { query } })).data.length;
}

async function countOf({ owner }: Kept, type: string): Promise<number> {
  return (await owner.ok('auditQuery', { body: { query: `type:${type}` } })).data.length;
}

function inLedger({ service }: ArchiveHost, sql: string): unknown {
  const ledger = new Database(join(service.dataDir, 'ledger.sqlite'), { readonly: true });
  const value = ledger.prepare(sql).pluck().get();
  ledger.close();
  return value;
}

export function retentionCases(newPlace: NewPlace): void {
  describe("a sweep of the archive's own rules", () => {
    it('has what is due leave it with the next shipping, and nothing that a hold covers', async () => {
      const made = await kept(newPlace());
      const { central, owner, place, host, ship } = made;
      const [old] = (await place.store.list()).filter(({ name }) => name?.first === 1).map(({ path }) => path);
      const parquet = temporaryFolder();
      const makeParquet = () =>
        writeParquetFiles({
          store: place.store,
          to: parquet,
          now: Date.now,
          signal: new AbortController().signal,
          onFile: () => {},
        });
      await makeParquet();
      expect(await found(made, SECRET)).toBe(2);
      await sweep({ client: owner });
      expect(await central.follow()).toEqual([]);
      expect(await countOf(made, 'archive.erase')).toBe(1);
      expect(await countOf(made, 'archive.sweep')).toBe(1);
      expect(await files(made)).toEqual(['1-1.csbundle.json.gz', '2-2.csbundle.json.gz', 'withhold-N.json']);
      expect(await central.follow()).toEqual([{ path: old, code: 'awaits_host', findings: [] }]);
      // A host that does not know the key leaves everything as it is, and says so.
      expect(await shipped(host.service.dataDir, place.store)).toMatchObject([{ outcome: 'unheeded' }]);
      expect(await files(made)).toContain('1-1.csbundle.json.gz');
      const runs = await ship();
      expect(runs).toMatchObject([
        { outcome: 'replaced', path: expect.stringMatching(/\/1-1\.a\d+\.csbundle\.json\.gz$/) },
      ]);
      expect(await files(made)).toEqual(['1-1.aN.csbundle.json.gz', '2-2.csbundle.json.gz', 'withhold-N.json']);
      expect(await central.follow()).toEqual([]);
      await makeParquet();
      expect(await showing(made, SECRET)).toEqual([]);
      expect([...contentsBelow(parquet)].filter(({ bytes }) => bytes.includes(SECRET))).toEqual([]);
      expect(await found(made, SECRET)).toBe(0);
      expect(await found(made, KEPT)).toBe(2);
      expect(await countOf(made, 'archive.replace')).toBe(1);
      // Only the archive lacks it.
      expect(inLedger(host, 'SELECT count(*) FROM operations WHERE payload IS NULL')).toBe(0);
      const { path } = nth(runs, 0);
      const report = await verifyBundle(place.store.open(path), {
        crypto: nodeCrypto,
        trustedKids: [host.service.kid],
      });
      expect(report).toMatchObject({ verdict: 'verified', findings: [], bundle: { records: 4, redacted: 3 } });
      const file = join(temporaryFolder(), 'run.csbundle.json.gz');
      writeFileSync(file, await place.read(path));
      expect(await exitCodes(file, ['--trust', host.service.kid])).toEqual({ 'single-file': 0, python: 0 });
    });

    it('is followed once: what comes later goes on, and whoever begins with the runs alone has the same', async () => {
      const made = await kept(newPlace());
      const { central, owner, host, ship, heldId } = made;
      await sweep({ client: owner });
      await central.follow();
      await ship();
      expect(await central.follow()).toEqual([]);
      expect(await ship()).toEqual([]);
      await host.seal();
      expect(await ship()).toMatchObject([{ outcome: 'shipped' }]);
      expect(await central.follow()).toEqual([]);
      expect(await countOf(made, 'archive.erase')).toBe(1);
      const anew = await acceptedAnew(made);
      expect(anew).toMatchObject([{ withheld: '1-2,4', decision_no: expect.any(Number) }, {}, {}]);
      expect(central.accepted().map(({ replaces: _, ...run }) => run)).toEqual(
        anew.map(({ replaces: _, ...run }) => run),
      );
      // An erasure at the host of what the hold kept here.
      await host.account.client.ok('eraseOperation', {
        params: { operation_id: heldId },
        body: { reason: 'asked for' },
      });
      expect(await ship()).toMatchObject([{ outcome: 'replaced' }]);
      expect(await files(made)).toContain('1-1.eN.aN.csbundle.json.gz');
      expect(await central.follow()).toEqual([]);
      expect(await found(made, KEPT)).toBe(1);
      expect(await showing(made, SECRET)).toEqual([]);
    });

    it('reaches a run that was lost and is shipped again', async () => {
      const made = await kept(newPlace());
      const { central, owner, place, ship } = made;
      await sweep({ client: owner });
      await central.follow();
      for (const { path, name } of await place.store.list()) if (name?.first === 1) await place.remove(path);
      expect(await ship()).toMatchObject([{ outcome: 'shipped', path: expect.stringMatching(/\/1-1\.a\d+\./) }]);
      expect(await central.follow()).toEqual([]);
      expect(await showing(made, SECRET)).toEqual([]);
    });

    it('is not followed where the decision is changed, of another organization, or gone', async () => {
      const made = await kept(newPlace());
      const { central, owner, place, host, ship } = made;
      await sweep({ client: owner });
      await central.follow();
      const order = (await place.store.list()).find(({ name }) => name === null)?.path ?? '';
      const bytes = await place.read(order);
      await place.put(order, Buffer.from(bytes.toString().replace('"1-2,4"', '"1-3,4"')));
      expect(await ship()).toMatchObject([{ outcome: 'unheeded', path: order }]);
      // Nor does a run count that pretends to have followed what is to come.
      const run = (await place.store.list()).find(({ name }) => name?.first === 1)?.path ?? '';
      const pretended = run.replace('/1-1.', '/1-1.a999999999999999.');
      await place.put(pretended, await place.read(run));
      expect(await central.follow()).toMatchObject([{ path: pretended, code: 'erasure' }, { code: 'awaits_host' }]);
      await place.remove(pretended);
      await place.put(order, Buffer.from(bytes.toString().replace('"1-2,4"', '"1-3,4"')));
      // The node puts its own in that place again.
      expect(await central.follow()).toMatchObject([{ code: 'awaits_host' }]);
      expect((await place.read(order)).equals(bytes)).toBe(true);
      const other = [`${central.running.kid}@another`];
      expect(await shipped(host.service.dataDir, place.store, { archiveKeys: other })).toMatchObject([
        { outcome: 'unheeded' },
      ]);
      await ship();
      await central.follow();
      // What was withheld is not shown again by a host that forgot the key.
      await place.remove(order);
      const secretId = inLedger(host, 'SELECT operation_id FROM operations WHERE seq_no = 4');
      const params = { operation_id: String(secretId) };
      await host.account.client.ok('eraseOperation', { params, body: { reason: 'asked for' } });
      expect(await shipped(host.service.dataDir, place.store)).toMatchObject([{ outcome: 'unheeded' }]);
      expect(await showing(made, SECRET)).toEqual([]);
    });

    it.each(['written', 'named', 'removed', 'replaced'])(
      'is completed after a host was killed behind "%s"',
      async (step) => {
        const made = await kept(newPlace());
        const { central, owner, place, host, ship } = made;
        await sweep({ client: owner });
        await central.follow();
        expect(await killedAt(step, host.service.dataDir, place, central.orderKey)).toBe('SIGKILL');
        const store = await openRunStore({
          at: place.at,
          spool: host.service.dataDir,
          ...(place.s3 && { s3: place.s3 }),
        });
        const options = { archiveKeys: [central.orderKey] };
        const outcomes = (await shipped(host.service.dataDir, store, options)).map(({ outcome }) => outcome);
        expect(outcomes).toEqual(step === 'replaced' ? [] : ['replaced']);
        expect(await ship()).toEqual([]);
        expect(await central.follow()).toEqual([]);
        expect(await showing(made, SECRET)).toEqual([]);
        expect(await files(made)).toEqual(['1-1.aN.csbundle.json.gz', '2-2.csbundle.json.gz', 'withhold-N.json']);
      },
    );
  });

  it('no sweep takes what a central node remembers, nor one from before it was named a keeper', async () => {
    const made = await kept(newPlace());
    const { central, owner } = made;
    await central.letKeep([]);
    await sweep({ client: owner });
    await central.letKeep([{ organization: made.host.account.orgId, reader: null }]);
    await central.follow();
    expect(await countOf(made, 'archive.erase')).toBe(0);
    expect(central.accepted()).toHaveLength(2);
  });
}
