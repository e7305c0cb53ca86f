import { describe, expect, it } from 'vitest';
import { DigestSet } from '../../src/protocol/verify/digest-set.ts';
import { derived } from '../support/bundle-maker.ts';

describe.each([64, 128] as const)('a set of values of %i bits', (bits) => {
  const bytes = bits / 8;

  it('has each value once, however many there are', () => {
    const set = new DigestSet(bits);
    const values = Array.from({ length: 20_000 }, (_, index) => derived(`value ${index}`));
    expect(values.every((value) => set.add(value))).toBe(true);
    expect(values.some((value) => set.add(value))).toBe(false);
  });

  it('tells values apart that differ in any of its bytes, and in none after them', () => {
    const set = new DigestSet(bits);
    const value = derived('a value');
    expect(set.add(value)).toBe(true);
    for (let at = 0; at < bytes; at++) {
      const other = value.slice();
      other[at] = (value[at] ?? 0) ^ 1;
      expect(set.add(other), `byte ${at}`).toBe(true);
    }
    const after = value.slice();
    after[bytes] = (value[bytes] ?? 0) ^ 1;
    expect(set.add(after)).toBe(false);
  });

  it('has a place for a value that begins with zeros', () => {
    const set = new DigestSet(bits);
    expect(set.add(new Uint8Array(16))).toBe(true);
    expect(set.add(new Uint8Array(16))).toBe(false);
  });
});
