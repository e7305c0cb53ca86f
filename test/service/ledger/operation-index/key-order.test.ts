import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderOfKeys } from '../../../../src/service/ledger/operation-index/key-order.ts';
import { runs } from '../../../support/extent.ts';

const anyKey = fc.oneof(
  fc.maxSafeNat().map((n) => n % 2 ** 48),
  // Alike but for one of the three parts that the sort goes by.
  fc.tuple(fc.constantFrom(1, 2 ** 16, 2 ** 32), fc.nat(3)).map(([unit, n]) => unit * n),
  fc.constantFrom(0, 2 ** 16 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 48 - 1),
);

describe('the order of keys', () => {
  it('is that of the numbers, and equal ones stay in the order they have', () => {
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 300 }), (keys) => {
        const expected = [...keys.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
        expect([...orderOfKeys(Float64Array.from(keys))]).toEqual(expected);
      }),
      runs(),
    );
  });
});
