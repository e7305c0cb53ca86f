// What is marked of a payload for a query.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hit, hitsOf, type Leaf, matchesQuery, parseQuery } from '../../../src/actions/index.ts';
import { runs } from '../../support/extent.ts';
import { OPTIONS, queries, records } from '../../support/queries.ts';

const LEAVES: readonly Leaf[] = [
  { path: ['arguments', 'user_id'], pointer: '/arguments/user_id', value: 'mia_li, Mia LI' },
  { path: ['arguments', 'cards', 'id'], pointer: '/arguments/cards/0/id', value: 'ｶﾞｽ İd card' },
  { path: ['arguments', 'cards', 'n'], pointer: '/arguments/cards/1/n', value: 73 },
  { path: ['a/b', '1'], pointer: '/a~1b/0/1', value: 'x' },
];

/** Hits as a person sees them: the pointer, and what is marked between brackets. */
function marked(text: string): string[] {
  const parsed = parseQuery(text, OPTIONS);
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message);
  return hitsOf(parsed.query, LEAVES).map(shown);
}

function shown({ pointer, on, ranges }: Hit): string {
  const value = String(LEAVES.find((leaf) => leaf.pointer === pointer)?.value);
  const text = on === 'value' ? value : (pointer.split('/').at(-1)?.replace('~1', '/') ?? '');
  const parts = ranges?.map(({ start, end }) => text.slice(start, end)).join('|') ?? 'all';
  return `${pointer} ${on}: ${parts}`;
}

describe('marked are', () => {
  it.each([
    ['mia', ['/arguments/user_id value: mia|Mia']],
    ['mia_li', ['/arguments/user_id value: mia_li']],
    ['"mia li"', ['/arguments/user_id value: Mia LI']],
    ['mi*', ['/arguments/user_id value: mia|Mia']],
    ['*a_l*', ['/arguments/user_id value: a_l']],
    ['*ガ*', ['/arguments/cards/0/id value: ｶﾞ']],
    ['ガス', ['/arguments/cards/0/id value: ｶﾞｽ']],
    ['/L[iI]/', ['/arguments/user_id value: LI']],
    ['/l(i)|x*/i', ['/arguments/user_id value: li|LI', '/a~1b/0/1 value: x']],
    ['cards', ['/arguments/cards name: cards']],
    ['arguments', ['/arguments name: arguments']],
    ['id', ['/arguments/user_id name: id', '/arguments/cards/0/id value: İd', '/arguments/cards/0/id name: id']],
    ['b', ['/a~1b name: b']],
    ['1', ['/a~1b/0/1 name: 1']],
    ['user_id:mia', ['/arguments/user_id value: mia|Mia']],
    ['cards:card', ['/arguments/cards/0/id value: card']],
    ['n = 73', ['/arguments/cards/1/n value: all']],
    ['n > 5 73', ['/arguments/cards/1/n value: all']],
    ['cards:*', ['/arguments/cards/0/id value: all', '/arguments/cards/1/n value: all']],
    ['mia or li', ['/arguments/user_id value: mia|li|Mia|LI']],
    ['mia *ia_* *ia*', ['/arguments/user_id value: mia_|Mia']],
    ['mia not li', ['/arguments/user_id value: mia|Mia']],
    ['not not mia', ['/arguments/user_id value: mia|Mia']],
    ['*', []],
    ['agent:a tool:x', []],
  ])('for %s: %j', (text, hits) => {
    expect(marked(text)).toEqual(hits);
  });
});

it('marks something wherever a term over the payload finds something, and nothing where it does not', () => {
  fc.assert(
    fc.property(queries, records, (query, record) => {
      fc.pre('field' in query && query.field?.of !== 'record');
      // Nothing can be marked of an empty text.
      fc.pre(!('source' in query) || !/\*/.test(query.source));
      const hits = hitsOf(query, record.leaves);
      // Subject, action and type are no part of the payload.
      const payloadAlone = { ...record, subject: '', action: '', type: '' };
      expect(hits.length > 0).toBe(matchesQuery(query, payloadAlone));
      for (const { ranges } of hits) {
        for (const [index, { start, end }] of (ranges ?? []).entries()) {
          expect(start).toBeLessThan(end);
          expect(start).toBeGreaterThan(ranges?.[index - 1]?.end ?? -1);
        }
      }
    }),
    runs(3000),
  );
});
