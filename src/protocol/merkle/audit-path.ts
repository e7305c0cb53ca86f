import { type Sha256, sha256 } from '../digest.ts';
import { PackedHashes } from './packed-hashes.ts';
import { nodeHash, splitPoint } from './tree.ts';

/** The root of a complete subtree: 2^height leaves, the index counted among subtrees of that height. */
export type ReadNode = (height: number, index: number) => Uint8Array;

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

/** All complete subtrees of a tree, for many paths of it: 64 bytes a leaf, and as much again while it grows. */
export class TreeLevels {
  readonly #levels: PackedHashes[] = [];
  readonly #hash: Sha256;

  /** @param leafHashes 32 bytes each, taken one after the other */
  constructor(leafHashes: Iterable<Uint8Array>, hash: Sha256 = sha256) {
    this.#hash = hash;
    for (const leaf of leafHashes) this.#append(leaf);
  }

  /** How many leaves there are. */
  get size(): number {
    return this.#levels[0]?.length ?? 0;
  }

  #append(leaf: Uint8Array): void {
    let node = leaf;
    for (let height = 0; ; height++) {
      const level = this.#levels[height] ?? new PackedHashes();
      this.#levels[height] = level;
      level.push(node);
      if (level.length % 2 === 1) return;
      node = nodeHash(level.at(level.length - 2), level.at(level.length - 1), this.#hash);
    }
  }

  /** As auditPath. */
  path(index: number): Uint8Array[] {
    const node: ReadNode = (height, at) => this.#levels[height]?.at(at) ?? new Uint8Array(0);
    return auditPath(this.size, index, node, this.#hash);
  }
}
