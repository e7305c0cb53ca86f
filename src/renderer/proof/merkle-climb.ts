import { nodeHash, splitPoint } from '../../protocol/index.ts';

/** A subtree: its leaves from one index to before another, and its root. */
export interface Subtree {
  readonly from: number;
  readonly to: number;
  readonly hash: Uint8Array;
}

/** One level of the way from a leaf to the root. */
export interface Climb {
  /** What was computed so far. */
  readonly node: Subtree;
  /** What the proof gives. */
  readonly sibling: Subtree;
  readonly siblingIsLeft: boolean;
  /** H(0x01, left, right). */
  readonly parent: Subtree;
}

/**
 * Climbs from a leaf to the root of its tree (RFC 6962 §2.1.1), a level at a time.
 * @returns null where the path has another length than such a tree needs
 */
export function climb(leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): Climb[] | null {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return null;
  // From the root down: where each level splits, and on which side the leaf is.
  const splits: { readonly from: number; readonly middle: number; readonly to: number }[] = [];
  for (let from = 0, to = size; to - from > 1; ) {
    const middle = from + splitPoint(to - from);
    splits.push({ from, middle, to });
    if (index < middle) to = middle;
    else from = middle;
  }
  if (splits.length !== path.length) return null;
  const levels: Climb[] = [];
  let node: Subtree = { from: index, to: index + 1, hash: leaf };
  for (const [level, hash] of path.entries()) {
    const split = splits[splits.length - 1 - level];
    if (split === undefined) return null;
    const { from, middle, to } = split;
    const siblingIsLeft = index >= middle;
    const sibling: Subtree = siblingIsLeft ? { from, to: middle, hash } : { from: middle, to, hash };
    const parent: Subtree = {
      from,
      to,
      hash: siblingIsLeft ? nodeHash(hash, node.hash) : nodeHash(node.hash, hash),
    };
    levels.push({ node, sibling, siblingIsLeft, parent });
    node = parent;
  }
  return levels;
}
