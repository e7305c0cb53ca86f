// Every link from a document to a file, and to a heading in one, leads somewhere; every document is on the way of a reader, and tells nothing twice.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';

const PAGES = globSync(
  ['*.md', 'docs/*.md', 'docs/protocol/*.md', 'docs/decisions/*.md', 'packages/*/README.md', 'python/README.md'],
  {
    cwd: ROOT,
  },
).map((path) => join(ROOT, path));

const prose = (page: string): string => readFileSync(page, 'utf8').replace(/^```.*?^```$/gms, '');

function linksOf(page: string): string[] {
  const text = prose(page).replace(/`[^`\n]*`/g, (code) => (code.includes('](') ? '' : code));
  const inText = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const inTags = [...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(([, target = '']) => target);
  return [...inText, ...inTags].filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const headings = [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(headings);
}

describe('the documents', () => {
  it.each(PAGES.map((page) => [relative(ROOT, page), page]))('%s has no dead link', (_, page = '') => {
    const dead = linksOf(page).filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : resolve(dirname(page), path);
      return !existsSync(file) || (anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor));
    });
    expect(dead).toEqual([]);
  });

  it.each(PAGES.map((page) => [relative(ROOT, page), page]))('%s has each of its parts once', (_, page = '') => {
    const parts = [...prose(page).matchAll(/^## .+$/gm)].map(([heading]) => heading);
    expect(parts).toEqual([...new Set(parts)]);
  });

  it('name no source file that there is not', () => {
    const here = globSync(
      ['{bin,bench,packages/*/example,python,resources,scripts,src,test}/**/*.{ts,tsx,js,mjs,py}', '*.ts'],
      {
        cwd: ROOT,
      },
    );
    // A folder or a file of the reader's, and one that a reader is to make.
    const isOther = (name: string): boolean => /^\.[a-z]|[A-Z]{4}|^first-operation\.ts$/.test(name);
    const named = PAGES.filter((page) => !page.includes('decisions')).flatMap((page) =>
      Array.from(
        prose(page).matchAll(/`((?:\.{1,2}\/)*([\w./-]+\.(?:tsx?|m?js|py)))`/g),
        ([, written = '', name = '']) => ({
          page: relative(ROOT, page),
          written,
          name,
        }),
      ),
    );
    const missing = named.filter(
      ({ written, name }) => !isOther(written) && !here.some((path) => `/${path}`.endsWith(`/${name}`)),
    );
    expect(missing.map(({ page, written }) => `${page}: ${written}`)).toEqual([]);
    expect(named.length).toBeGreaterThan(200);
  });

  it('are all on the page that lists them by reader, or linked from one that is', () => {
    const reached = new Set<string>();
    const follow = (page: string): void => {
      if (reached.has(page) || !page.endsWith('.md') || !existsSync(page)) return;
      reached.add(page);
      for (const target of linksOf(page)) follow(resolve(dirname(page), target.split('#')[0] ?? ''));
    };
    follow(join(ROOT, 'docs', 'README.md'));
    const docs = PAGES.filter((page) => dirname(page) === join(ROOT, 'docs'));
    expect(docs.filter((page) => !reached.has(page))).toEqual([]);
  });
});
