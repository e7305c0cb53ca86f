import { describe, expect, it } from 'vitest';
import { jsonDifferences, textDifference } from '../../src/renderer/lib/json-difference.ts';

describe('the differences of two JSON values', () => {
  it('are none where only the order of members differs', () => {
    expect(jsonDifferences({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toEqual([]);
  });

  it('are named member by member, as JSON Pointers', () => {
    expect(jsonDifferences({ a: { 'b/c': 1, d: 2 }, e: [1, 2] }, { a: { 'b/c': 3, d: 2 }, e: [1, 5] })).toEqual([
      { pointer: '/a/b~1c', one: 1, other: 3 },
      { pointer: '/e/1', one: 2, other: 5 },
    ]);
  });

  it('say what one of the two lacks', () => {
    expect(jsonDifferences({ a: 1 }, { b: 2 })).toEqual([
      { pointer: '/a', one: 1, other: undefined },
      { pointer: '/b', one: undefined, other: 2 },
    ]);
    expect(jsonDifferences(undefined, null)).toEqual([{ pointer: '', one: undefined, other: null }]);
  });

  it('tell a list from an object, and a text from a number', () => {
    expect(jsonDifferences({ a: [] }, { a: {} })).toHaveLength(1);
    expect(jsonDifferences({ a: '1' }, { a: 1 })).toHaveLength(1);
  });

  it('take a member called __proto__ for what it is', () => {
    const one = JSON.parse('{"__proto__":{"a":1}}');
    expect(jsonDifferences(one, {})).toEqual([{ pointer: '/__proto__', one: { a: 1 }, other: undefined }]);
  });

  it('are bounded, whatever the records hold', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`m${n}`, n]));
    expect(jsonDifferences(many, {})).toHaveLength(200);
  });
});

describe('the difference of two texts', () => {
  it('is what is between what both begin and end with', () => {
    expect(textDifference('pay 100 EUR', 'pay 900 EUR')).toEqual({ start: 'pay ', changed: '1', end: '00 EUR' });
    expect(textDifference('aa', 'aaa')).toEqual({ start: 'aa', changed: '', end: '' });
  });

  it('never cuts a character in two', () => {
    expect(textDifference('a😀b', 'a😁b').changed).toBe('😀');
  });
});
