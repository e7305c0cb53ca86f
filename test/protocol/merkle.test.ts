import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  CompactRange,
  concatBytes,
  leafHash,
  merkleRoot,
  nodeHash,
  sha256,
  toHex,
  utf8,
  verifyInclusion,
} from '../../src/protocol/index.ts';
import { inclusionPath } from '../support/audit-path.ts';
import { at, flipBit, hexBytes } from '../support/bytes.ts';
import { runs } from '../support/extent.ts';
import { merkleVectors } from '../support/vectors.ts';

vi.setConfig({ testTimeout: 60_000 });

/** MTH(D[n]) over leaf hashes, word for word as RFC 6962 §2.1 defines it. */
function definedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return at(leaves, 0);
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(concatBytes(Uint8Array.of(1), definedRoot(leaves.slice(0, k)), definedRoot(leaves.slice(k))));
}

/** PATH(m, D[n]), word for word as RFC 6962 §2.1.1 defines it. */
function definedPath(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return m < k
    ? [...definedPath(m, leaves.slice(0, k)), definedRoot(leaves.slice(k))]
    : [...definedPath(m - k, leaves.slice(k)), definedRoot(leaves.slice(0, k))];
}

const leavesOf = (size: number): Uint8Array[] => Array.from({ length: size }, (_, index) => leafHash(utf8(`${index}`)));
const hexOf = (hashes: readonly Uint8Array[]): string[] => hashes.map(toHex);

describe('RFC 6962 §2.1: Merkle Tree Hash', () => {
  const vectorLeaves = merkleVectors.leaves.map(hexBytes);

  it.each(Object.entries(merkleVectors.roots))('vector: root of %s leaves', (size, root) => {
    expect(toHex(merkleRoot(vectorLeaves.slice(0, Number(size))))).toBe(root);
  });

  it('of nothing is the hash of nothing, of one leaf that leaf', () => {
    expect(toHex(merkleRoot([]))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(merkleRoot(vectorLeaves.slice(0, 1))).toEqual(vectorLeaves[0]);
  });

  it('keeps leaves and nodes apart by a byte before each', () => {
    const [left, right] = [leafHash(utf8('a')), leafHash(utf8('b'))];
    expect(left).toEqual(sha256(utf8('\u0000a')));
    expect(nodeHash(left, right)).toEqual(sha256(concatBytes(Uint8Array.of(1), left, right)));
    expect(toHex(merkleRoot([left, right]))).not.toBe(toHex(leafHash(concatBytes(left, right))));
  });

  it('is what the RFC defines, also one leaf at a time', () => {
    const accumulator = new CompactRange();
    const leaves = leavesOf(260);
    for (let size = 0; size <= leaves.length; size++) {
      const defined = toHex(definedRoot(leaves.slice(0, size)));
      expect(accumulator.end).toBe(size);
      // Asked twice: a root must not disturb what follows.
      expect(toHex(accumulator.root())).toBe(defined);
      expect(toHex(accumulator.root())).toBe(defined);
      expect(toHex(merkleRoot(leaves.slice(0, size)))).toBe(defined);
      accumulator.push(leaves[size] ?? new Uint8Array(32));
    }
  });

  it('changes with every leaf and with their order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 80 }), fc.nat(), fc.nat(), (size, a, b) => {
        const leaves = leavesOf(size);
        const [from, to] = [a % size, b % size];
        const root = toHex(merkleRoot(leaves));
        expect(toHex(merkleRoot(leaves.with(from, leafHash(utf8('other')))))).not.toBe(root);
        const swapped = leaves.with(from, at(leaves, to)).with(to, at(leaves, from));
        expect(toHex(merkleRoot(swapped)) === root).toBe(from === to);
        expect(toHex(merkleRoot([...leaves, at(leaves, -1)]))).not.toBe(root);
      }),
      runs(),
    );
  });

  it('uses the hash it is given', () => {
    let calls = 0;
    const counting = (data: Uint8Array): Uint8Array => {
      calls++;
      return sha256(data);
    };
    merkleRoot(leavesOf(9), counting);
    expect(calls).toBe(8);
  });
});

