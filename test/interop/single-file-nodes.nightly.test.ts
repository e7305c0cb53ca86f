// docs/verify-without-countersign.md: the verifier in one file needs Node 18.14 and nothing newer, in whatever it is asked.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageCommand, ROOT } from '../../scripts/support/paths.ts';
import { serviceKid } from '../support/bundle-maker.ts';
import { temporaryFolder } from '../support/folders.ts';
import { NODE_VERSIONS, NODES, underNode } from '../support/packages.ts';
import { makeSweep } from '../support/retention-certificates.ts';

const VERIFIER = join(ROOT, 'resources/verifier/verify-bundle.mjs');
const folder = temporaryFolder();

it('uses nothing of the language that is newer than ES2022, which Node 18 has whole', () => {
  const options = ['--ignoreConfig', '--allowJs', '--checkJs', '--noEmit', '--strict', 'false', '--types', 'node'];
  const language = ['--target', 'es2022', '--lib', 'es2022', '--module', 'nodenext'];
  const args = [packageCommand('typescript', 'tsc'), ...options, ...language];
  const check = (file: string): string => spawnSync(process.execPath, [...args, file], { encoding: 'utf8' }).stdout;
  /** What is of a later library: the file is plain JavaScript, of whose types the compiler knows too little for the rest. */
  const newer = (output: string): string[] => output.split('\n').filter((line) => line.includes('error TS2550'));
  const newest = join(folder, 'newest.mjs');
  writeFileSync(newest, 'export const by = Map.groupBy([1], (n) => n);\n');
  expect(newer(check(newest))).toHaveLength(1);
  expect(newer(check(VERIFIER))).toEqual([]);
});

for (const major of NODE_VERSIONS) {
  const node = NODES.get(major);
  it.skipIf(node === undefined)(`verifies a bundle and a certificate of retention ${underNode(major)}`, () => {
    const { file, after } = makeSweep();
    const [certificate, bundle] = [join(folder, 'sweep.json'), join(folder, 'after.json')];
    writeFileSync(certificate, file);
    writeFileSync(bundle, after);
    for (const args of [[bundle], [certificate, '--against', bundle]]) {
      const asked = [VERIFIER, ...args, '--trust', serviceKid(0), '--json'];
      const { status, stderr } = spawnSync(node ?? '', asked, { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    }
  });
}
