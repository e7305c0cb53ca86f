// What a build puts into page and desktop comes with its licence: the notes of the build against resources/licences.json.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledPackages } from '../../scripts/package/bundled-packages.ts';
import { collectLicences } from '../../scripts/support/licences.ts';
import { ROOT } from '../../scripts/support/paths.ts';

describe('a package that the build put into the product', () => {
  it('is among the licences that the product shows', () => {
    const built = bundledPackages(join(ROOT, 'out', 'bundled-packages')).map((folder) =>
      folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
    );
    const named = new Set(collectLicences().components.map(({ name }) => name));
    expect(built).toContain('react');
    expect(built.filter((name) => !named.has(name))).toEqual([]);
  });
});
