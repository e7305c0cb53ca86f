import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../src/api/index.ts';
import { formatTime, isWholeEvent, parseTime, type Receipt, utf8, verifyBundle } from '../../src/protocol/index.ts';
import { readAttachedRecipe } from '../../src/reports/pdf/attached-bundle.ts';
import { selectBundle } from '../../src/service/evidence/exports/bundle-source.ts';
import { writeBundle } from '../../src/service/evidence/exports/write-bundle.ts';
import { openKeyFile } from '../../src/service/ledger/keys/file-key-holder.ts';
import { openStore } from '../../src/service/store/open.ts';
import { expectError } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { ALWAYS, bundleOf, exportOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';
import { Signer } from '../support/signer.ts';
import { nextMillisecond, until } from '../support/until.ts';
import type { Bundle } from '../support/vectors.ts';

const service = await TestService.start({ epochMaxLeaves: 5 });
const owner = await service.signUp();
const agents = [await registerAgent(owner, 'agent-a'), await registerAgent(owner, 'agent-b')];
const receipts: Receipt[] = [];
for (let n = 0; n < 24; n++) {
  const agent = agents[n % 3 === 0 ? 1 : 0];
  if (agent !== undefined) receipts.push(await submitNext(owner, agent, { payload: { n, text: 'Grüße 👋' } }));
  await nextMillisecond();
}
const keptReceipts = {
  name: 'receipts',
  source: () => [utf8(receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''))],
};

const parse = (bytes: Uint8Array): Bundle => JSON.parse(Buffer.from(bytes).toString('utf8')) as Bundle;
const seqNos = ({ records }: Bundle): number[] => records.map(({ ear }) => ear.seq_no);
const timeOf = (seqNo: number): string => receipts[seqNo - 1]?.server_received_at ?? '';

/** The same bundle made again from the ledger, by what its manifest says of it. */
async function madeAgain(bytes: Uint8Array): Promise<Buffer> {
  const { manifest } = parse(bytes);
  const path = join(temporaryFolder(), 'bundle.json');
  const store = openStore(join(service.dataDir, 'ledger.sqlite'));
  try {
    const key = openKeyFile(join(service.dataDir, 'service-key.json'), false);
    const { org_id: orgId, filter, log_head: logHead } = manifest;
    const selection = selectBundle(store, { orgId, filter, logHead });
    const identity = { exportId: manifest.export_id, createdAt: manifest.created_at };
    await writeBundle(path, store, key, selection, identity);
  } finally {
    store.close();
  }
  return readFileSync(path);
}

/** Has a bundle made and downloaded; whatever was asked for, it verifies, and is made again byte by byte. */
async function checkedBundle(request: object): Promise<Bundle> {
  const exportId = await exportOf(owner, request);
  // Before the download, which is an administrative event of its own.
  const again = await madeAgain(readFileSync(join(service.dataDir, 'exports', `${exportId}.json`)));
  const { bytes } = await owner.client.call('downloadExport', { params: { export_id: exportId } });
  expect(bytes.equals(again)).toBe(true);
  const bundle = parse(bytes);
  if (bundle.records.length > 0) {
    const report = await verifyWith(service.kid, bytes, [keptReceipts]);
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('verified');
  }
  return bundle;
}

