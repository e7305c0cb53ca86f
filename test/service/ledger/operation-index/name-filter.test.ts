import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameFilter } from '../../../../src/service/ledger/operation-index/name-filter.ts';
import { operationIdKey } from '../../../../src/service/ledger/operation-index/record-keys.ts';
import { runs } from '../../../support/extent.ts';

const anyKey = fc.oneof(
  fc.maxSafeNat().map((n) => n % 2 ** 48),
  fc.constantFrom(0, 1, 2 ** 24, 2 ** 48 - 1),
);
const anySegment = fc.integer({ min: 0, max: 69 });

function filterOf(segments: number): NameFilter {
  const filter = new NameFilter();
  filter.cover(segments, true);
  return filter;
}

describe('the filter of names', () => {
  it('gives every segment that a name was added to', () => {
    const filter = filterOf(70);
    const added = new Map<number, Set<number>>();
    fc.assert(
      fc.property(fc.array(fc.tuple(anySegment, anyKey), { maxLength: 50 }), (names) => {
        for (const [segment, key] of names) {
          filter.add(segment, key);
          added.set(key, (added.get(key) ?? new Set()).add(segment));
        }
        for (const [key, segments] of added) {
          expect(filter.segmentsOf(key)).toEqual(expect.arrayContaining([...segments]));
          for (const segment of segments) expect(filter.mayHave(segment, key)).toBe(true);
        }
      }),
      runs(30),
    );
  });

  it('of a full segment gives it for hardly any other name, and no other segment', () => {
    const filter = filterOf(64);
    for (let n = 0; n < 131_072; n++) filter.add(33, operationIdKey('org', `added ${n}`));
    const wrong = Array.from({ length: 20_000 }, (_, n) => filter.segmentsOf(operationIdKey('org', `other ${n}`)));
    expect(wrong.filter((segments) => segments.length > 0).length).toBeLessThan(60);
    expect(wrong.flat().every((segment) => segment === 33)).toBe(true);
  });

  it('gives every segment until it is settled, where there were names before it', () => {
    const filter = new NameFilter();
    filter.cover(40, false);
    // Room made later is for segments that nothing was ever in.
    filter.cover(66, true);
    filter.add(3, 77);
    expect(filter.isSettled).toBe(false);
    expect(new Set(filter.segmentsOf(12_345))).toEqual(new Set(Array.from({ length: 64 }, (_, n) => n)));
    filter.settle();
    expect(filter.isSettled).toBe(true);
    expect(filter.segmentsOf(12_345)).toEqual([]);
    expect(filter.segmentsOf(77)).toEqual([3]);
  });

  it('is the same by shared memory, and the same segment from its stored bits', () => {
    const filter = filterOf(34);
    const shared = new NameFilter();
    shared.share(filter.buffers);
    const keys = Array.from({ length: 500 }, (_, n) => operationIdKey('org', `name ${n}`));
    for (const key of keys) shared.add(33, key);
    const stored = filterOf(34);
    stored.add(32, 5);
    stored.load(33, filter.bitsOf(33));
    for (const key of keys) {
      expect(filter.segmentsOf(key)).toEqual([33]);
      expect(stored.segmentsOf(key)).toEqual([33]);
    }
    expect(stored.segmentsOf(5)).toEqual([32]);
    expect(stored.bitsOf(33).equals(filter.bitsOf(33))).toBe(true);
  });

  it('refuses a name that it has no room for, which would be hidden', () => {
    const filter = filterOf(1);
    expect(filter.covers(31)).toBe(true);
    expect(filter.covers(32)).toBe(false);
    expect(() => filter.add(32, 1)).toThrow(RangeError);
    expect(filter.buffers).toHaveLength(1);
  });
});
