import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyTable } from '../../../../src/service/ledger/operation-index/key-table.ts';
import { runs } from '../../../support/extent.ts';

/** Some far apart, some side by side, some equal, and some that are equal but for their highest bits. */
const anyKey = fc.oneof(
  fc.maxSafeNat().map((n) => n % 2 ** 48),
  fc.integer({ min: 1000, max: 1100 }),
  fc.nat(20).map((n) => n * 2 ** 40 + 1023),
  fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1, 2 ** 48 - 1),
);

describe('a table of numbers under keys', () => {
  it('gives all that were added under a key, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(anyKey, { maxLength: 1500, size: 'max' }),
        fc.array(anyKey, { maxLength: 50 }),
        (keys, others) => {
          const table = new KeyTable();
          const expected = new Map<number, number[]>();
          for (const [n, key] of keys.entries()) {
            table.add(key, n + 2 ** 40);
            expected.set(key, [...(expected.get(key) ?? []), n + 2 ** 40]);
          }
          expect(table.size).toBe(keys.length);
          for (const key of [...keys, ...others]) {
            expect(table.all(key).toSorted((a, b) => a - b)).toEqual(expected.get(key) ?? []);
          }
        },
      ),
      runs(60),
    );
  });
});
