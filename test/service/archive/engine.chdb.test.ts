// docs/archive.md, A search engine: a real ClickHouse counts for a central node, and nobody is told less or more by it.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FolderStore } from '../../../src/service/archive/folder-store.ts';
import { writeParquetFiles } from '../../../src/service/archive/parquet-files.ts';
import { archiveHost, shipped } from '../../support/archive.ts';
import { at as nth } from '../../support/bytes.ts';
import { archiveOf, TestCentral } from '../../support/central.ts';
import { TestClickHouse } from '../../support/clickhouse.ts';
import type { Client } from '../../support/client.ts';
import { contentsBelow, temporaryFolder } from '../../support/folders.ts';
import { AT_ONCE, sweep } from '../../support/retention.ts';
import { submitNext } from '../../support/service.ts';

const SECRET = 'unmistakable-word-of-one-record';

async function withEngine() {
  const folder = temporaryFolder();
  const store = new FolderStore(folder);
  const hosts = [await archiveHost(), await archiveHost()];
  const { operation_id: secretId } = await submitNext(nth(hosts, 0).account, nth(hosts, 0).signer, {
    payload: { text: SECRET, amount: '12.50' },
  });
  for (const host of hosts) {
    await host.seal(3);
    await shipped(host.service.dataDir, store);
  }
  const engine = await TestClickHouse.start();
  const orgs = hosts.map(({ account }) => account.orgId);
  const readers = orgs.map((organization) => ({ organization, reader: null }));
  const trusted = hosts.map(({ service }) => service.kid);
  const central = await TestCentral.start({ folder, trusted, readers, engine: engine.address });
  expect(await central.follow()).toEqual([]);
  return { store, hosts, orgs, engine, central, owner: await central.owner(), secretId };
}

async function counted(owner: Client, query: string) {
  const params = { case_id: (await archiveOf(owner))?.case_id ?? '' };
  const { facets, total } = await owner.ok('caseFacets', { params, body: { fields: ['organization'], query } });
  const chart = await owner.ok('caseHistogram', { params, query: { query } });
  const { all } = await owner.ok('caseGroups', {
    params,
    body: { query, unit: 'records', measures: [{ op: 'sum', of: 'amount' }] },
  });
  expect(chart.total).toBe(total);
  return { total, organizations: nth(facets, 0).values.length, sum: nth(all, 0).amounts };
}

/** Rows of the engine in which the payload is that was to go. */
function secretRows(engine: TestClickHouse): number {
  return Number(
    engine.direct(
      `SELECT count() FROM ${recordsTable(engine)} WHERE arrayExists(form -> position(form, '${SECRET}') > 0, leaf_forms)`,
    ),
  );
}

const engineOf = async (owner: Client) => (await archiveOf(owner))?.archive?.engine;

it('counts, charts and adds up for those who may read, and for each of what they may read', async () => {
  const { engine, owner, central, orgs } = await withEngine();
  expect(await engineOf(owner)).toEqual({ state: 'ready', runs: 2 });
  const { checks } = await owner.ok('deepHealth');
  expect(checks.archive?.detail).toMatch(/; the search engine counts$/);
  const asked = engine.asked.length;
  expect(await counted(owner, '*')).toMatchObject({ total: 7, organizations: 2 });
  expect(await counted(owner, SECRET)).toEqual({
    total: 1,
    organizations: 1,
    sum: [{ value: '12.50', currency: null }],
  });
  expect(engine.asked.length).toBeGreaterThan(asked);
  // The expression is decided here, among what the engine finds.
  expect(await counted(owner, '/unmist.*ble/ and type:*')).toMatchObject({ total: 1 });
  // Another organization of the central node, which sees one of the two ledgers.
  const guest = await central.service.signUp();
  await central.letRead([
    ...orgs.map((organization) => ({ organization, reader: null })),
    { organization: orgs[1] ?? '', reader: guest.orgId },
  ]);
  await central.follow();
  expect(await engineOf(guest.client)).toEqual({ state: 'ready', runs: 1 });
  expect(await counted(guest.client, '*')).toMatchObject({ total: 3, organizations: 1 });
  expect(await counted(guest.client, SECRET)).toMatchObject({ total: 0 });
  // What may be read no longer has no rows either.
  await central.letRead([{ organization: orgs[1] ?? '', reader: guest.orgId }]);
  await central.follow();
  expect(Number(engine.direct(`SELECT count() FROM ${recordsTable(engine)}`))).toBe(3);
});

