import { describe, expect, it } from 'vitest';
import { changesOf, differenceOf, type Json } from '../../../src/protocol/index.ts';
import { alignedPairs } from '../../../src/protocol/text/index.ts';
import { type TextPiece, textDifference } from '../../../src/renderer/lib/text-difference.ts';

/** The places that differ, as pointer and both values. */
function changes(one: Json | undefined, other: Json | undefined) {
  return changesOf(differenceOf(one, other)).map(({ pointer, one, other }) => ({ pointer, one, other }));
}

describe('the difference of two JSON values', () => {
  it('is empty where only the order of members differs', () => {
    expect(differenceOf({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }).kind).toBe('same');
  });

  it('names each member that differs by its JSON Pointer', () => {
    expect(changes({ a: { 'b/c': 1, d: 2 }, e: [1, 2] }, { a: { 'b/c': 3, d: 2 }, e: [1, 5] })).toEqual([
      { pointer: '/a/b~1c', one: 1, other: 3 },
      { pointer: '/e/1', one: 2, other: 5 },
    ]);
  });

  it('tells what was added from what was removed and changed', () => {
    expect(changesOf(differenceOf({ a: 1, b: 1 }, { b: 2, c: 3 })).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'removed a',
      'changed b',
      'added c',
    ]);
    expect(changes(undefined, null)).toEqual([{ pointer: '', one: undefined, other: null }]);
  });

  it('finds an item that was put into an array, and leaves those after it the same', () => {
    const [only, ...others] = changesOf(differenceOf([{ n: 1 }, { n: 2 }], [{ n: 1 }, { n: 9 }, { n: 2 }]));
    expect(only).toMatchObject({ kind: 'added', name: '1', other: { n: 9 } });
    expect(others).toEqual([]);
  });

  it('looks into texts that are JSON', () => {
    const node = differenceOf({ result: '{"a": 1, "b": [2]}' }, { result: '{"a":1,"b":[3]}' });
    expect(changesOf(node).map(({ pointer }) => pointer)).toEqual(['/result/b/0']);
    expect(node.children[0]?.isOpened).toBe(true);
  });

  it('shows texts as they are that differ in blanks alone', () => {
    expect(changes({ a: '{"b": 1}' }, { a: '{"b":1}' })).toEqual([
      { pointer: '/a', one: '{"b": 1}', other: '{"b":1}' },
    ]);
  });

  it('tells an array from an object, and a text from a number', () => {
    expect(changes({ a: [] }, { a: {} })).toHaveLength(1);
    expect(changes({ a: '1' }, { a: 1 })).toHaveLength(1);
  });

  it('takes a member called __proto__ for what it is', () => {
    const one = JSON.parse('{"__proto__":{"a":1}}');
    expect(changes(one, {})).toEqual([{ pointer: '/__proto__', one: { a: 1 }, other: undefined }]);
  });

  it('is bounded, whatever the records hold', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`m${n}`, n]));
    expect(changes(many, {})).toHaveLength(200);
  });
});

describe('two lists next to each other', () => {
  it('pair what is equal, and what differs by its place between', () => {
    expect(alignedPairs([...'abcde'], [...'axbcye'])).toEqual([
      [0, 0],
      [null, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
  });

  it('take bounded time where both are long and have nothing in common', () => {
    const [one, other] = ['a', 'b'].map((letter) => Array.from({ length: 20_000 }, (_, n) => `${letter}${n}`));
    expect(alignedPairs(one ?? [], other ?? [])).toHaveLength(20_000);
  });
});

describe('the difference of two texts', () => {
  const marked = (pieces: readonly TextPiece[]): string =>
    pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');

  it('is told word by word', () => {
    const { one, other } = textDifference('pay 100 EUR to Ada', 'pay 900 EUR to Ada today');
    expect([marked(one), marked(other)]).toEqual(['pay [100] EUR to Ada', 'pay [900] EUR to Ada[ today]']);
  });

  it('is told letter by letter within a long word', () => {
    const { one, other } = textDifference('sha256:0123456789abcdef0123', 'sha256:0123456789abcdeX0123');
    expect([marked(one), marked(other)]).toEqual(['sha256:0123456789abcde[f]0123', 'sha256:0123456789abcde[X]0123']);
  });

  it('never cuts a character in two', () => {
    expect(marked(textDifference('a😀b', 'a😁b').one)).toBe('a[😀]b');
  });
});
