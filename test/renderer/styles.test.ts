// The style sheets of the workspace: each next to what it dresses, in the layer of its folder, and nothing in them without use.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';

const RENDERER = join(ROOT, 'src', 'renderer');
/** The second is the first that each page loads. */
const MANIFESTS = ['styles/workspace.css', 'styles/base.css'];
/** No part of the layers: the fonts, and what the page of the interface alone has. */
const UNLAYERED = ['styles/fonts.css', 'docs/docs.css'];
const LAYER_OF_FOLDER: Readonly<Record<string, string>> = {
  lib: 'ui',
  ui: 'ui',
  components: 'components',
  report: 'components',
  'sign-in': 'components',
  screens: 'screens',
  app: 'screens',
};

const textOf = (path: string): string => readFileSync(join(RENDERER, path), 'utf8');
const filesLike = (pattern: string): string[] =>
  globSync(pattern, { cwd: RENDERER }).map((path) => path.replaceAll('\\', '/'));

const sheets = filesLike('**/*.css').filter((path) => ![...MANIFESTS, ...UNLAYERED].includes(path));
const code = filesLike('**/*.{ts,tsx}').map((path) => ({ path, words: wordsOf(textOf(path)) }));

/** The words of all strings in a file; one that is put together ends in a hyphen, as in `mark-${outcome}`. */
function wordsOf(text: string): Set<string> {
  const strings = [...text.matchAll(/(['"`])((?:(?!\1)[^\n])*)\1/g)].map((match) => match[2] ?? '');
  return new Set(strings.flatMap((string) => string.split(/\$\{[^}]*\}|[^\w-]+/)));
}

/** The classes that the selectors of a sheet name. */
function classesOf(text: string): Set<string> {
  const selectors = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\{[^{}]*\}/g, ' ');
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map((match) => match[1] ?? ''));
}

function isNamed(words: ReadonlySet<string>, name: string): boolean {
  return words.has(name) || [...words].some((word) => word.endsWith('-') && word !== '-' && name.startsWith(word));
}

describe('the styles of the workspace', () => {
  it('are all loaded, each in the layer of its folder', () => {
    const loaded = [
      ...MANIFESTS.map(textOf)
        .join('\n')
        .matchAll(/@import url\("(\.[^"]+)"\) layer\(([a-z]+)\);/g),
    ].map((match) => ({
      path: relative(RENDERER, join(RENDERER, 'styles', match[1] ?? '')).replaceAll('\\', '/'),
      layer: match[2],
    }));
    expect(loaded.map(({ path }) => path).toSorted()).toEqual(sheets.toSorted());
    for (const { path, layer } of loaded) {
      const folder = path.split('/')[0] ?? '';
      expect(`${path} in ${layer}`).toBe(`${path} in ${LAYER_OF_FOLDER[folder] ?? basename(path, '.css')}`);
    }
  });

  it('have no rule for a class that no component names', () => {
    const vendor = classesOf(readFileSync(join(ROOT, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8'));
    const unused = sheets.flatMap((path) =>
      [...classesOf(textOf(path))]
        .filter((name) => !vendor.has(name) && !code.some(({ words }) => isNamed(words, name)))
        .map((name) => `${path}: .${name}`),
    );
    expect(unused).toEqual([]);
  });

  it('of a screen dress no class that another screen alone has', () => {
    const misplaced = sheets
      .filter((path) => path.startsWith('screens/'))
      .flatMap((path) =>
        [...classesOf(textOf(path))]
          .filter((name) => {
            const users = code.filter(({ words }) => isNamed(words, name)).map((file) => file.path);
            const isShared = users.some((user) => !user.startsWith('screens/'));
            return !isShared && !users.some((user) => user.startsWith(`${dirname(path)}/`));
          })
          .map((name) => `${path}: .${name}`),
      );
    expect(misplaced).toEqual([]);
  });

  it('of two screens do not dress a class of one name: the later would win on both', () => {
    const folders = new Map<string, Set<string>>();
    for (const path of sheets.filter((sheet) => sheet.startsWith('screens/'))) {
      for (const [, name = ''] of textOf(path).matchAll(/^\s*\.([a-z][\w-]*) \{/gm)) {
        folders.set(name, (folders.get(name) ?? new Set()).add(path.split('/')[1] ?? ''));
      }
    }
    expect([...folders].filter(([, of]) => of.size > 1).map(([name, of]) => `.${name}: ${[...of].join(', ')}`)).toEqual(
      [],
    );
  });

  it('have no two rules that say the same in three declarations or more', () => {
    const places = new Map<string, string[]>();
    for (const path of [...sheets, ...UNLAYERED]) {
      const text = textOf(path).replace(/\/\*[\s\S]*?\*\//g, '');
      for (const [, selector = '', body = ''] of text.matchAll(/([^{}]+)\{([^{}]+)\}/g)) {
        const declarations = body.split(';').map((declaration) => declaration.trim().replace(/\s+/g, ' '));
        const says = declarations.filter((declaration) => declaration !== '').toSorted();
        if (says.length < 3) continue;
        places.set(says.join(), [...(places.get(says.join()) ?? []), `${path}: ${selector.trim()}`]);
      }
    }
    expect([...places.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  it('name no colour and no size of a font: those are tokens', () => {
    const literal =
      /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|light-dark)a?\((?!\s*var)|\bfont(?:-size)?:[^;]*\d(?:px|r?em|pt)\b/gi;
    const found = sheets
      .filter((path) => path !== 'styles/tokens.css')
      .flatMap((path) => [...textOf(path).matchAll(literal)].map(([what]) => `${path}: ${what}`));
    expect(found).toEqual([]);
  });

  it('use no token that there is not, and there is none without use', () => {
    const tokens = textOf('styles/tokens.css');
    const defined = new Set([...tokens.matchAll(/^ {2}(--[\w-]+):/gm)].map((match) => match[1] ?? ''));
    const texts = [...sheets, 'docs/docs.css'].map(textOf).concat(filesLike('**/*.{ts,tsx}').map(textOf));
    const used = new Set(texts.flatMap((text) => [...text.matchAll(/(?:var\(|')(--[\w-]+)/g)].map((m) => m[1] ?? '')));
    expect([...defined].filter((name) => !used.has(name))).toEqual([]);
    const own = new Set(texts.flatMap((text) => [...text.matchAll(/(--[\w-]+)['"]?(?::|,)/g)].map((m) => m[1] ?? '')));
    expect([...used].filter((name) => !defined.has(name) && !own.has(name))).toEqual([]);
  });

  it('stay small enough to be read', () => {
    const long = sheets.filter((path) => textOf(path).split('\n').length > 300);
    expect(long).toEqual([]);
  });
});
