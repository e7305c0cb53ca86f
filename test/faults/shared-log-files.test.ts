// docs/shared-log.md, What a standby does: files come from the active node through it, for the administrative log has to tell who has them.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PAGE_HEADER, type RouteName } from '../../src/api/index.ts';
import { type Arguments, send } from '../support/client.ts';
import { judgeChosen } from '../support/reports.ts';
import { bundleOf, eventsOf, exportOf, registerAgent, submitNext, verifyWith } from '../support/service.ts';
import { TestPair } from '../support/shared-nodes.ts';
import { verifiedByAll } from '../support/two-verifiers.ts';
import { until } from '../support/until.ts';

describe('a standby that is asked for a file', async () => {
  const pair = await TestPair.start();
  const { active, standby } = pair;
  const { kid } = active.running;
  const owner = pair.ownerAt(active);
  const reader = pair.ownerAt(standby);
  const signer = await registerAgent(owner, 'agent-1');
  for (let left = 3; left > 0; left--) await submitNext(owner, signer);
  await pair.areEqual();

  it('gives an export that all three verifiers take, and the log tells who has it', async () => {
    const bundle = await bundleOf(reader);
    expect(await verifyWith(kid, bundle)).toMatchObject({ verdict: 'verified', findings: [], bundle: { records: 3 } });
    verifiedByAll(kid, bundle);
    const [event] = await eventsOf(owner, 'export.download');
    expect(event).toMatchObject({ actor: owner.userId });
    await pair.areEqual();
    expect(await eventsOf(reader, 'export.download')).toEqual([event]);
  });

  it('gives a report of chosen records that verifies', async () => {
    const body = { title: 'What was done', examiner: 'Ada', entries: [{ seq_no: 2 }], format: 'html' };
    const { bytes, headers } = await reader.client.call('reportOfRecords', { body });
    expect(headers['content-disposition']).toBe('attachment; filename="report_What-was-done.html"');
    expect((await judgeChosen(bytes, kid)).judgement.verdict).toBe('verified');
    expect(await eventsOf(owner, 'report.create')).toHaveLength(1);
  });

  it('gives records as a file for another program', async () => {
    const { bytes } = await reader.client.call('recordFile', { body: { format: 'csv' } });
    expect(bytes.toString('utf8').trimEnd().split('\n')).toHaveLength(4);
    expect(await eventsOf(owner, 'report.create')).toHaveLength(2);
  });

  it('gives a page the file of its ticket, once', async () => {
    const path = `/v1/exports/${await exportOf(owner)}/download?encoding=gzip`;
    const page = { [PAGE_HEADER]: randomBytes(32).toString('base64url'), origin: standby.url };
    const { email, password } = owner;
    const signedIn = await active.client().call('signIn', {
      body: { email, password },
      headers: { ...page, origin: active.url },
    });
    const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    await pair.areEqual();
    const ticket = await standby.client().ok('createDownloadTicket', { body: { path }, headers: { ...page, cookie } });
    const before = (await eventsOf(owner, 'export.download')).length;
    const { status, headers } = await send(standby.url, { path: ticket.path, headers: { cookie } });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/gzip' });
    expect((await send(standby.url, { path: ticket.path, headers: { cookie } })).status).toBe(401);
    expect(await eventsOf(owner, 'export.download')).toHaveLength(before + 1);
  });

  it('hands on what the active node refuses, and lets nobody in whom that would not', async () => {
    const params = { export_id: 'none' };
    expect(await reader.client.call('downloadExport', { params })).toMatchObject({ status: 404 });
    expect((await standby.client().call('downloadExport', { params })).status).toBe(401);
    expect((await standby.client('wrong').call('downloadExport', { params })).status).toBe(401);
  });

  it('passes nothing on that was passed on to it', async () => {
    const headers = { 'Countersign-Active-Only': '1' };
    const refused = await reader.client.call('listExports', { headers });
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'NOT_ACTIVE', active: active.url } } });
  });
});

describe('a standby that cannot reach the active node', async () => {
  const nowhere = 'http://127.0.0.1:1';
  const pair = await TestPair.start({ publicUrl: nowhere });
  const owner = pair.ownerAt(pair.active);
  const reader = pair.ownerAt(pair.standby);
  const signer = await registerAgent(owner, 'agent-1');
  await submitNext(owner, signer);
  const params = { export_id: await exportOf(owner) };
  await until('the standby to have it', async () => (await reader.client.call('getExport', { params })).status === 200);

  it('answers what is only read', async () => {
    expect(await reader.client.ok('getExport', { params })).toMatchObject({ status: 'completed' });
    expect((await reader.client.ok('listExports')).data).toHaveLength(1);
  });

  it.each<[RouteName, Arguments]>([
    ['downloadExport', { params }],
    ['createExport', { body: { startTime: '2020-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' } }],
    ['recordFile', { body: { format: 'csv' } }],
  ])('gives no file for %s that nobody would note', async (route, asked) => {
    expect(await reader.client.call(route, asked)).toMatchObject({
      status: 503,
      body: { error: { code: 'NOT_ACTIVE', active: nowhere } },
    });
  });
});
