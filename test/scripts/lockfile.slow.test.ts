// docs/decisions/0001-node-24-through-npm.md: a first install under the oldest Node does not warn of what runs under another one.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { LOCKFILE } from '../../scripts/lockfile.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { temporaryFolder } from '../support/folders.ts';
import { NODES, underNode } from '../support/packages.ts';

const text = readFileSync(LOCKFILE, 'utf8');

it.skipIf(!NODES.has(20))(`has npm ci warn of no engine ${underNode(20)}, but of one that is named`, () => {
  const folder = temporaryFolder();
  for (const part of ['package.json', 'packages']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  }
  /** Which packages npm warns of. */
  const warnings = (lockfile: string): ReadonlySet<string | undefined> => {
    writeFileSync(join(folder, 'package-lock.json'), lockfile);
    const path = `${dirname(NODES.get(20) ?? '')}${delimiter}${process.env['PATH']}`;
    const { status, stderr } = spawnSync(
      'npm',
      ['ci', '--dry-run', '--offline', '--ignore-scripts', '--loglevel=warn'],
      {
        cwd: folder,
        encoding: 'utf8',
        shell: process.platform === 'win32',
        env: { ...process.env, PATH: path },
      },
    );
    expect([status, stderr]).toEqual([0, expect.anything()]);
    return new Set(Array.from(stderr.matchAll(/EBADENGINE\s+package: '(.+)@/g), ([, name]) => name));
  };
  expect(warnings(text)).toEqual(new Set());
  const lock = JSON.parse(text) as { packages: Record<string, object> };
  const packages = {
    ...lock.packages,
    'node_modules/vitest': { ...lock.packages['node_modules/vitest'], engines: { node: '>=22' } },
  };
  expect(warnings(JSON.stringify({ ...lock, packages }))).toEqual(new Set(['vitest']));
});
