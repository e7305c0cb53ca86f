// "Verify a bundle" without an account: the verdicts that the command gives, wholly in the window.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { utf8, type VerificationReport } from '../../src/protocol/index.ts';
import { REPORT } from '../../src/renderer/report/texts.ts';
import type { EmbeddedFile } from '../../src/reports/pdf/document/attachment.ts';
import { openBrowser, openPage, RENDERER_DIR, type WatchedPage } from '../support/browser.ts';
import { temporaryFolder } from '../support/folders.ts';
import { writePdfWith } from '../support/reports.ts';
import {
  type Account,
  ALWAYS,
  bundleOf,
  registerAgent,
  submitNext,
  TestService,
  verifyWith,
} from '../support/service.ts';

describe.skipIf(chromiumPath() === undefined)('a bundle in the window', () => {
  let service: TestService;
  let owner: Account;
  let watched: WatchedPage;
  let page: Page;
  let bundle: Buffer;
  let receipts: readonly string[];
  const posted: string[] = [];

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    owner = await service.signUp();
    const signer = await registerAgent(owner);
    const kept = [];
    for (let n = 0; n < 5; n++) kept.push(await submitNext(owner, signer, { payload: { amount: 100 + n } }));
    // One file for each agent, or part of one: what they say together counts.
    const linesOf = (some: readonly unknown[]): string =>
      some.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    receipts = [linesOf(kept.slice(0, 2)), linesOf(kept.slice(2))];
    bundle = await bundleOf(owner);
    watched = await openPage(await (await openBrowser()).newContext());
    page = watched.page;
    page.on('request', (request) => {
      if (request.method() !== 'GET') posted.push(request.url());
    });
    await page.goto(service.url);
    await page.getByRole('link', { name: 'Choose a file' }).click();
  });

  async function verify(name: string, file: Buffer, { kid = '', kept = [] as readonly string[] } = {}): Promise<void> {
    await page
      .getByLabel('Bundle, report or proof')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: file });
    await page
      .getByLabel(/Receipts/)
      .setInputFiles(
        kept.map((text, n) => ({ name: `kept-${n}.jsonl`, mimeType: 'application/jsonl', buffer: Buffer.from(text) })),
      );
    await page.getByLabel(/Trusted fingerprints/).fill(kid);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
  }
  const says = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
  const verdict = (word: string) => page.getByRole('heading', { name: `Verdict: ${word}` }).waitFor();
  const checks = () => page.getByRole('list', { name: 'Checks' }).getByRole('listitem').allInnerTexts();

  it('is verified with the fingerprint of its issuer and the receipts that were kept', async () => {
    await verify('all.csbundle', bundle, { kid: service.kid, kept: receipts });
    await verdict('verified');
    expect(await checks()).toHaveLength(10);
    for (const check of await checks()) expect(check).toMatch(/^Pass/);
  });

  it('says of completeness what is checked, and that nobody was asked for witnesses', async () => {
    const claims = page.getByRole('list', { name: REPORT.completeness }).getByRole('listitem');
    const said = (await claims.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(said).toEqual([
      expect.stringMatching(/^Pass Within the range no number is missing from 1 to 5$/),
      expect.stringMatching(/^Pass Of the log /),
      expect.stringMatching(/no witnesses were named$/),
    ]);
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
    await page.getByRole('button', { name: 'Save report', exact: true }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    const report = JSON.parse(Buffer.concat(chunks).toString('utf8')) as VerificationReport;
    expect(report).toEqual(await verifyWith(service.kid, changed));
  });

  describe('out of a PDF report', () => {
    const damaged = 'it cannot be unpacked as it was attached';
    let report: Buffer;
    const folder = temporaryFolder();
    async function pdfWith(attachment: Partial<EmbeddedFile>): Promise<Buffer> {
      const path = join(folder, 'made.pdf');
      await writePdfWith(path, bundle.toString('utf8'), [attachment]);
      return readFileSync(path);
    }

    beforeAll(async () => {
      report = await bundleOf(owner, { ...ALWAYS, format: 'pdf' });
    });

    it('is verified like any other, and no more than its data are proven', async () => {
      await verify('report.pdf', report, { kid: service.kid, kept: receipts });
      await verdict('incomplete');
      await page.getByText('Only the data inside this file are proven').first().waitFor();
      expect(await checks()).toHaveLength(10);
      for (const check of await checks()) expect(check).toMatch(/^Pass/);
      // A whole ring in green would say more than the verdict.
      expect(await page.locator('.ring').count()).toBe(0);
      await page.getByRole('alert').getByRole('heading', { name: 'The pages of this PDF are not verified' }).waitFor();
    });

    it('is refused where the attachment is not what it is said to be', async () => {
      const end = report.indexOf('\nendstream', report.indexOf('/EmbeddedFile'));
      const changed = Buffer.from(report);
      changed[end - 40] = (changed[end - 40] ?? 0) ^ 1;
      await verify('changed.pdf', changed);
      await says(damaged);
      await verify('short.pdf', await pdfWith({ size: bundle.length - 1 }));
      await says(damaged);
      await verify('checksum.pdf', await pdfWith({ md5: new Uint8Array(16) }));
      await says(damaged);
      await verify('cut.pdf', report.subarray(0, report.lastIndexOf('%%EOF')));
      await says('a PDF that ends too early');
    });

    it('is not unpacked beyond what it says it holds', async () => {
      const zeros = Buffer.alloc(8 * 1024 * 1024);
      function* bomb() {
        for (let n = 0; n < 32; n++) yield zeros;
      }
      await verify('bomb.pdf', await pdfWith({ read: bomb, size: 4096 }));
      await says(damaged);
    });
  });

  it('says what it cannot read', async () => {
    await verify('report.pdf', Buffer.from(utf8('%PDF-1.7 and so on')));
    await says('a PDF that ends too early');
    await verify('cut-off.csbundle.gz', gzipSync(bundle).subarray(0, -20));
    await says('is compressed, and is damaged or ends too early');
    await verify('photo.png', Buffer.from(utf8('not a bundle')));
    await page.getByRole('alert').filter({ hasText: 'not a bundle' }).waitFor();
  });

  it('sends nothing anywhere', () => {
    expect(posted).toEqual([]);
    expect(watched.complaints).toEqual([]);
    expect(watched.origins).toEqual(new Set([service.url]));
  });
});
