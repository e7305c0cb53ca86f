import { describe, expect, it } from 'vitest';
import { filesToLint } from '../../scripts/support/lint.ts';

/** A checkout: what each file imports, one after the other. */
const SOURCES: Readonly<Record<string, string>> = {
  'biome.json': '{}',
  'docs/a.json': '{}',
  'src/base.ts': 'export const base = async () => 1;',
  'src/layer.ts': "export { base } from './base.ts';",
  'src/user.ts': "import { base } from './layer.ts';",
  'src/later.ts': "const { base } = await import('./base.ts');",
  'src/other.ts': 'export const other = 1;',
  'test/user.test.ts': "import '../src/user.ts';",
};
const ACCEPTED = Object.fromEntries(Object.keys(SOURCES).map((path) => [path, `digest of ${path}`]));

const toLint = (changes: Readonly<Record<string, string | null>>, accepted: typeof ACCEPTED | null = ACCEPTED) => {
  const now = Object.entries({ ...ACCEPTED, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return filesToLint(Object.fromEntries(now), accepted, (path) => SOURCES[path] ?? '')?.toSorted();
};

describe('lint and format', () => {
  it('looks at nothing where all is as it was accepted', () => {
    expect(toLint({})).toEqual([]);
  });

  it('looks at what is new or changed, and at all that imports it over however many others', () => {
    expect(toLint({ 'src/base.ts': 'another' })).toEqual([
      'src/base.ts',
      'src/later.ts',
      'src/layer.ts',
      'src/user.ts',
      'test/user.test.ts',
    ]);
    expect(toLint({ 'src/new.ts': 'new', 'docs/a.json': 'another' })).toEqual(['docs/a.json', 'src/new.ts']);
  });

  it('looks at what imports a file that is gone, and not at that file', () => {
    expect(toLint({ 'src/user.ts': null })).toEqual(['test/user.test.ts']);
  });

  it('looks at everything where nothing was accepted yet, or the rules are others', () => {
    expect(toLint({}, null)).toBeUndefined();
    expect(toLint({ 'biome.json': 'another' })).toBeUndefined();
  });
});
