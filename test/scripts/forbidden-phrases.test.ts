import { expect, it } from 'vitest';
import { findPhrases, testTitles } from '../../scripts/find-phrases.ts';
import { EXCEPTIONS, FORBIDDEN_PHRASES } from '../../scripts/forbidden-phrases.ts';

const found = (text: string, path = 'src/a.ts'): string[] =>
  findPhrases(path, text, FORBIDDEN_PHRASES, EXCEPTIONS).map(({ line, phrase }) => `${line} ${phrase}`);

it('finds a phrase by whole words, in capital letters too, and across a break of a comment', () => {
  expect(found('The service goes on.\nGoes On again.')).toEqual(['1 goes on', '2 Goes On']);
  expect(found('/**\n * It stands\n * in the ledger.\n */\n// a run of\n// its own\n> what came\n> of it')).toEqual([
    '2 stands in',
    '5 of its own',
    '7 what came of it',
  ]);
  expect(found('He undergoes one operation; it stands inside; outstands in vain-goes on-call')).toEqual([]);
});

it('knows where the same words are idiomatic', () => {
  expect(found('There is none. It moves of its own accord. It takes up to 5 s, so many that it stops.')).toEqual([]);
  expect(found('if value is None:', 'python/src/a.py')).toEqual([]);
  expect(found('a key that is none; so many keys')).toEqual(['1 is none', '1 so many']);
});

it('limits a rule to its folder', () => {
  expect(found('beside the list')).toEqual([]);
  expect(found('beside the list', 'src/renderer/a.tsx')).toEqual(['1 beside']);
});

it('takes the titles out of a test file, and nothing else', () => {
  const source = [
    '// goes on',
    "describe('a ledger', () => {",
    "  it.each(['x'])('that goes on: %s', () => {",
    "    expect('goes on').toBe('goes on');",
    '  });',
    "  it('can\\'t be made anew', { timeout: 1 }, () => {});",
    '});',
  ].join('\n');
  expect(found(testTitles(source))).toEqual(['3 goes on', '6 made anew', '6 anew']);
});

it('has a reason for every exception, and no exception that nothing needs', () => {
  for (const { path, text, reason } of EXCEPTIONS) {
    expect(reason.length, text).toBeGreaterThan(10);
    expect(findPhrases(path, text, FORBIDDEN_PHRASES, []), text).not.toEqual([]);
  }
});