describe('RFC 6962 §2.1.1: inclusion paths', () => {
  const vectorLeaves = merkleVectors.leaves.map(hexBytes);

  it.each(merkleVectors.inclusion)('vector: leaf $index of $size', ({ index, size, path }) => {
    const leaves = vectorLeaves.slice(0, size);
    expect(hexOf(inclusionPath(leaves, index))).toEqual(path);
    const proof = {
      leafHash: at(leaves, index),
      leafIndex: index,
      treeSize: size,
      path: path.map(hexBytes),
      root: hexBytes(merkleVectors.roots[String(size)] ?? ''),
    };
    expect(verifyInclusion(proof)).toBe(true);
  });

  it('are what the RFC defines and verify, for every leaf of every tree of up to 66 leaves', () => {
    for (let size = 1; size <= 66; size++) {
      const leaves = leavesOf(size);
      const root = merkleRoot(leaves);
      for (let index = 0; index < size; index++) {
        const path = inclusionPath(leaves, index);
        expect(hexOf(path)).toEqual(hexOf(definedPath(index, leaves)));
        const proof = { leafHash: at(leaves, index), leafIndex: index, treeSize: size, path, root };
        expect(verifyInclusion(proof)).toBe(true);
      }
    }
  });

  it('verify in big trees', () => {
    fc.assert(
      fc.property(fc.integer({ min: 67, max: 3000 }), fc.nat(), (size, any) => {
        const leaves = leavesOf(size);
        const index = any % size;
        const path = inclusionPath(leaves, index);
        expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)));
        const proof = { leafHash: at(leaves, index), leafIndex: index, treeSize: size, path, root: merkleRoot(leaves) };
        expect(verifyInclusion(proof)).toBe(true);
      }),
      runs(12),
    );
  });

  it('prove one leaf at one place of one tree: no other index verifies, nor another size with as long a path', () => {
    for (let size = 1; size <= 33; size++) {
      const leaves = leavesOf(size);
      const root = merkleRoot(leaves);
      for (let index = 0; index < size; index++) {
        const proof = { leafHash: at(leaves, index), treeSize: size, path: inclusionPath(leaves, index), root };
        for (let other = 0; other < size; other++) {
          expect(verifyInclusion({ ...proof, leafIndex: other })).toBe(other === index);
        }
      }
    }
  });

  it('fail with any part of them altered', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(), fc.nat(255), fc.nat(), (size, any, bit, anyNode) => {
        const leaves = leavesOf(size);
        const index = any % size;
        const path = inclusionPath(leaves, index);
        const proof = { leafHash: at(leaves, index), leafIndex: index, treeSize: size, path, root: merkleRoot(leaves) };
        const stray = leafHash(utf8('stray'));
        expect(verifyInclusion({ ...proof, leafHash: flipBit(proof.leafHash, bit) })).toBe(false);
        expect(verifyInclusion({ ...proof, root: flipBit(proof.root, bit) })).toBe(false);
        expect(verifyInclusion({ ...proof, path: [...path, stray] })).toBe(false);
        expect(verifyInclusion({ ...proof, path: [stray, ...path] })).toBe(false);
        if (path.length === 0) return;
        const node = anyNode % path.length;
        expect(verifyInclusion({ ...proof, path: path.with(node, flipBit(at(path, node), bit)) })).toBe(false);
        expect(verifyInclusion({ ...proof, path: path.toSpliced(node, 1) })).toBe(false);
        expect(verifyInclusion({ ...proof, path: path.toSpliced(node, 0, at(path, node)) })).toBe(false);
        expect(verifyInclusion({ ...proof, path: path.with(node, at(path, node).subarray(1)) })).toBe(false);
        if (path.length > 1) expect(verifyInclusion({ ...proof, path: path.toReversed() })).toBe(false);
      }),
      runs(),
    );
  });

  it('fail for places that no tree has', () => {
    const leaves = leavesOf(5);
    const proof = { leafHash: at(leaves, 0), path: inclusionPath(leaves, 0), root: merkleRoot(leaves) };
    for (const [leafIndex, treeSize] of [
      [-1, 5],
      [5, 5],
      [0, 0],
      [0, -5],
      [0.5, 5],
      [0, 5.5],
      [Number.NaN, 5],
      [0, Number.POSITIVE_INFINITY],
      [2 ** 53, 2 ** 54],
    ] as const) {
      expect(verifyInclusion({ ...proof, leafIndex, treeSize })).toBe(false);
    }
    expect(verifyInclusion({ ...proof, leafIndex: 0, treeSize: 5 })).toBe(true);
  });

  it('fail for a root or a leaf that is no hash', () => {
    const leaf = leafHash(utf8('a'));
    const proof = { leafHash: leaf, leafIndex: 0, treeSize: 1, path: [], root: leaf };
    expect(verifyInclusion(proof)).toBe(true);
    const short = leaf.subarray(1);
    expect(verifyInclusion({ ...proof, leafHash: short, root: short })).toBe(false);
  });

  it('verify beyond 2^31 leaves', () => {
    // A tree of 2^40 equal leaves, of which only the left edge is needed.
    const nodes = [leafHash(utf8('same'))];
    for (let level = 0; level < 40; level++) nodes.push(nodeHash(at(nodes, -1), at(nodes, -1)));
    const proof = { leafHash: at(nodes, 0), treeSize: 2 ** 40, path: nodes.slice(0, 40), root: at(nodes, 40) };
    for (const leafIndex of [0, 2 ** 33 + 1, 2 ** 40 - 1]) expect(verifyInclusion({ ...proof, leafIndex })).toBe(true);
    expect(verifyInclusion({ ...proof, leafIndex: 0, treeSize: 2 ** 39 })).toBe(false);
  });
});
