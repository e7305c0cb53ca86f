import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OpenCase } from '../../../src/service/cases/reads/open-case.ts';
import { Catalog, removeContent } from '../../../src/service/search/content-index/catalog.ts';
import { enterWorkstation, importCase } from '../../support/cases.ts';
import { atEnd } from '../../support/cleanup.ts';
import { bundleOf, registerAgent, TestService } from '../../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp('issuer');
const signer = await registerAgent(owner);
const payloads = [
  { tool: 'get_user', arguments: { user_id: 'ada_7' }, result: 'Ada, credit card 12' },
  { tool: 'pay', arguments: { user_id: 'ada_7', amount: 12.5 }, result: 'Error: no credit' },
  { tool: 'pay', arguments: { user_id: 'bob_1', amount: 99 }, result: 'paid' },
  { tool: 'note', text: 'nothing of that' },
];
const ids: string[] = [];
for (const payload of payloads) {
  const { operation_id } = await owner.client.ok('submitOperation', { body: signer.next({ payload }) });
  ids.push(operation_id);
}
const desk = await enterWorkstation(service);
const bundle = await bundleOf(owner);
const { case_id } = await importCase(desk, { name: 'bundle', bytes: Buffer.from(bundle) });
const params = { case_id };

const QUERIES = [
  'credit',
  '"credit card"',
  'user_id = ada_7',
  'amount > 12.5',
  'not tool:pay',
  'outcome:failed',
  '/cre.it/',
];

it.each(QUERIES)('finds in a case what it finds in the ledger: %s', async (query) => {
  const body = { query, details: true };
  const live = await owner.client.ok('auditQuery', { body });
  const found = await desk.ok('caseAuditQuery', { params, body });
  expect(found.coverage).toEqual(live.coverage);
  expect(found.data.map(({ findings: _, ...row }) => row)).toEqual(live.data);
  expect((await desk.ok('caseHistogram', { params, query: { query } })).total).toBe(live.data.length);
  const facets = { query, fields: ['tool', 'outcome', '/arguments/user_id', 'agent'] };
  const { coverage: __, ...counted } = await desk.ok('caseFacets', { params, body: facets });
  expect(await owner.client.ok('facets', { body: facets })).toMatchObject(counted);
});

it('finds by tags, also ones that were given since', async () => {
  const find = async (query: string): Promise<number[]> =>
    (await desk.ok('caseAuditQuery', { params, body: { query, order: 'oldest' } })).data.map(({ seq_no }) => seq_no);
  expect(await find('tag:*')).toEqual([]);
  const tag = async (n: number, tags: string[]): Promise<unknown> =>
    desk.ok('annotate', { params: { case_id, operation_id: ids[n] ?? '' }, body: { tags } });
  await tag(1, ['key evidence']);
  await tag(3, ['other']);
  expect(await find('tag:evidence')).toEqual([2]);
  expect(await find('not tag:*')).toEqual([1, 3]);
  await tag(1, []);
  expect(await find('tag:*')).toEqual([4]);
});

it('judges more of a case with each question, until all is judged', async () => {
  const other = await TestService.start();
  const recorder = await other.signUp('recorder');
  const agent = await registerAgent(recorder);
  const records = 600;
  for (let from = 0; from < records; from += 100) {
    const batch = Array.from({ length: 100 }, (_, n) => agent.next({ payload: { tool: 'look', n: from + n } }));
    await recorder.client.ok('submitBatch', { body: { records: batch } });
  }
  const { case_id: id } = await importCase(recorder.client, { name: 'bundle', bytes: await bundleOf(recorder) });
  await other.stop();
  const folder = join(other.dataDir, 'cases', id);
  removeContent(folder);
  const open = new OpenCase(folder);
  // Whoever asked first waits for one step.
  let steps = 0;
  const once = {
    get aborted() {
      return steps++ > 0;
    },
    throwIfAborted: () => undefined,
  };
  open.begin(once);
  const view = open.contents();
  // The first step indexes, and judges what it read.
  expect([view.indexedTo, view.reader.isJudged]).toEqual([records, true]);
  open.close();

  const catalog = Catalog.open(folder);
  catalog.transact(() => catalog.forgetJudgement(catalog.shelf('')?.shelf ?? 0));
  catalog.close();
  const again = new OpenCase(folder);
  atEnd(() => again.close());
  steps = 0;
  again.begin(once);
  const part = again.contents();
  expect([part.indexedTo, part.reader.isJudged]).toEqual([records, false]);
  again.begin({ aborted: false, throwIfAborted: () => undefined });
  expect(again.contents().reader.isJudged).toBe(true);
});

it('completes names and values, and pages in both directions', async () => {
  expect((await desk.ok('caseNames', { params, body: { begins: 'user' } })).data).toEqual([
    { text: 'user_id', count: 3 },
  ]);
  for (const order of ['newest', 'oldest'] as const) {
    const rows: number[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const body = { query: 'tool:*', order, limit: 1, ...(cursor !== undefined && { cursor }) };
      const page = await desk.ok('caseAuditQuery', { params, body });
      rows.push(...page.data.map(({ seq_no }) => seq_no));
      cursor = page.nextCursor ?? undefined;
      more = page.hasMore;
    }
    expect(rows).toEqual(order === 'oldest' ? [1, 2, 3, 4] : [4, 3, 2, 1]);
  }
});

it('makes the index of a case again that has none, or a damaged one', async () => {
  const folder = join(service.dataDir, 'cases', case_id);
  await service.restart();
  const again = await enterWorkstation(service);
  rmSync(join(folder, 'content'), { recursive: true });
  const found = await again.ok('caseAuditQuery', { params, body: { query: 'credit' } });
  expect(found.data).toHaveLength(2);
  await service.restart();
  for (const name of readdirSync(join(folder, 'content')))
    writeFileSync(join(folder, 'content', name), 'x'.repeat(5000));
  const last = await enterWorkstation(service);
  expect((await last.ok('caseAuditQuery', { params, body: { query: 'credit' } })).data).toHaveLength(2);
});
