import { joinedForHashing } from '../bytes.ts';
import { type Sha256, sha256 } from '../digest.ts';

const LEAF_PREFIX = Uint8Array.of(0x00);
const NODE_PREFIX = Uint8Array.of(0x01);

/** Hash of a leaf: H(0x00 || data) (RFC 6962 §2.1). The prefix keeps a leaf from passing as a node. */
export function leafHash(data: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  return hash(joinedForHashing(LEAF_PREFIX, data));
}

/** Hash of an inner node: H(0x01 || left || right) (RFC 6962 §2.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  return hash(joinedForHashing(NODE_PREFIX, left, right));
}

/** The largest power of two smaller than n, for n > 1: where RFC 6962 splits a tree. */
export function splitPoint(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** The root of a complete subtree: 2^height leaves, the index counted among subtrees of that height. */
export type ReadNode = (height: number, index: number) => Uint8Array;

/**
 * The cover of the leaves from one index to before another: the largest complete subtrees that lie within, from the left to
 * the right (protocol F81). At most 104 of them below 2^53 leaves.
 */
export function* coverOf(from: number, to: number): Generator<{ readonly height: number; readonly index: number }> {
  for (let at = from; at < to; ) {
    let height = 0;
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= to) height++;
    yield { height, index: at / 2 ** height };
    at += 2 ** height;
  }
}

/** The hashes of a cover. @param node asked for each of them, from the left to the right */
export function coverHashes(from: number, to: number, node: ReadNode): Uint8Array[] {
  return Array.from(coverOf(from, to), ({ height, index }) => node(height, index));
}

/**
 * Merkle Tree Hash of RFC 6962 §2.1 over leaf hashes.
 * @param leafHashes 32 bytes each; an empty list gives H(""), as the RFC has it, though no epoch is empty
 */
export function merkleRoot(leafHashes: Iterable<Uint8Array>, hash: Sha256 = sha256): Uint8Array {
  const range = new CompactRange(0, hash);
  for (const leaf of leafHashes) range.push(leaf);
  return range.root();
}

/** Called with each complete subtree that a range comes to hold. */
export type OnSubtree = (height: number, index: number, root: Uint8Array) => void;

/**
 * A run of leaves of a tree, that grows to the right: holds the roots of its cover, at most two a level, and no leaf. From the
 * first leaf on it gives the root of the tree.
 */
export class CompactRange {
  readonly #hash: Sha256;
  readonly #onSubtree: OnSubtree | undefined;
  readonly #begin: number;
  readonly #roots: Uint8Array[] = [];
  #end: number;

  /** @param begin index of the first leaf */
  constructor(begin = 0, hash: Sha256 = sha256, onSubtree?: OnSubtree) {
    this.#begin = begin;
    this.#end = begin;
    this.#hash = hash;
    this.#onSubtree = onSubtree;
  }

  /** The tree of the first leaves up to a size, from the cover of all of them. */
  static of(size: number, node: ReadNode, hash: Sha256 = sha256, onSubtree?: OnSubtree): CompactRange {
    const range = new CompactRange(0, hash, onSubtree);
    range.#roots.push(...coverHashes(0, size, node));
    range.#end = size;
    return range;
  }

  /** Index of the leaf that comes next: of a tree from its first leaf on, the size. */
  get end(): number {
    return this.#end;
  }

  /** The hashes of its cover. */
  get hashes(): readonly Uint8Array[] {
    return this.#roots;
  }

  /**
   * Appends a leaf, or the root of a complete subtree.
   * @throws RangeError where no subtree of that height begins at the end
   */
  push(root: Uint8Array, height = 0): void {
    let width = 2 ** height;
    if (this.#end % width !== 0) throw new RangeError(`no subtree of height ${height} begins at leaf ${this.#end}`);
    let [index, level, node] = [this.#end / width, height, root];
    this.#end += width;
    this.#onSubtree?.(level, index, node);
    // As long as the node is a right child, and the range holds the left one.
    while (index % 2 === 1 && (index - 1) * width >= this.#begin) {
      node = nodeHash(this.#roots.pop() as Uint8Array, node, this.#hash);
      index = (index - 1) / 2;
      width *= 2;
      level++;
      this.#onSubtree?.(level, index, node);
    }
    this.#roots.push(node);
  }

  /**
   * Appends the leaves up to some ends, of which the hashes of the covers are there and nothing else.
   * @param ends ascending; a new cover begins at each
   * @param reached called at each size that is reached
   * @returns false, and appends nothing, where these are not as many hashes as the covers have
   */
  fill(ends: readonly number[], hashes: readonly Uint8Array[], reached?: () => void): boolean {
    const heights: number[] = [];
    let from = this.#end;
    for (const end of ends) {
      for (const { height } of coverOf(from, end)) heights.push(height);
      from = end;
    }
    if (heights.length !== hashes.length) return false;
    heights.forEach((height, n) => {
      this.push(hashes[n] as Uint8Array, height);
      reached?.();
    });
    return true;
  }

  /** The root of the tree; of a range that does not begin with the first leaf it means nothing. */
  root(): Uint8Array {
    return (
      this.#roots.reduceRight<Uint8Array | null>(
        (right, left) => (right === null ? left : nodeHash(left, right, this.#hash)),
        null,
      ) ?? this.#hash(new Uint8Array(0))
    );
  }
}