function recordsTable({ asked }: TestClickHouse): string {
  return (
    /FROM (countersign_records_\w+)/.exec(asked.findLast((text) => text.includes('countersign_records')) ?? '')?.[1] ??
    ''
  );
}

it('is away, or lacks rows: that is said, and the own index counts', async () => {
  const { engine, owner, central } = await withEngine();
  await engine.away(async () => {
    expect(await counted(owner, '*')).toMatchObject({ total: 7 });
    expect(await engineOf(owner)).toMatchObject({ state: 'away' });
    const { status, bytes } = await owner.call('deepHealth');
    const { checks } = JSON.parse(bytes.toString('utf8'));
    expect([status, checks.archive.status]).toEqual([503, 'bad']);
    expect(checks.archive.detail).toContain('the search engine is away: the own index counts');
    await central.follow();
    expect(await engineOf(owner)).toMatchObject({ state: 'away' });
  });
  await central.follow();
  expect(await engineOf(owner)).toEqual({ state: 'ready', runs: 2 });
  const table = recordsTable(engine);
  engine.direct(`ALTER TABLE ${table} DELETE WHERE n = 2 SETTINGS mutations_sync = 1`);
  expect(await counted(owner, '*')).toMatchObject({ total: 7 });
  expect(await engineOf(owner)).toMatchObject({ state: 'behind' });
  await central.follow();
  expect(await engineOf(owner)).toEqual({ state: 'ready', runs: 2 });
  expect(Number(engine.direct(`SELECT count() FROM ${table}`))).toBe(7);
});

it('forgets what was erased, and has what comes later', async () => {
  const { store, hosts, engine, owner, central, secretId } = await withEngine();
  const host = nth(hosts, 0);
  expect(secretRows(engine)).toBe(1);
  const body = { reason: 'asked for' };
  await host.account.client.ok('eraseOperation', { params: { operation_id: secretId }, body });
  await host.seal(2);
  await shipped(host.service.dataDir, store);
  expect(await central.follow()).toEqual([]);
  expect(await engineOf(owner)).toEqual({ state: 'ready', runs: 3 });
  expect(secretRows(engine)).toBe(0);
  expect(await counted(owner, SECRET)).toMatchObject({ total: 0 });
  expect(await counted(owner, '*')).toMatchObject({ total: 9 });
});

it("forgets what leaves the archive by the archive's own rules", async () => {
  const { store, hosts, orgs, engine, owner, central } = await withEngine();
  await central.letKeep([{ organization: orgs[0] ?? '', reader: null }]);
  await owner.ok('setRetentionRules', { body: { rules: [{ name: 'All', ...AT_ONCE }] } });
  await sweep({ client: owner });
  const archiveKeys = [central.orderKey];
  // What is decided about is shown until its host has shipped the run without it.
  expect(await central.follow()).toEqual([]);
  expect(secretRows(engine)).toBe(1);
  await shipped(nth(hosts, 0).service.dataDir, store, { archiveKeys });
  expect(await central.follow()).toEqual([]);
  expect(await engineOf(owner)).toEqual({ state: 'ready', runs: 2 });
  expect(secretRows(engine)).toBe(0);
  expect(await counted(owner, SECRET)).toMatchObject({ total: 0 });
  expect(await counted(owner, '*')).toMatchObject({ total: 7 });
});

it('reads the Parquet files of runs as the runs are', async () => {
  const { hosts, store, engine } = await withEngine();
  const to = temporaryFolder();
  await writeParquetFiles({ store, to, now: Date.now, signal: new AbortController().signal, onFile: () => {} });
  const files = `file('${join(to, '**', '*.parquet')}', Parquet)`;
  const counted = engine.direct(
    `SELECT issuer_kid, org_id, count(), sum(seq_no), countIf(payload LIKE '%${SECRET}%') FROM ${files} GROUP BY ALL ORDER BY ALL`,
  );
  const wanted = hosts.map(({ service, account }, n) => {
    const records = n === 0 ? 4 : 3;
    return `"${service.kid}","${account.orgId}",${records},${(records * (records + 1)) / 2},${n === 0 ? 1 : 0}`;
  });
  expect(counted.trim().split('\n')).toEqual(wanted.sort());
});

it('is told with no password in any file of the node', async () => {
  const { engine, central } = await withEngine();
  const showing = [...contentsBelow(central.running.dataDir)].filter(({ bytes }) =>
    bytes.includes(engine.address.password),
  );
  expect(showing.map(({ path }) => path)).toEqual([]);
});
