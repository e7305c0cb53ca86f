// protocol F80: roots, frontiers and proofs from what is kept of a log, against all of its leaves.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  CompactRange,
  consistencyPath,
  formatDigest,
  merkleRoot,
  parseDigest,
  verifyConsistency,
} from '../../src/protocol/index.ts';
import { keepSubtrees, logNodes, logTreeAt } from '../../src/service/ledger/epochs/log-subtrees.ts';
import { LogTree } from '../../src/service/ledger/epochs/log-tree.ts';
import { insertRows, operationRow, rowLedger } from '../support/operation-rows.ts';

const ORG = 'org-1';
const LEAVES = Array.from({ length: 66_100 }, (_, n) => createHash('sha256').update(`leaf ${n}`).digest());
const SIZES = [1, 2, 255, 256, 257, 300, 511, 512, 1000, 65_535, 65_536, 65_537, 66_048, 66_100];

const ledger = rowLedger(ORG);
insertRows(
  ledger,
  LEAVES.map((leafHash, n) => operationRow({ orgId: ORG, seqNo: n + 1, leafHash })),
);
const grown = new LogTree();
const roots = new Map<number, string>();
for (const leaf of LEAVES) {
  grown.append(leaf);
  if (SIZES.includes(grown.size)) roots.set(grown.size, grown.root());
}
keepSubtrees(ledger.store, ORG, grown.grown);

describe('a log', () => {
  it.each(SIZES)('of %i leaves has the root of RFC 6962, grown or read again', (size) => {
    const expected = formatDigest(merkleRoot(LEAVES.slice(0, size), nodeCrypto.sha256));
    expect(roots.get(size)).toBe(expected);
    expect(logTreeAt(ledger.store, ORG, size)?.root()).toBe(expected);
  });

  it('keeps one root for 256 nodes, and continues from what was kept', () => {
    const heights = Map.groupBy(grown.grown, ({ height }) => height);
    expect(Array.from(heights, ([height, list]) => [height, list.length])).toEqual([
      [8, 258],
      [16, 1],
    ]);
    const again = logTreeAt(ledger.store, ORG, 65_400);
    for (const leaf of LEAVES.slice(65_400)) again?.append(leaf);
    expect(again?.root()).toBe(grown.root());
    expect(again?.grown).toEqual(grown.grown.filter(({ height, index }) => height === 16 || index >= 255));
    again?.kept();
    expect(again?.grown).toEqual([]);
  });

  it('proves by what is kept that each size begins with each smaller one, and gives its frontier', () => {
    const nodes = logNodes(ledger.store, ORG);
    for (const second of SIZES) {
      const continued = CompactRange.of(second, nodes, nodeCrypto.sha256);
      expect(formatDigest(continued.root())).toBe(roots.get(second));
      for (const first of SIZES.filter((size) => size <= second)) {
        const path = consistencyPath(first, second, nodes, nodeCrypto.sha256);
        const sides = {
          firstRoot: parseDigest(roots.get(first) ?? ''),
          secondRoot: parseDigest(roots.get(second) ?? ''),
        };
        expect(verifyConsistency({ firstSize: first, secondSize: second, ...sides, path }, nodeCrypto.sha256)).toBe(
          true,
        );
      }
    }
  });

  it('is not made up where something of it is missing', () => {
    const { sqlite } = ledger.store;
    sqlite.exec('DELETE FROM log_subtrees WHERE height = 8 AND subtree_index = 257');
    expect(logTreeAt(ledger.store, ORG, 66_100)).toBeNull();
  });
});
