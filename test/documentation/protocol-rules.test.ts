// Every rule of the protocol has one number, and a test or an implementation that cites it; and what is cited is there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT } from '../../scripts/support/paths.ts';

const PAGES: Readonly<Record<string, string>> = {
  F: 'docs/protocol/format.md',
  V: 'docs/protocol/verification.md',
  R: 'docs/protocol/reports.md',
};

/** Files that cite rules by their numbers alone; everywhere else "protocol" stands before them. */
const BARE = [
  'test/interop/verify_bundle.py',
  'resources/verifier/verify-bundle.mjs',
  'test/vectors/generate.py',
  'test/vectors/README.md',
  'test/protocol/shapes.test.ts',
  ...Object.values(PAGES),
];

/** More rules than these in one "V20 to V96" are a heading, and no citation of those between. */
const LONGEST_RANGE = 8;

/** Rules that no test and no implementation cites, each with the reason. */
const UNCITED: Readonly<Record<string, string>> = {
  F160: 'binds whoever writes the next version',
  F161: 'binds whoever writes the next version',
};

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const ID = String.raw`[FVR][1-9]\d{0,2}\b`;
const RULES = Object.entries(PAGES).flatMap(([letter, page]) =>
  Array.from(read(page).matchAll(new RegExp(String.raw`^\*\*(${ID})\*\* `, 'gm')), ([, id = '']) => ({ letter, id })),
);
const NUMBERS = RULES.map(({ id }) => id);

/** The rules from one to another, both included. */
function between(first: string, last: string): string[] {
  const number = (id: string): number => Number(id.slice(1));
  return NUMBERS.filter((id) => id[0] === first[0] && number(id) >= number(first) && number(id) <= number(last));
}

interface Citation {
  readonly path: string;
  /** What is written there. */
  readonly named: readonly string[];
  /** The same, and what lies between where it is a range. */
  readonly cited: readonly string[];
}

function citationsIn(path: string): Citation[] {
  const list = String.raw`${ID}(?:(?:, | and | to )${ID})*`;
  const pattern = BARE.includes(path) ? String.raw`(?<![\w.])(${list})` : String.raw`[Pp]rotocol (${list})`;
  return Array.from(read(path).matchAll(new RegExp(pattern, 'g')), ([, text = '']) => {
    const ranges = Array.from(text.matchAll(new RegExp(`(${ID}) to (${ID})`, 'g')), ([, first = '', last = '']) =>
      between(first, last),
    );
    const named = text.match(new RegExp(ID, 'g')) ?? [];
    return { path, named, cited: [...named, ...ranges.filter(({ length }) => length <= LONGEST_RANGE).flat()] };
  });
}

const CODE = ['src', 'test', 'python', 'packages', 'resources/verifier', 'scripts', 'bin', 'bench']
  .flatMap(filesBelow)
  .filter((path) => /\.(?:ts|tsx|mjs|js|py|go|md)$/.test(path) && !/node_modules|\/dist\//.test(path));
const TEXTS = [
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
];
const CITATIONS = [...CODE, ...TEXTS].flatMap(citationsIn);
const IN_CODE = new Set(CODE.flatMap(citationsIn).flatMap(({ cited }) => cited));

describe('the rules of the protocol', () => {
  it('have one number each, with the letter of their page, in ascending order', () => {
    const misplaced = RULES.filter(({ letter, id }, index) => {
      const before = RULES[index - 1];
      const follows = before?.letter !== letter || Number(before.id.slice(1)) < Number(id.slice(1));
      return id[0] !== letter || !follows;
    });
    expect(misplaced).toEqual([]);
    expect(NUMBERS.length).toBeGreaterThan(0);
  });

  it('are there where they are cited', () => {
    const unknown = CITATIONS.flatMap(({ path, named }) =>
      named.filter((id) => !NUMBERS.includes(id)).map((id) => `${path}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are cited by their numbers, and not by sections', () => {
    const bySection = [...CODE, ...TEXTS].filter((path) =>
      /protocol(?:\.md)?,? \(?(?:§|sections? )\s?\d/i.test(read(path)),
    );
    expect(bySection).toEqual([]);
  });

  it('are each cited by a test or an implementation, but for those that are listed with a reason', () => {
    expect(NUMBERS.filter((id) => !IN_CODE.has(id))).toEqual(Object.keys(UNCITED));
  });
});