describe('a bundle', () => {
  it('holds the whole ledger', async () => {
    const bundle = await checkedBundle(ALWAYS);
    expect(bundle.records.map(({ ear }) => ear)).toEqual(receipts);
    expect(bundle.records.every(({ gap }) => gap === undefined)).toBe(true);
    expect(bundle.epochs.map(({ leaf_count }) => leaf_count)).toEqual([5, 5, 5, 5, 4]);
    expect(bundle.agents.map(({ agent_id }) => agent_id)).toEqual(['agent-a', 'agent-b']);
    expect(bundle.org).toEqual({ org_id: owner.orgId, name: 'Organization of owner' });
    const acts = bundle.admin_events.map((event) => (isWholeEvent(event) ? event.action : 'withheld'));
    expect(acts.slice(0, 3)).toEqual(['org.create', 'agent.register', 'agent.register']);
    expect(acts.at(-1)).toBe('export.create');
    expect(bundle.manifest).toMatchObject({
      record_count: 24,
      first_seq_no: 1,
      last_seq_no: 24,
      log_head: { seq_no: 24, epoch_no: 5 },
      filter: { start_time: '2000-01-01T00:00:00.000Z', end_time: '2100-01-01T00:00:00.000Z', agent_id: null },
    });
  });

  it('has one record a line', async () => {
    const text = (await bundleOf(owner)).toString('utf8');
    expect(text.split('\n').filter((line) => line.startsWith('{"eor":'))).toHaveLength(24);
  });

  it('seals the open epoch first', async () => {
    const account = await service.signUp('sealer');
    const receipt = await submitNext(account, await registerAgent(account));
    expect((await account.client.ok('listEpochs')).data).toEqual([]);
    const bundle = parse(await bundleOf(account));
    expect(bundle.epochs).toMatchObject([{ first_seq_no: 1, last_seq_no: 1 }]);
    expect(bundle.records[0]?.ear).toEqual(receipt);
  });

  it.each(['agent-a', 'agent-b'])('of %s alone holds its records, with the log between them', async (agentId) => {
    const bundle = await checkedBundle({ ...ALWAYS, agentId });
    const own = receipts.filter(({ agent_id }) => agent_id === agentId);
    expect(bundle.records.map(({ ear }) => ear)).toEqual(own);
    expect(bundle.agents.map(({ agent_id }) => agent_id)).toEqual([agentId]);
    expect(bundle.epochs).toHaveLength(5);
    const isNext = own.map(({ seq_no }, n) => seq_no === (own[n - 1]?.seq_no ?? 0) + 1);
    expect(bundle.records.map(({ gap }) => gap === undefined)).toEqual(isNext);
    expect(isNext).toContain(false);
    expect(bundle.edges.head).toMatchObject({ epoch_no: 5, last_seq_no: 24 });
  });

  it.each([
    [1, 24],
    [1, 3],
    [3, 4],
    [4, 13],
    [5, 11],
    [6, 10],
    [6, 11],
    [20, 24],
    [24, 24],
    [7, 7],
  ])('of a range holds just what was received in it: %i to %i', async (first, last) => {
    const endTime = formatTime(parseTime(timeOf(last)) + 1);
    const bundle = await checkedBundle({ startTime: timeOf(first), endTime });
    expect(seqNos(bundle)).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index));
    expect(bundle.records.every(({ gap }) => gap === undefined)).toBe(true);
    const epochs = bundle.epochs.map(({ epoch_no }) => epoch_no);
    expect([epochs.at(0), epochs.at(-1)]).toEqual([Math.ceil(first / 5), Math.ceil(last / 5)]);
  });

  it('takes the start of a range in and leaves its end out', async () => {
    expect(seqNos(await checkedBundle({ startTime: timeOf(4), endTime: timeOf(9) }))).toEqual([4, 5, 6, 7, 8]);
  });

  it('reads times with offsets', async () => {
    const shifted = formatTime(parseTime(timeOf(4)) + 2 * 3_600_000).replace('Z', '+02:00');
    expect(seqNos(await checkedBundle({ startTime: shifted, endTime: timeOf(6) }))).toEqual([4, 5]);
  });

  it('of one agent and a range has the epochs of the whole run', async () => {
    const bundle = await checkedBundle({ startTime: timeOf(4), endTime: timeOf(13), agentId: 'agent-b' });
    expect(seqNos(bundle)).toEqual([4, 7, 10]);
    expect(bundle.epochs.map(({ epoch_no }) => epoch_no)).toEqual([1, 2, 3]);
  });

  it('of a range without records is empty and never more than incomplete', async () => {
    const request = { startTime: '2000-01-01T00:00:00Z', endTime: '2001-01-01T00:00:00Z' };
    const bundle = await checkedBundle(request);
    expect(bundle.records).toEqual([]);
    expect(bundle.manifest).toMatchObject({ record_count: 0, first_seq_no: null, last_seq_no: null });
    const report = await verifyWith(service.kid, await bundleOf(owner, request));
    expect(report).toMatchObject({ verdict: 'incomplete', findings: [] });
  });

  it('is not made of an agent that nobody knows: a typing error would look like an agent that did nothing', async () => {
    const body = { ...ALWAYS, agentId: 'nobody' };
    expectError(await owner.client.call('createExport', { body }), 'VALIDATION_ERROR', 'agentId');
  });

  it('shows an agent as it is: frozen, its key revoked, or deleted', async () => {
    const account = await service.signUp('changer');
    const signers = [await registerAgent(account, 'x'), await registerAgent(account, 'y')];
    for (const signer of signers) await submitNext(account, signer);
    const { client } = account;
    const key = { kid: 'second', public_key: new Signer(account.orgId, 'x').publicKey, algorithm: 'ed25519' };
    await client.ok('addKey', { params: { agent_id: 'x' }, body: key });
    await client.ok('revokeKey', { params: { agent_id: 'x' }, body: { kid: 'key-1', reason: 'lost' } });
    await client.ok('freezeAgent', { params: { agent_id: 'x' }, body: { reason: 'suspicion' } });
    await client.ok('deleteAgent', { params: { agent_id: 'y' } });
    const bytes = await bundleOf(account);
    expect(parse(bytes).agents.map(({ status }) => status)).toEqual(['frozen', 'deleted']);
    expect((await verifyWith(service.kid, bytes)).verdict).toBe('verified');
  });

  it('is verified also where things went on while it was made', async () => {
    const account = await service.signUp('busy');
    const signer = await registerAgent(account);
    await submitNext(account, signer);
    const going = Promise.all([
      ...Array.from({ length: 5 }, () => registerAgent(account)),
      (async () => {
        for (let n = 0; n < 20; n++) await submitNext(account, signer);
      })(),
    ]);
    const bundles = await Promise.all(Array.from({ length: 4 }, () => bundleOf(account)));
    await going;
    for (const bundle of bundles) {
      const report = await verifyWith(service.kid, bundle);
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe('verified');
    }
    const against = bundles.map((bundle, index) => ({ name: `bundle ${index}`, source: () => [bundle] }));
    for (const { source } of against) {
      const report = await verifyBundle(source, { trustedKids: [service.kid], against });
      expect(report.findings).toEqual([]);
    }
  });

  it('is not verified by another key, and fails when a byte is changed', async () => {
    const bytes = await bundleOf(owner);
    expect((await verifyWith('A'.repeat(43), bytes)).verdict).toBe('incomplete');
    const changed = Buffer.from(bytes.toString('utf8').replace('"n":11,', '"n":12,'));
    expect((await verifyWith(service.kid, changed)).verdict).toBe('failed');
  });
});

