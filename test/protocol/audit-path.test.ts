import { describe, expect, it } from 'vitest';
import { auditPath, merkleRoot, toHex } from '../../src/protocol/index.ts';
import { inclusionPath } from '../support/audit-path.ts';
import { derived } from '../support/bundle-maker.ts';

describe('RFC 6962 §2.1.1: the audit path of a leaf from the roots of subtrees', () => {
  const leaves = Array.from({ length: 70 }, (_, index) => derived(`leaf ${index}`));
  const text = (path: readonly Uint8Array[]): string => path.map(toHex).join();

  it('is that of the whole tree, for every leaf of every size', () => {
    for (let size = 1; size <= leaves.length; size++) {
      const tree = leaves.slice(0, size);
      const node = (height: number, index: number): Uint8Array =>
        merkleRoot(tree.slice(index * 2 ** height, (index + 1) * 2 ** height));
      for (let index = 0; index < size; index++) {
        expect(text(auditPath(size, index, node)), `leaf ${index} of ${size}`).toBe(text(inclusionPath(tree, index)));
      }
    }
  });

  it.each([
    [0, 0],
    [3, 3],
    [3, -1],
    [3, 0.5],
  ])('is refused where a tree of %i leaves has none of index %d', (size, index) => {
    expect(() => auditPath(size, index, () => new Uint8Array(32))).toThrow(RangeError);
  });
});
