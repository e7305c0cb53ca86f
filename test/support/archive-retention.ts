/** Rules and holds of a central node, over any kind of archive (docs/decisions/0108-retention-of-the-archive.md). */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { verifyBundle } from '../../src/protocol/index.ts';
import { type AcceptedRun, followArchive } from '../../src/service/archive/follow.ts';
import { openRunStore } from '../../src/service/archive/open-run-store.ts';
import { writeParquetFiles } from '../../src/service/archive/parquet-files.ts';
import { orderedBy } from '../../src/service/archive/run-name.ts';
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

/**
 * A host with two runs, of which the first has a plain and a salted secret and a record of an agent that a hold is on.
 * @param others hosts that ship to the same place
 */
export async function kept(place: ArchivePlace, others: readonly ArchiveHost[] = []): Promise<Kept> {
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
    trusted: [host, ...others].map(({ service }) => service.kid),
    keepers: [host, ...others].map(({ account }) => ({ organization: account.orgId, reader: null })),
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

/** What its records of a type say, oldest first. */
export function recorded({ central }: Pick<Kept, 'central'>, type: string): Record<string, unknown>[] {
  const ledger = new Database(join(central.running.dataDir, 'ledger.sqlite'), { readonly: true });
  const payloads = ledger.prepare('SELECT payload FROM operations WHERE operation_type = ? ORDER BY seq_no').pluck();
  const found = payloads.all(type).map((payload) => JSON.parse(String(payload)));
  ledger.close();
  return found;
}

/** Holds everything of an agent. @returns the hold */
export async function hold({ owner }: Pick<Kept, 'owner'>, agentId: string): Promise<string> {
  const selection = { kind: 'agent', agent_id: agentId } as const;
  const { hold } = await owner.ok('placeHold', { body: { selection, reason: 'Matter 2' } });
  return hold.hold_id;
}

async function orders({ place }: Pick<Kept, 'place'>): Promise<string[]> {
  const paths = (await place.store.list()).map(({ path }) => path);
  return paths.filter((path) => orderedBy(path) !== null).sort();
}

/** Where the first run of the host is. */
async function firstRun({ place, host }: Pick<Kept, 'place' | 'host'>): Promise<string> {
  const files = (await place.store.list()).filter(({ name }) => name?.first === 1 && name.kid === host.service.kid);
  expect(files).toHaveLength(1);
  return nth(files, 0).path;
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

  describe('a hold that is placed after a decision', () => {
    it('has the payloads stay that it covers, and the others leave', async () => {
      const made = await kept(newPlace());
      const { central, owner, place, ship } = made;
      await sweep({ client: owner });
      await central.follow();
      const before = await orders(made);
      const holdId = await hold(made, 'salted');
      expect(await central.follow(false)).toEqual([{ path: await firstRun(made), code: 'awaits_host', findings: [] }]);
      const [first, rest] = recorded(made, 'archive.erase');
      expect([first, rest]).toMatchObject([
        { seq_no: '1-2,4', records: 3 },
        { seq_no: '1,4', records: 2 },
      ]);
      expect(rest).toMatchObject({ sweep_id: first?.['sweep_id'], rules_digest: first?.['rules_digest'] });
      expect(recorded(made, 'archive.recall')).toEqual([
        {
          kid: made.host.service.kid,
          org_id: made.host.account.orgId,
          decision_no: first?.['decision_no'],
          holds: [holdId],
          records: 1,
          left: 0,
        },
      ]);
      const now = await orders(made);
      expect(now).toHaveLength(1);
      expect(now).not.toEqual(before);
      // One that goes while a host looks is none: here a link that leads nowhere.
      if (place.s3 === undefined) {
        const link = join(place.at, nth(before, 0));
        symlinkSync('nowhere', link);
      }
      expect(await ship()).toMatchObject([{ outcome: 'replaced' }]);
      expect(await central.follow()).toEqual([]);
      expect(nth(central.accepted(), 0)).toMatchObject({ withheld: '1,4', decision_no: rest?.['decision_no'] });
      expect(nth(central.accepted(), 0)).not.toHaveProperty('recalled');
      expect(await found(made, SECRET)).toBe(1);
      // A run that is lost comes back as it was.
      const path = await firstRun(made);
      const bytes = await place.read(path);
      await place.remove(path);
      expect(await ship()).toMatchObject([{ outcome: 'shipped', path }]);
      expect((await place.read(path)).equals(bytes)).toBe(true);
      expect(await central.follow()).toEqual([]);
      expect([recorded(made, 'archive.erase').length, recorded(made, 'archive.recall').length]).toEqual([2, 1]);
      expect(await orders(made)).toEqual(now);
    });

    it('leaves nothing to do where it covers all of it, and the next sweep decides again once it is released', async () => {
      const made = await kept(newPlace());
      const { central, owner, host, ship } = made;
      await sweep({ client: owner });
      await central.follow();
      const [salted, plain] = [await hold(made, 'salted'), await hold(made, host.signer.agentId)];
      await central.follow();
      expect(recorded(made, 'archive.recall')).toMatchObject([{ holds: [salted, plain].sort(), records: 3, left: 0 }]);
      expect(await orders(made)).toEqual([]);
      expect(await central.follow()).toEqual([]);
      expect(await ship()).toEqual([]);
      await owner.ok('releaseHold', { params: { hold_id: plain }, body: { reason: 'Settled' } });
      // What one sweep decided is not decided again.
      expect(await central.follow()).toEqual([]);
      expect(await orders(made)).toEqual([]);
      await sweep({ client: owner });
      await central.follow();
      expect(recorded(made, 'archive.erase')).toMatchObject([{ seq_no: '1-2,4' }, { seq_no: '1,4' }]);
      expect(await ship()).toMatchObject([{ outcome: 'replaced' }]);
      expect(await central.follow()).toEqual([]);
      expect(await found(made, SECRET)).toBe(1);
    });

    it('changes nothing about what its host has shipped without, and calls back what another has not', async () => {
      const other = await archiveHost();
      const place = newPlace();
      const salted = await registerAgent(other.account, 'salted');
      await submitNext(other.account, salted, { payload: { text: KEPT } });
      await other.seal(1);
      await shipped(other.service.dataDir, place.store);
      const made = await kept(place, [other]);
      const { central, owner, ship } = made;
      await sweep({ client: owner });
      await central.follow();
      expect(await orders(made)).toHaveLength(2);
      expect(await ship()).toMatchObject([{ outcome: 'replaced' }]);
      await hold(made, 'salted');
      // The one that is shipped is accepted before holds count.
      const path = expect.stringContaining(other.service.kid);
      expect(await central.follow()).toEqual([{ path, code: 'awaits_host', findings: [] }]);
      expect(recorded(made, 'archive.recall')).toMatchObject([{ kid: other.service.kid, records: 1, left: 0 }]);
      expect(await showing(made, SECRET)).toEqual([]);
      expect(
        nth(
          central.accepted().filter(({ kid }) => kid === made.host.service.kid),
          0,
        ),
      ).toMatchObject({
        withheld: '1-2,4',
      });
      const options = { archiveKeys: [central.orderKey] };
      expect(await shipped(other.service.dataDir, place.store, options)).toMatchObject([{ outcome: 'replaced' }]);
      expect(await central.follow()).toEqual([]);
      expect(await found(made, KEPT)).toBe(3);
      expect(recorded(made, 'archive.recall')).toHaveLength(1);
    });

    it('comes too late for a host that had read the decision, whose run stays right all the same', async () => {
      const made = await kept(newPlace());
      const { central, owner, host, place, heldId, ship } = made;
      await sweep({ client: owner });
      await central.follow(false);
      const former = nth(await orders(made), 0);
      const bytes = await place.read(former);
      await hold(made, 'salted');
      await central.follow(false);
      const later = nth(await orders(made), 0);
      const laterBytes = await place.read(later);
      await place.remove(later);
      await place.put(former, bytes);
      expect(await ship()).toMatchObject([{ outcome: 'replaced' }]);
      await place.remove(former);
      await place.put(later, laterBytes);
      // Until the node has seen that, the run stays as it is.
      expect(await ship()).toEqual([]);
      expect(await central.follow(false)).toEqual([]);
      const [decided] = recorded(made, 'archive.erase');
      expect(recorded(made, 'archive.replace')).toMatchObject([
        { withheld: '1-2,4', decision_no: decided?.['decision_no'], recalled: [decided?.['decision_no']] },
      ]);
      expect(await orders(made)).toEqual([former, later].sort());
      await host.account.client.ok('eraseOperation', {
        params: { operation_id: heldId },
        body: { reason: 'asked for' },
      });
      expect(await ship()).toMatchObject([{ outcome: 'replaced' }]);
      expect(await central.follow(false)).toEqual([]);
      const path = await firstRun(made);
      const run = await place.read(path);
      await place.remove(path);
      expect(await ship()).toMatchObject([{ outcome: 'shipped', path }]);
      expect((await place.read(path)).equals(run)).toBe(true);
      expect(await central.follow(false)).toEqual([]);
      expect(await showing(made, SECRET)).toEqual([]);
      expect(await orders(made)).toEqual([former, later].sort());
    });

    it('has no decision lie there that cannot be held against it, until it can', async () => {
      const made = await kept(newPlace());
      const { central, owner, place, ship } = made;
      // Those of a bucket are read from copies.
      if (place.s3 !== undefined) return;
      await sweep({ client: owner });
      await central.follow();
      const path = await firstRun(made);
      const bytes = await place.read(path);
      await place.remove(path);
      const holdId = await hold(made, 'salted');
      await central.stop();
      const { dataDir } = central.running;
      const keepers = [{ organization: made.host.account.orgId, reader: null }];
      const again = await TestCentral.start({ folder: place.at, trusted: [made.host.service.kid], keepers, dataDir });
      expect(await again.follow()).toMatchObject([{ path, code: 'missing' }, { code: 'awaits_host' }]);
      expect(await orders(made)).toEqual([]);
      expect(recorded(made, 'archive.recall')).toEqual([]);
      expect(await ship()).toMatchObject([{ outcome: 'shipped', path }]);
      expect((await place.read(path)).equals(bytes)).toBe(true);
      await again.follow();
      expect(recorded(made, 'archive.recall')).toMatchObject([{ holds: [holdId], records: 1, left: 0 }]);
      expect(recorded(made, 'archive.erase')).toMatchObject([{ seq_no: '1-2,4' }, { seq_no: '1,4' }]);
      expect(await orders(made)).toHaveLength(1);
    });

    it('has no decision that was called back lie there again, whoever puts it there', async () => {
      const made = await kept(newPlace());
      const { central, owner, place } = made;
      await sweep({ client: owner });
      await central.follow();
      const former = nth(await orders(made), 0);
      const bytes = await place.read(former);
      await hold(made, 'salted');
      await central.follow();
      const now = await orders(made);
      await place.put(former, bytes);
      await central.follow();
      expect(await orders(made)).toEqual(now);
    });
  });

  it('a preview counts what is due in the archive that its organization keeps', async () => {
    const made = await kept(newPlace());
    const { central, owner, place, host } = made;
    const preview = async () => (await sweep({ client: owner }, { dry_run: true })).archive;
    expect(await preview()).toEqual({ due: 3, held: 2, runs_left: 0 });
    expect(await sweep({ client: owner })).not.toHaveProperty('archive');
    await central.follow();
    // What is decided is due no more.
    expect(await preview()).toEqual({ due: 0, held: 2, runs_left: 0 });
    const holdId = await hold(made, 'salted');
    await central.follow();
    expect(await preview()).toEqual({ due: 0, held: 3, runs_left: 0 });
    await owner.ok('releaseHold', { params: { hold_id: holdId }, body: { reason: 'Settled' } });
    expect(await preview()).toEqual({ due: 1, held: 2, runs_left: 0 });
    const { sweeps } = await owner.ok('listSweeps');
    expect(sweeps.filter(({ archive }) => archive !== undefined)).toHaveLength(1);
    await central.letKeep([]);
    await central.follow();
    expect(await preview()).toBeUndefined();
    // A run that cannot be read is not counted as if it had nothing. Those of a bucket are read from copies.
    if (place.s3 !== undefined) return;
    await central.stop();
    await place.remove(await firstRun(made));
    const { dataDir } = central.running;
    const keepers = [{ organization: host.account.orgId, reader: null }];
    const again = await TestCentral.start({ folder: place.at, trusted: [host.service.kid], keepers, dataDir });
    const client = await again.owner();
    expect(await sweep({ client }, { dry_run: true })).not.toHaveProperty('archive');
    await again.follow();
    expect(await sweep({ client }, { dry_run: true })).toMatchObject({ archive: { due: 0, held: 0, runs_left: 2 } });
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
