// docs/archive.md: what a central node accepted is searched as one ledger, by whoever may see it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../../src/api/index.ts';
import { nodeCrypto } from '../../../src/node/index.ts';
import { verifyRecordProof } from '../../../src/protocol/index.ts';
import { messageOf } from '../../../src/protocol/light.ts';
import { FolderStore } from '../../../src/service/archive/folder-store.ts';
import { addRun } from '../../../src/service/cases/archived/archive-index.ts';
import { growingIndex } from '../../../src/service/cases/case-index-file.ts';
import { archiveHost, shipped } from '../../support/archive.ts';
import { at as nth } from '../../support/bytes.ts';
import { archiveOf, TestCentral } from '../../support/central.ts';
import type { Client } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';

type Archive = AnswerOf<'getCase'>['archive'];

async function twoHosts() {
  const folder = temporaryFolder();
  const hosts = [await archiveHost(), await archiveHost()];
  for (let epoch = 0; epoch < 2; epoch++) {
    for (const host of hosts) {
      await host.seal(3);
      await shipped(host.service.dataDir, new FolderStore(folder));
    }
  }
  const orgs = hosts.map(({ account }) => account.orgId);
  return { folder, hosts, orgs, trusted: hosts.map(({ service }) => service.kid) };
}

it('answers over all ledgers that may be seen, each row with its ledger', async () => {
  const { folder, hosts, orgs, trusted } = await twoHosts();
  const readers = orgs.map((organization) => ({ organization, reader: null }));
  const central = await TestCentral.start({ folder, trusted, readers });
  expect(await central.follow()).toEqual([]);
  const owner = await central.owner();
  const archive = await archiveOf(owner);
  expect(archive).toMatchObject({
    verdict: 'verified',
    archive: { ledgers: 2, runs: 4, waiting: 0, records: 12, indexed_to: 12, refused: [] },
  });
  const { checks } = await owner.ok('deepHealth');
  expect(checks.archive).toEqual({
    status: 'ok',
    detail: '4 runs accepted, 4 of them searchable, 0 refused or missing',
  });
  const params = { case_id: archive?.case_id ?? '' };
  const { ledgers } = await owner.ok('archivedLedgers', { params });
  expect(ledgers.map(({ organization, runs, records }) => [organization, runs, records])).toEqual(
    expect.arrayContaining(orgs.map((org) => [org, 2, 6])),
  );
  const found = await owner.ok('caseAuditQuery', { params, body: { details: true, query: `organization:${orgs[0]}` } });
  expect(found.data).toHaveLength(6);
  expect(new Set(found.data.map(({ details }) => details?.issuer))).toEqual(new Set([nth(hosts, 0).service.kid]));
  const facets = await owner.ok('caseFacets', { params, body: { fields: ['organization', 'issuer'] } });
  expect(facets.facets.map(({ values }) => values.map(({ count }) => count))).toEqual([
    [6, 6],
    [6, 6],
  ]);
  // Evidence comes from the run, and proves itself.
  for (const { operation_id } of found.data) {
    const { epoch, ear } = await owner.ok('caseOperation', { params: { ...params, operation_id } });
    expect(ear.org_id).toBe(orgs[0]);
    expect(epoch?.inclusion).not.toBeNull();
    const { bytes } = await owner.call('caseOperationProof', { params: { ...params, operation_id } });
    const trustedKids = [nth(hosts, 0).service.kid];
    const { verdict } = await verifyRecordProof(
      async function* () {
        yield bytes;
      },
      { crypto: nodeCrypto, trustedKids },
    );
    expect(verdict).toBe('verified');
  }
});

/** Everything that a search lists, without what differs from one node to the next. */
async function listed(client: Client): Promise<{ archive: Archive; rows: unknown[]; sessions: unknown }> {
  const archive = await archiveOf(client);
  const params = { case_id: archive?.case_id ?? '' };
  const { data: rows } = await client.ok('caseAuditQuery', { params, body: { details: true, limit: 100 } });
  const sessions = await client.ok('caseSessions', { params, body: {} });
  return { archive: archive?.archive ?? null, rows: [...rows], sessions };
}

