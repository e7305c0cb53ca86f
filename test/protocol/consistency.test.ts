import { describe, expect, it } from 'vitest';
import {
  consistencyPath,
  frontierOf,
  MerkleAccumulator,
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

  it('continues a tree from its frontier, at every size', () => {
    for (let size = 0; size <= SIZES; size++) {
      const accumulator = MerkleAccumulator.from(size, frontierOf(size, node));
      expect(accumulator.root()).toEqual(rootOf(size));
      for (const leaf of leaves.slice(size)) accumulator.append(leaf);
      expect(accumulator.root()).toEqual(rootOf(SIZES));
      expect(accumulator.frontier).toEqual(frontierOf(SIZES, node));
    }
  });

  it('refuses what is no proof: sizes out of order, and a frontier of another size', () => {
    expect(() => consistencyPath(0, 1, node)).toThrow(RangeError);
    expect(() => consistencyPath(3, 2, node)).toThrow(RangeError);
    expect(() => MerkleAccumulator.from(3, [leaves[0] as Uint8Array])).toThrow(RangeError);
    const root = rootOf(1);
    const proof = { firstRoot: root, secondRoot: root, path: [] };
    expect(verifyConsistency({ ...proof, firstSize: 1, secondSize: 1 })).toBe(true);
    expect(verifyConsistency({ ...proof, firstSize: 0, secondSize: 1 })).toBe(false);
    expect(verifyConsistency({ ...proof, firstSize: 2, secondSize: 1 })).toBe(false);
  });
});