describe('POST /v1/exports', () => {
  it('accepts a job', async () => {
    const before = Date.now();
    const answer = await owner.client.call('createExport', { body: ALWAYS });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      exportId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'processing',
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(parseTime(answer.body.createdAt)).toBeGreaterThanOrEqual(before);
  });

  it.each<[string, string, object]>([
    ['startTime', 'missing', { endTime: ALWAYS.endTime }],
    ['endTime', 'missing', { startTime: ALWAYS.startTime }],
    ['startTime', 'a number', { ...ALWAYS, startTime: 0 }],
    ['startTime', 'a date', { ...ALWAYS, startTime: '2026-01-01' }],
    ['endTime', 'without offset', { ...ALWAYS, endTime: '2026-01-01T00:00:00' }],
    ['endTime', 'before the start', { startTime: ALWAYS.endTime, endTime: ALWAYS.startTime }],
    ['endTime', 'the start', { startTime: ALWAYS.startTime, endTime: ALWAYS.startTime }],
    ['agentId', 'no agent_id', { ...ALWAYS, agentId: 'a b' }],
    ['agentId', 'null', { ...ALWAYS, agentId: null }],
    ['format', 'unknown', { ...ALWAYS, format: 'csv' }],
    ['details', 'of a bundle', { ...ALWAYS, details: true }],
    ['limit', 'unknown', { ...ALWAYS, limit: 5 }],
  ])('refuses %s: %s', async (member, _, body) => {
    const before = service.trace();
    expectError(await owner.client.call('createExport', { body }), 'VALIDATION_ERROR', member);
    expect(service.trace()).toEqual(before);
  });
});

/** Whether a report says that it was made with every record printed. */
async function printsAll(bytes: Uint8Array): Promise<unknown> {
  const path = join(temporaryFolder(), 'report.pdf');
  writeFileSync(path, bytes);
  const recipe = (await readAttachedRecipe(path)).bytes ?? expect.fail('no options attached');
  return (JSON.parse(Buffer.from(recipe).toString('utf8')) as { readonly details: unknown }).details;
}

describe('a report of a range', () => {
  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('prints its few records where details are %s: %s', async (details, isWhole) => {
    const asked = details === undefined ? {} : { details };
    const params = { export_id: await exportOf(owner, { ...ALWAYS, format: 'pdf', ...asked }) };
    expect((await owner.client.ok('getExport', { params })).details).toBe(details);
    expect(await printsAll((await owner.client.call('downloadExport', { params })).bytes)).toBe(isWhole);
    const { events } = await owner.client.ok('listAdminEvents', { query: { action: 'export.create' } });
    expect(events[0]?.details['details']).toBe(details);
  });
});

