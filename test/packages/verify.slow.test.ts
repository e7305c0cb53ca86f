// @countersign/verify as its user has it: packed, installed into an empty folder without a registry, and run as the README
// says, in each Node that it is for and in a browser.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { packageFolder } from '../../scripts/support/packages.ts';
import { fingerprintDigits } from '../../src/protocol/index.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { serviceKid } from '../support/bundle-maker.ts';
import { atEnd } from '../support/cleanup.ts';
import { honest } from '../support/dishonest.ts';
import { serveLocally } from '../support/local-server.ts';
import {
  exampleIn,
  FOREIGN,
  filesOf,
  type InstalledPackage,
  installPackage,
  NODE_VERSIONS,
  NODES,
  RESOLUTIONS,
  runNode,
  typeErrors,
  underNode,
} from '../support/packages.ts';
import { verify as verifyHere, writeReport } from '../support/reports.ts';

const readme = readFileSync(join(packageFolder('verify'), 'README.md'), 'utf8');
const kid = serviceKid(0);
const fingerprint = fingerprintDigits(kid).join(' ');
const [head = '', records = ''] = honest.text.split('"records":');
const damaged = `${head}"records":${records.replace('"subject":"', '"subject":"x')}`;
let installed: InstalledPackage;
let inFolder: (name: string) => string;

beforeAll(async () => {
  installed = await installPackage('verify');
  inFolder = (name) => join(installed.folder, name);
  for (const file of ['verify.mjs', 'verify.html']) writeFileSync(inFolder(file), exampleIn(readme, file));
  writeFileSync(inFolder('sound.csbundle'), honest.text);
  writeFileSync(inFolder('packed.csbundle.gz'), gzipSync(honest.text));
  writeFileSync(inFolder('damaged.csbundle'), damaged);
  await writeReport(inFolder('report.pdf'), honest.text, [kid]);
});

describe('the package', () => {
  it('holds modules, types, README and licence, and nothing else', () => {
    const foreign = installed.listed.filter(
      (path) => !/^dist\/(reports\/verify|reports\/reading|protocol)\/.*\.(js|d\.ts)$/.test(path),
    );
    expect(foreign).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(installed.listed).toContain('dist/reports/verify/index.d.ts');
  });

  it('has nothing of the desktop, the service, Node, or the folder it was built in', () => {
    for (const [path, text] of filesOf(installed, 'verify')) {
      for (const word of [...FOREIGN, "'node:"]) if (path.startsWith('dist/')) expect(text, path).not.toContain(word);
    }
  });
});

describe.each(NODE_VERSIONS)('Node %i', (major) => {
  const node = NODES.get(major);

  it.skipIf(node === undefined)(`runs the README's example ${underNode(major)}`, async () => {
    const run = (file: string) => runNode(node ?? '', ['verify.mjs', file, fingerprint], installed.folder);
    for (const file of ['sound.csbundle', 'packed.csbundle.gz', 'report.pdf']) {
      const { code, stdout, stderr } = await run(file);
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
      expect(stdout, file).toMatch(/^verified: /);
    }
    const { code, stdout } = await run('damaged.csbundle');
    expect(stdout).toMatch(/^failed: .*\n( {2}.*\n)*SIGNATURE_INVALID: /);
    expect(code).toBe(1);
  });

  it.skipIf(node === undefined)(`gives the report that the project itself gives, ${underNode(major)}`, async () => {
    const program = `
      import { createReadStream } from 'node:fs';
      import { verifyBundle } from '@countersign/verify';
      const source = () => createReadStream('damaged.csbundle');
      console.log(JSON.stringify(await verifyBundle(source, { trustedKids: ['${kid}'] })));`;
    writeFileSync(inFolder('report.mjs'), program);
    const { stdout, stderr } = await runNode(node ?? '', ['report.mjs'], installed.folder);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(await verifyHere(damaged, [kid]))));
  });
});

describe('types', () => {
  it.each(RESOLUTIONS)('are found and strict with $moduleResolution', (resolution) => {
    const consumer = (type: string) => `
      import { verifyBundle, type VerificationReport, type Verdict, verifyReceipt } from '@countersign/verify';
      const report: VerificationReport = await verifyBundle(new Uint8Array(), { trustedKids: ['${kid}'] });
      export const verdict: ${type} = report.verdict;
      export const fromStream = verifyBundle(async function* () { yield new Uint8Array(); });
      export { verifyReceipt };
      export type { Verdict };`;
    const options = { ...resolution, lib: ['ES2022', 'DOM'], types: [] };
    writeFileSync(inFolder('consumer.ts'), consumer('Verdict'));
    expect(typeErrors(installed.folder, options)).toBe('');
    writeFileSync(inFolder('consumer.ts'), consumer('number'));
    expect(typeErrors(installed.folder, options)).toContain("Type 'string' is not assignable to type 'number'");
  });
});

describe.skipIf(chromiumPath() === undefined)('a browser', () => {
  it('gives the verdict of Node, over plain HTTP, with nothing but an import map', { timeout: 120_000 }, async () => {
    const server = await serveLocally(({ url }) => {
      const type = url.pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
      const isFile = /^\/(verify\.html|node_modules\/.*\.js)$/.test(url.pathname);
      if (!isFile) return { status: 404 };
      return {
        status: 200,
        headers: { 'Content-Type': type },
        body: readFileSync(inFolder(`.${url.pathname}`), 'utf8'),
      };
    });
    atEnd(() => server.close());
    const { page, complaints } = await openPage(await (await openBrowser()).newContext());
    await page.goto(`http://127.0.0.1:${server.port}/verify.html`);
    await page.getByLabel('Fingerprint').fill(fingerprint);
    for (const [file, text] of [
      ['sound.csbundle', honest.text],
      ['packed.csbundle.gz', honest.text],
      ['report.pdf', honest.text],
      ['damaged.csbundle', damaged],
    ] as const) {
      await page.locator('#verdict').evaluate((output) => output.replaceChildren());
      await page.getByLabel('Bundle').setInputFiles(inFolder(file));
      const { verdict, summary } = await verifyHere(text, [kid]);
      await expect.poll(() => page.locator('#verdict').textContent(), { message: file }).toBe(`${verdict}: ${summary}`);
    }
    // As text: a function would be transformed for the tests, whose import is not the browser's.
    const reported: unknown = await page.evaluate(`import('@countersign/verify').then(({ verifyBundle }) =>
      verifyBundle(new TextEncoder().encode(${JSON.stringify(damaged)}), { trustedKids: ['${kid}'] }))`);
    expect(reported).toEqual(JSON.parse(JSON.stringify(await verifyHere(damaged, [kid]))));
    expect(complaints).toEqual([]);
  });
});
