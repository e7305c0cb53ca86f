import { type Sha256, sha256 } from '../digest.ts';
import { nodeHash, type ReadNode, splitPoint } from './tree.ts';

/**
 * The root of the leaves from one index to before another of a larger tree, from the roots of its complete subtrees. The run
 * begins at a multiple of the largest power of two that it holds, as every run does that RFC 6962 cuts a tree into.
 */
export function rangeRoot(from: number, to: number, node: ReadNode, hash: Sha256): Uint8Array {
  const size = to - from;
  const height = Math.log2(size);
  if (Number.isInteger(height)) return node(height, from / size);
  const middle = from + splitPoint(size);
  return nodeHash(rangeRoot(from, middle, node, hash), rangeRoot(middle, to, node, hash), hash);
}

/**
 * The audit path of a leaf, from the leaf upward (RFC 6962 §2.1.1), from the roots of complete subtrees: asks for some
 * two of them a level, however large the tree.
 * @throws RangeError where there is no leaf of that index
 */
export function auditPath(treeSize: number, index: number, node: ReadNode, hash: Sha256 = sha256): Uint8Array[] {
  if (!Number.isSafeInteger(index) || index < 0 || index >= treeSize) {
    throw new RangeError(`there is no leaf ${index} in a tree of ${treeSize}`);
  }
  const path: Uint8Array[] = [];
  let from = 0;
  let to = treeSize;
  while (to - from > 1) {
    const middle = from + splitPoint(to - from);
    path.push(index < middle ? rangeRoot(middle, to, node, hash) : rangeRoot(from, middle, node, hash));
    if (index < middle) to = middle;
    else from = middle;
  }
  return path.reverse();
}
