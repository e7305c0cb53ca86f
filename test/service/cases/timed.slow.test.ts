// docs/time-stamps.md: the case room judges carried time stamps by the authorities that its reader trusts (protocol V181, V188, V189).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addItem, itemsOf, openCase, saveCase } from '../../support/case-items.ts';
import { importCase, settled } from '../../support/cases.ts';
import { run } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { StampingAuthority, stampOf } from '../../support/stamping.ts';
import { textOf } from '../../support/witness.ts';

const folder = temporaryFolder();
const store = join(folder, 'trust.json');
const at = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const trust = (...args: string[]) => run('trust', ...args, '--trust-store', store);

// What is examined, and where.
const issuer = await TestService.start();
const owner = await issuer.signUp();
const authority = new StampingAuthority('Good Time');
const signer = await registerAgent(owner);
const { operation_id } = await submitNext(owner, signer);
await owner.client.ok('closeEpoch');
await owner.client.ok('addTimeStamp', { body: await stampOf(owner.client, authority) });
await submitNext(owner, signer);
await owner.client.ok('closeEpoch');
const bundle = await bundleOf(owner);
const proof = (await owner.client.call('operationProof', { params: { operation_id } })).bytes;
await trust('add', `${issuer.kid}@${owner.orgId}`);
await trust('add', at('root.der', authority.root));
const service = await TestService.start({ trustStore: store });
const { client } = await service.signUp();
const reportOf = (case_id: string) => client.ok('caseReport', { params: { case_id } });

describe('a case of a bundle that carries a time stamp', async () => {
  const { case_id, verdict } = await importCase(client, { name: 'stamped.csbundle', bytes: bundle });

  it('is verified, and says who says that it existed when, as countersign verify does', async () => {
    const { times, summary } = await reportOf(case_id);
    expect(verdict).toBe('verified');
    expect(summary).not.toContain('no independent clock');
    expect(times?.stamps).toMatchObject([{ reaches: 1, said_by: 'CN=Good Time', late: null }]);
    expect(times?.not_before).toMatchObject([{ from_seq_no: 2, early: null }]);
    const { stdout } = await run('verify', at('b', bundle), '--json', '--trust-store', store);
    expect((JSON.parse(stdout) as { times: unknown }).times).toEqual(times);
  });

  it('judges a proof among its items the same way', async () => {
    await addItem(client, case_id, { name: 'proof.json', bytes: proof });
    const [, item] = await itemsOf(client, case_id);
    expect(item).toMatchObject({ kind: 'record-proof', verdict: 'verified' });
    expect(item?.summary).not.toContain('no independent clock');
  });

  it('judges a report of chosen records among its items the same way, as countersign verify does', async () => {
    const asked = { title: 'What was asked', entries: [{ seq_no: 1 }], format: 'html' };
    const { bytes } = await owner.client.call('reportOfRecords', { body: asked });
    await addItem(client, case_id, { name: 'chosen.html', bytes });
    const [, , item] = await itemsOf(client, case_id);
    expect(item).toMatchObject({ kind: 'record-report', verdict: 'verified' });
    expect(item?.summary).not.toContain('no independent clock');
    const { stdout } = await run('verify', at('chosen.html', bytes), '--json', '--trust-store', store);
    expect((JSON.parse(stdout) as { proof: unknown }).proof).toMatchObject({
      times: { stamps: [{ reaches: 1, said_by: 'CN=Good Time', late: null }] },
    });
    await client.ok('removeItem', { params: { case_id, item_no: String(item?.item_no) } });
  });

  it('judges a file of time stamps among its items, and what is no such file or not of its log', async () => {
    const [kept] = (await owner.client.ok('listTimeStamps')).data;
    const file = await textOf(owner.client.call('timeStampFile', { params: { digest: kept?.digest ?? '' } }));
    const given = { ...(JSON.parse(file) as { tokens: string[] }) };
    const token = Buffer.from(given.tokens[0] ?? '', 'base64');
    token[token.length - 1] = (token.at(-1) ?? 0) ^ 1;
    const foreign = readFileSync(new URL('../../vectors/checkpoint.txt', import.meta.url), 'utf8');
    const add = async (name: string, text: string) => addItem(client, case_id, { name, bytes: Buffer.from(text) });
    await add('a.stamps', file);
    await add('damaged.stamps', JSON.stringify({ ...given, tokens: [token.toString('base64')] }));
    await add('foreign.stamps', JSON.stringify({ ...given, checkpoint: foreign }));
    await add('cut.stamps', file.slice(0, -20));
    const items = (await itemsOf(client, case_id)).slice(2);
    expect(items.map(({ kind, verdict: found, code }) => [kind, found, code])).toEqual([
      ['time-stamps', 'verified', null],
      ['time-stamps', 'failed', 'EVIDENCE_FAILED'],
      ['time-stamps', 'failed', 'EVIDENCE_FAILED'],
      ['time-stamps', 'failed', 'FILE_DAMAGED'],
    ]);
    expect(items[0]?.summary).toMatch(/^Records up to No\. 1 existed before \S+, said by CN=Good Time\./);
    for (const { item_no } of items) await client.ok('removeItem', { params: { case_id, item_no: String(item_no) } });
  });

  it('gives the same verdicts where it is opened, and as a file', async () => {
    const bytes = await saveCase(client, case_id, null);
    const { case_id: opened } = (await openCase(client, bytes)).body as { case_id: string };
    await settled(client, opened);
    const items = await itemsOf(client, opened);
    expect(items.map(({ verdict: found, stated }) => [found, stated?.reproduced])).toEqual([
      ['verified', true],
      ['verified', true],
    ]);
    const { stdout } = await run('case', at('moved.cscase', bytes), '--json', '--trust-store', store);
    const { items: checked } = JSON.parse(stdout) as { items: { verdict: string }[] };
    expect(checked.map(({ verdict: found }) => found)).toEqual(['verified', 'verified']);
  });

  it('says so in its report, whose pages are made again with the same authority', async () => {
    const pdf = await client.call('caseReportPdf', { params: { case_id } });
    const { code, stdout } = await run('verify', at('report.pdf', pdf.bytes), '--trust-store', store);
    expect([code, stdout]).toEqual([0, expect.stringContaining('said by CN=Good Time')]);
    expect(stdout).toContain('The pages match');
    expect(stdout).not.toContain('differ');
  });

  it('is not verified where a root is trusted no longer than until before the stamp', async () => {
    await trust('add', at('root.der', authority.root), '--until', '2025-01-01T00:00:00Z');
    const late = await importCase(client, { name: 'late.csbundle', bytes: bundle });
    expect(late.verdict).toBe('incomplete');
    expect((await reportOf(late.case_id)).times?.stamps).toMatchObject([
      { verdict: 'incomplete', existed_before: null, tokens: [{ code: 'ROOT_ENDED' }] },
    ]);
  });
});
