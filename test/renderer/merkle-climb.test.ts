import { describe, expect, it } from 'vitest';
import { leafHash, merkleRoot, utf8 } from '../../src/protocol/index.ts';
import { climb } from '../../src/renderer/proof/merkle-climb.ts';
import { inclusionPath } from '../support/audit-path.ts';

const leaves = Array.from({ length: 40 }, (_, n) => leafHash(utf8(String(n))));

describe('climb', () => {
  it('leads from every leaf of every tree to its root, through the subtrees that it says', () => {
    for (let size = 1; size <= leaves.length; size++) {
      const tree = leaves.slice(0, size);
      for (const [index, leaf] of tree.entries()) {
        const levels = climb(leaf, index, size, inclusionPath(tree, index));
        if (levels === null) throw new Error(`no way from leaf ${index} of ${size}`);
        expect(levels.at(-1)?.parent.hash ?? leaf).toEqual(merkleRoot(tree));
        for (const { node, sibling, parent } of levels) {
          for (const { from, to, hash } of [node, sibling, parent])
            expect(hash).toEqual(merkleRoot(tree.slice(from, to)));
        }
      }
    }
  });

  it('refuses a path of another length, and a leaf outside the tree', () => {
    const [leaf = new Uint8Array(32)] = leaves;
    const path = inclusionPath(leaves.slice(0, 7), 0);
    expect(climb(leaf, 0, 7, path)).not.toBeNull();
    expect(climb(leaf, 0, 7, path.slice(1))).toBeNull();
    expect(climb(leaf, 0, 7, [...path, leaf])).toBeNull();
    expect(climb(leaf, 7, 7, path)).toBeNull();
    expect(climb(leaf, -1, 7, path)).toBeNull();
  });
});