describe('GET /v1/exports and /v1/exports/:export_id', () => {
  it('show a job with its result, newest first, in pages', async () => {
    const account = await service.signUp('exporter');
    expect(await account.client.ok('listExports')).toEqual({ data: [], nextCursor: null, hasMore: false });
    await submitNext(account, await registerAgent(account));
    const ids: string[] = [];
    // Several within a millisecond, too.
    for (let n = 0; n < 5; n++) ids.push((await account.client.ok('createExport', { body: ALWAYS })).exportId);
    await until('the exports', async () => {
      const { data } = await account.client.ok('listExports');
      return data.every(({ status }) => status === 'completed');
    });
    // Jobs of one millisecond stand on both sides of a page's end.
    service.sql
      .prepare('UPDATE exports SET created_at = (SELECT max(created_at) FROM exports) WHERE export_id IN (?, ?, ?)')
      .run(ids.slice(1, 4));
    const seen: AnswerOf<'listExports'>['data'][number][] = [];
    let query: Record<string, string> = { limit: '2' };
    for (;;) {
      const { data, nextCursor, hasMore } = await account.client.ok('listExports', { query });
      expect(hasMore).toBe(nextCursor !== null);
      seen.push(...data);
      expect(hasMore).toBe(seen.length < ids.length);
      if (nextCursor === null) break;
      query = { limit: '2', cursor: nextCursor };
    }
    expect(seen.map(({ exportId }) => exportId).toSorted()).toEqual(ids.toSorted());
    const times = seen.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
    for (const job of seen) {
      expect(job).toEqual({
        exportId: job.exportId,
        status: 'completed',
        format: 'json',
        startTime: '2000-01-01T00:00:00.000Z',
        endTime: '2100-01-01T00:00:00.000Z',
        recordCount: 1,
        redactedCount: 0,
        progress: 1,
        createdAt: expect.any(String),
        completedAt: expect.any(String),
      });
      expect(await account.client.ok('getExport', { params: { export_id: job.exportId } })).toEqual(job);
    }
  });

  it.each<[string, Record<string, string>]>([
    ['limit', { limit: '0' }],
    ['limit', { limit: '201' }],
    ['cursor', { cursor: 'nonsense' }],
    ['cursor', { cursor: Buffer.from('{"createdAt":1}').toString('base64url') }],
    ['status', { status: 'completed' }],
  ])('refuse a wrong %s', async (member, query) => {
    expectError(await owner.client.call('listExports', { query }), 'VALIDATION_ERROR', member);
  });

  it.each(['nonsense', '../../service-key', '00000000-0000-4000-8000-000000000000'])('do not know %s', async (id) => {
    expectError(await owner.client.call('getExport', { params: { export_id: id } }), 'NOT_FOUND');
    expectError(await owner.client.call('downloadExport', { params: { export_id: id } }), 'NOT_FOUND');
  });
});

describe('GET /v1/exports/:export_id/download', () => {
  it('gives the file as an attachment', async () => {
    const params = { export_id: await exportOf(owner) };
    const answer = await owner.client.call('downloadExport', { params });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[^"\\/]+"$/);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('is recorded in the administrative log, each time', async () => {
    const export_id = await exportOf(owner);
    const count = () =>
      service.sql
        .prepare("SELECT count(*) FROM admin_events WHERE action = 'export.download' AND target_id = ?")
        .pluck()
        .get(export_id);
    for (let n = 1; n <= 2; n++) {
      await owner.client.call('downloadExport', { params: { export_id } });
      expect(count()).toBe(n);
    }
  });

  it.each(['processing', 'failed'])('is a conflict while the job is %s', async (status) => {
    const export_id = crypto.randomUUID();
    service.sql
      .prepare(
        `INSERT INTO exports (export_id, org_id, status, format, start_time, end_time, created_at)
         VALUES (?, ?, ?, 'json', '2000-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z', 1)`,
      )
      .run(export_id, owner.orgId, status);
    const before = service.trace();
    expectError(await owner.client.call('downloadExport', { params: { export_id } }), 'CONFLICT');
    expect(service.trace()).toEqual(before);
    const job = await owner.client.ok('getExport', { params: { export_id } });
    expect(job).toMatchObject({ status, recordCount: 0 });
    expect(job).not.toHaveProperty('completedAt');
    service.sql.prepare('DELETE FROM exports WHERE export_id = ?').run(export_id);
  });
});

describe('a job that a stop interrupted', () => {
  it('is made at the next start, under its own id', async () => {
    const other = await TestService.start();
    const account = await other.signUp();
    const receipt = await submitNext(account, await registerAgent(account));
    const { exportId } = await account.client.ok('createExport', { body: ALWAYS });
    await other.stop();
    other.sql.prepare("UPDATE exports SET status = 'processing', record_count = NULL, completed_at = NULL").run();
    await other.restart();
    const client = other.client(account.client.token);
    await until('the export', async () => {
      const { status } = await client.ok('getExport', { params: { export_id: exportId } });
      return status === 'completed';
    });
    const { bytes } = await client.call('downloadExport', { params: { export_id: exportId } });
    expect(parse(bytes)).toMatchObject({ manifest: { export_id: exportId }, records: [{ ear: receipt }] });
    expect((await verifyWith(other.kid, bytes)).verdict).toBe('verified');
    expect(existsSync(join(other.dataDir, 'exports', `${exportId}.json.part`))).toBe(false);
  });
});