it('continues from what was accepted: once, after a restart, and without its index', async () => {
  const { folder, hosts, orgs, trusted } = await twoHosts();
  const readers = orgs.map((organization) => ({ organization, reader: null }));
  const dataDir = join(temporaryFolder(), 'central');
  const use = { folder, trusted, readers, dataDir };
  const first = await TestCentral.start(use);
  await first.follow();
  const before = await listed(await first.owner());
  expect(before.rows).toHaveLength(12);
  await first.stop();
  const [caseId = ''] = readdirSync(join(dataDir, 'cases')).filter((name) => name.length === 36);
  const folderOfCase = join(dataDir, 'cases', caseId);
  const lose = [
    () => {},
    () => rmSync(join(folderOfCase, 'case.sqlite')),
    () => rmSync(join(folderOfCase, 'content'), { recursive: true }),
    () => rmSync(folderOfCase, { recursive: true }),
  ];
  for (const losing of lose) {
    losing();
    const next = await TestCentral.start(use);
    expect(await next.follow()).toEqual([]);
    const { archive, rows, sessions } = await listed(await next.owner());
    expect(rows).toEqual(before.rows);
    expect(sessions).toEqual(before.sessions);
    expect(archive).toEqual({ ...before.archive, looked_at: archive?.looked_at });
    await next.stop();
  }
  // Another central node comes to the same out of the runs alone.
  const other = await TestCentral.start({ folder, trusted, readers });
  await other.follow();
  expect((await listed(await other.owner())).rows).toEqual(before.rows);
  // What comes later is found too.
  await nth(hosts, 0).seal(2);
  await shipped(nth(hosts, 0).service.dataDir, new FolderStore(folder));
  await other.follow();
  expect((await listed(await other.owner())).rows).toHaveLength(14);
});

it('shows nothing of a run that has other bytes than were accepted, and says so', async () => {
  const { folder, orgs, trusted } = await twoHosts();
  const readers = orgs.map((organization) => ({ organization, reader: null }));
  const central = await TestCentral.start({ folder, trusted, readers });
  await central.follow();
  const owner = await central.owner();
  const params = { case_id: (await archiveOf(owner))?.case_id ?? '' };
  const { data } = await owner.ok('caseAuditQuery', { params, body: { query: `organization:${orgs[0]}` } });
  await central.stop();
  for (const name of readdirSync(join(folder, trusted[0] ?? '', orgs[0] ?? ''))) {
    const path = join(folder, trusted[0] ?? '', orgs[0] ?? '', name);
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length * 0.9);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }
  const next = await TestCentral.start({ folder, trusted, readers, dataDir: central.running.dataDir });
  const refused = await next.follow();
  expect(refused.map(({ code }) => code)).toEqual(['changed', 'changed']);
  const again = await next.owner();
  expect(await archiveOf(again)).toMatchObject({ verdict: 'failed', verdict_code: 'RUNS_REFUSED' });
  for (const { operation_id } of data) {
    expect((await again.call('caseOperation', { params: { ...params, operation_id } })).status).toBe(409);
  }
});

describe('a run that is put into an index', () => {
  async function indexed(bytes: (file: Buffer) => Buffer, sha256Of: (file: Buffer) => Buffer) {
    const { folder, trusted } = await twoHosts();
    const [run] = (await new FolderStore(folder).list()).filter(({ name }) => name?.kid === trusted[0]);
    const name = run?.name ?? null;
    if (run === undefined || name === null) throw new Error('nothing was shipped');
    const file = readFileSync(join(folder, run.path));
    const sha256 = createHash('sha256').update(sha256Of(file)).digest('hex');
    const about = { ...name, firstEpochNo: name.first, lastEpochNo: name.last, path: run.path, sha256 };
    const index = growingIndex(join(temporaryFolder(), 'index.sqlite'));
    const failed = await addRun(index, about, async function* () {
      yield bytes(file);
    }).catch((error: unknown) => messageOf(error));
    const countIn = (table: string): unknown => index.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    const counts = { runs: countIn('runs'), texts: countIn('texts'), stretches: countIn('stretches') };
    index.close();
    return { failed, counts };
  }

  const packedAgain = (file: Buffer): Buffer => gzipSync(gunzipSync(file));

  it('has its texts there only where another program packed it', async () => {
    const own = await indexed(same, same);
    expect(own).toMatchObject({ failed: undefined, counts: { runs: 1, texts: 0 } });
    expect(own.counts.stretches).toBeGreaterThan(0);
    const other = await indexed(packedAgain, packedAgain);
    expect(other).toMatchObject({ failed: undefined, counts: { runs: 1, stretches: 0 } });
    expect(other.counts.texts).toBeGreaterThan(0);
  });

  it('leaves nothing there where its bytes are no longer those that were accepted', async () => {
    const { failed, counts } = await indexed(packedAgain, same);
    expect(failed).toMatch(/has other bytes than those that were accepted/);
    expect(counts).toEqual({ runs: 0, texts: 0, stretches: 0 });
  });
});

function same(file: Buffer): Buffer {
  return file;
}
