import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberTable } from '../../../../src/service/search/content-index/number-table.ts';
import { runs } from '../../../support/extent.ts';

describe('a table of doubles', () => {
  it('numbers them in the order in which they came, as a Map does', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom(0, -0, Infinity, 2 ** 53 - 1));
    fc.assert(
      fc.property(fc.array(number, { maxLength: 3000 }), fc.array(number), (added, sought) => {
        const table = new NumberTable();
        const known = new Map<number, number>();
        for (const value of added) {
          if (!known.has(value)) known.set(value, known.size + 1);
          expect(table.add(value)).toBe(known.get(value));
        }
        for (const value of [...added, ...sought]) expect(table.find(value)).toBe(known.get(value) ?? 0);
        expect(table.size).toBe(known.size);
      }),
      runs(),
    );
  });

  it('keeps each as it grows', () => {
    const table = new NumberTable();
    const values = Array.from({ length: 100_000 }, (_, n) => n / 7);
    for (const value of values) table.add(value);
    expect(values.filter((value, n) => table.find(value) !== n + 1)).toEqual([]);
  });
});
