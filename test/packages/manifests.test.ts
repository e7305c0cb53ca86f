// What the published packages say of themselves.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestProblems, PACKAGES, packageFolder, readManifest } from '../../scripts/support/packages.ts';
import { filesBelow, ROOT } from '../../scripts/support/paths.ts';
import { exampleIn } from '../support/packages.ts';

const root = readManifest(ROOT);

describe.each(PACKAGES)('packages/%s', (name) => {
  const manifest = readManifest(packageFolder(name));

  it('has the version, engines and dependencies of the root', () => {
    expect(manifestProblems(root, manifest)).toEqual([]);
    expect(Object.keys(manifest.dependencies)).toEqual(['@noble/ed25519', '@noble/hashes']);
  });

  it('prints its examples in its README as they are, none of 40 lines or more', () => {
    const readme = readFileSync(join(packageFolder(name), 'README.md'), 'utf8');
    const examples = filesBelow(`packages/${name}/example`);
    expect(examples).not.toEqual([]);
    for (const path of examples) {
      const text = readFileSync(join(ROOT, path), 'utf8');
      expect(exampleIn(readme, path.slice(path.lastIndexOf('/') + 1)), path).toBe(text);
      expect(text.split('\n').length, path).toBeLessThan(40);
    }
  });
});

describe('a manifest', () => {
  it('is refused where it says otherwise than the root', () => {
    const other = { ...root, version: '9.9.9', engines: { node: '>=18' }, dependencies: { '@noble/hashes': '^2.0.0' } };
    expect(manifestProblems(root, other)).toEqual([
      '"version" is not that of the root\'s package.json',
      '"engines" is not that of the root\'s package.json',
      "@noble/hashes ^2.0.0 is not the version that the root's package.json has",
    ]);
  });
});
