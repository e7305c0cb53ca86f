import { describe, expect, it } from 'vitest';
import {
  CompactRange,
  consistencyPath,
  consistencyRoots,
  coverHashes,
  coverOf,
  merkleRoot,
  sha256,
  utf8,
  verifyConsistency,
} from '../../src/protocol/index.ts';

const SIZES = 40;
const leaves = Array.from({ length: SIZES }, (_, index) => sha256(utf8(`leaf ${index}`)));
const rootOf = (size: number): Uint8Array => merkleRoot(leaves.slice(0, size));
const node = (height: number, index: number): Uint8Array =>
  merkleRoot(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));

describe('RFC 6962 §2.1.2: one tree as it grows', () => {
  it('proves of every two sizes that the larger begins with the smaller, and of no other root', () => {
    for (let second = 1; second <= SIZES; second++) {
      for (let first = 1; first <= second; first++) {
        const path = consistencyPath(first, second, node);
        const proof = {
          firstSize: first,
          secondSize: second,
          firstRoot: rootOf(first),
          secondRoot: rootOf(second),
          path,
        };
        expect(verifyConsistency(proof)).toBe(true);
        const other = sha256(utf8('another root'));
        expect(verifyConsistency({ ...proof, firstRoot: other })).toBe(false);
        expect(verifyConsistency({ ...proof, secondRoot: other })).toBe(false);
        expect(verifyConsistency({ ...proof, path: [...path, other] })).toBe(false);
        if (path.length === 0) continue;
        expect(verifyConsistency({ ...proof, path: path.slice(1) })).toBe(false);
        expect(verifyConsistency({ ...proof, path: [other, ...path.slice(1)] })).toBe(false);
      }
    }
  });

  it('has the paths of the example tree of RFC 6962 §2.1.3', () => {
    const shown = (first: number): Uint8Array[] => consistencyPath(first, 7, node);
    // The RFC's names: c = d[2], d = d[3], g = [0..1], h = [2..3], i = [4..5], j = d[6], k = [0..3], l = [4..6].
    const range = (from: number, to: number): Uint8Array => merkleRoot(leaves.slice(from, to));
    expect(shown(3)).toEqual([range(2, 3), range(3, 4), range(0, 2), range(4, 7)]);
    expect(shown(4)).toEqual([range(4, 7)]);
    expect(shown(6)).toEqual([range(4, 6), range(6, 7), range(0, 4)]);
  });

  it('gives both roots of a path, of which the second tells whether the first is to be believed', () => {
    for (let second = 2; second <= SIZES; second++) {
      for (let first = 1; first < second; first++) {
        const path = consistencyPath(first, second, node);
        const isPower = [...coverOf(0, first)].length === 1;
        const roots = consistencyRoots({
          firstSize: first,
          secondSize: second,
          firstRoot: isPower ? rootOf(first) : sha256(utf8('another root')),
          path,
        });
        expect(roots).toEqual({ first: rootOf(first), second: rootOf(second) });
      }
    }
  });

  it('continues a tree from the cover of its leaves, at every size, and from any leaf on', () => {
    for (let size = 0; size <= SIZES; size++) {
      const range = CompactRange.of(size, node);
      expect(range.root()).toEqual(rootOf(size));
      for (const leaf of leaves.slice(size)) range.push(leaf);
      expect(range.root()).toEqual(rootOf(SIZES));
      const later = new CompactRange(size);
      for (const leaf of leaves.slice(size)) later.push(leaf);
      expect(later.hashes).toEqual(coverHashes(size, SIZES, node));
    }
  });

  it('comes to one root along any receipts and the covers between them, cut wherever', () => {
    for (let first = 0; first <= SIZES; first++) {
      for (let second = first; second <= SIZES; second++) {
        const range = new CompactRange();
        const sizes: number[] = [];
        const [cut, end] = [Math.floor((first + second) / 2), SIZES];
        const hashes = [
          [0, first],
          [first, cut],
          [cut, second],
          [second, end],
        ].map(([from = 0, to = 0]) => coverHashes(from, to, node));
        const reached = (): void => {
          sizes.push(range.end);
          expect(range.root()).toEqual(rootOf(range.end));
        };
        expect(range.fill([first, cut, second, end], hashes.flat(), reached)).toBe(true);
        expect(sizes).toEqual(
          expect.arrayContaining([...new Set([first, cut, second, end])].filter((size) => size > 0)),
        );
        expect(range.root()).toEqual(rootOf(SIZES));
      }
    }
  });

  it('refuses a subtree where none begins, and another number of hashes than a cover has', () => {
    const range = new CompactRange();
    range.push(leaves[0] as Uint8Array);
    expect(() => range.push(leaves[1] as Uint8Array, 1)).toThrow(RangeError);
    expect(range.fill([4], [leaves[1] as Uint8Array])).toBe(false);
    expect(range.fill([4], coverHashes(1, 3, node).concat(leaves.slice(0, 2)))).toBe(false);
    expect(range.end).toBe(1);
    expect(range.fill([4], coverHashes(1, 4, node))).toBe(true);
    expect(range.root()).toEqual(rootOf(4));
  });

  it('refuses what is no proof: sizes out of order', () => {
    expect(() => consistencyPath(0, 1, node)).toThrow(RangeError);
    expect(() => consistencyPath(3, 2, node)).toThrow(RangeError);
    const root = rootOf(1);
    const proof = { firstRoot: root, secondRoot: root, path: [] };
    expect(verifyConsistency({ ...proof, firstSize: 1, secondSize: 1 })).toBe(true);
    expect(verifyConsistency({ ...proof, firstSize: 0, secondSize: 1 })).toBe(false);
    expect(verifyConsistency({ ...proof, firstSize: 2, secondSize: 1 })).toBe(false);
  });
});
