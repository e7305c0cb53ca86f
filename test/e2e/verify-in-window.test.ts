// "Verify a bundle" without an account: the verdicts that the command gives, wholly in the window.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { utf8, type VerificationReport } from '../../src/protocol/index.ts';
import { openBrowser, openPage, RENDERER_DIR, type WatchedPage } from '../support/browser.ts';
import { bundleOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';

describe.skipIf(chromiumPath() === undefined)('a bundle in the window', () => {
  let service: TestService;
  let watched: WatchedPage;
  let page: Page;
  let bundle: Buffer;
  let receipts: string;
  const posted: string[] = [];

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const kept = [];
    for (let n = 0; n < 5; n++) kept.push(await submitNext(owner, signer, { payload: { amount: 100 + n } }));
    receipts = kept.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    bundle = await bundleOf(owner);
    watched = await openPage(await (await openBrowser()).newContext());
    page = watched.page;
    page.on('request', (request) => {
      if (request.method() !== 'GET') posted.push(request.url());
    });
    await page.goto(service.url);
    await page.getByRole('link', { name: /Verify a bundle/ }).click();
  });

  async function verify(name: string, file: Buffer, { kid = '', kept = '' } = {}): Promise<void> {
    await page
      .getByLabel('Bundle or report')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: file });
    await page
      .getByLabel(/Receipts/)
      .setInputFiles(
        kept === '' ? [] : { name: 'kept.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(kept) },
      );
    await page.getByLabel(/Trusted fingerprints/).fill(kid);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
  }
  const verdict = (word: string) => page.getByRole('heading', { name: `Verdict: ${word}` }).waitFor();
  const checks = () => page.getByRole('list', { name: 'Checks' }).getByRole('listitem').allInnerTexts();

  it('is verified with the fingerprint of its issuer and the receipts that were kept', async () => {
    await verify('all.csbundle', bundle, { kid: service.kid, kept: receipts });
    await verdict('verified');
    expect(await checks()).toHaveLength(10);
    for (const check of await checks()) expect(check).toMatch(/^Pass/);
  });

  it('is incomplete without the fingerprint, compressed or not', async () => {
    await verify('all.csbundle.gz', gzipSync(bundle));
    await verdict('incomplete');
    await page.getByText('ISSUER_NOT_PINNED').waitFor();
  });

  it('fails where one figure was changed, and the window says the same as the command', async () => {
    const changed = Buffer.from(bundle.toString('utf8').replace('"amount":103', '"amount":903'));
    await verify('changed.csbundle', changed, { kid: service.kid });
    await verdict('failed');
    await page.getByText('PAYLOAD_HASH_MISMATCH', { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the report' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    const report = JSON.parse(Buffer.concat(chunks).toString('utf8')) as VerificationReport;
    expect(report).toEqual(await verifyWith(service.kid, changed));
  });

  it('says what it cannot read', async () => {
    await verify('report.pdf', Buffer.from(utf8('%PDF-1.7 and so on')));
    await page.getByRole('alert').filter({ hasText: 'countersign verify report.pdf' }).waitFor();
    await verify('photo.png', Buffer.from(utf8('not a bundle')));
    await page.getByRole('alert').filter({ hasText: 'not a bundle' }).waitFor();
  });

  it('sends nothing anywhere', () => {
    expect(posted).toEqual([]);
    expect(watched.complaints).toEqual([]);
    expect(watched.origins).toEqual(new Set([service.url]));
  });
});
