import { nodeCrypto } from '../../../node/index.ts';
import { merkleRoot, type ReadNode } from '../../../protocol/index.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { KEPT_EVERY, type LogSubtree, LogTree } from './log-tree.ts';

/** Leaves, or roots of a kept height, of an organization's log, as far as there are any. */
function nodesOf(store: Store, orgId: string, height: number, from: number, count: number): Uint8Array[] {
  const nodes =
    height === 0
      ? store.statement('SELECT leaf_hash FROM operations WHERE org_id = ? AND seq_no BETWEEN ? AND ? ORDER BY seq_no')
      : store.statement(
          `SELECT root FROM log_subtrees WHERE org_id = ? AND height = ${height} AND subtree_index BETWEEN ? AND ?
           ORDER BY subtree_index`,
        );
  // Records count from 1, leaves from 0.
  const first = height === 0 ? from + 1 : from;
  return nodes.pluck().all(orgId, first, first + count - 1) as Uint8Array[];
}

/**
 * The log of an organization at a size that an epoch ends with, from what is kept of it.
 * @returns null where that is incomplete: somebody took something out
 */
export function logTreeAt(store: Store, orgId: string, size: number): LogTree | null {
  let missing = 0;
  const tree = new LogTree(
    size,
    logNodes(store, orgId, (count) => {
      missing += count;
    }),
  );
  return missing === 0 ? tree : null;
}

/**
 * The complete subtrees of an organization's sealed log, for proofs: from those that are kept, at most 128 of them for one,
 * and near the leaves from these.
 * @param onMissing told how many of them are not there; the root is another one then
 */
export function logNodes(store: Store, orgId: string, onMissing?: (count: number) => void): ReadNode {
  return (height, index) => {
    const below = height - (height % KEPT_EVERY);
    const count = 2 ** (height - below);
    const nodes = nodesOf(store, orgId, below, index * count, count);
    if (nodes.length < count) onMissing?.(count - nodes.length);
    return merkleRoot(nodes, nodeCrypto.sha256);
  };
}

/** Keeps the roots by which a log has grown; within the transaction that seals them. */
export function keepSubtrees(store: WritableStore, orgId: string, subtrees: readonly LogSubtree[]): void {
  const insert = store.statement('INSERT INTO log_subtrees VALUES (?, ?, ?, ?)');
  for (const { height, index, root } of subtrees) insert.run(orgId, height, index, root);
}
