import { concatBytes } from '../bytes.ts';
import { type Sha256, sha256 } from '../digest.ts';

const LEAF_PREFIX = Uint8Array.of(0x00);
const NODE_PREFIX = Uint8Array.of(0x01);

/** Hash of a leaf: H(0x00 || data) (RFC 6962 §2.1). The prefix keeps a leaf from passing as a node. */
export function leafHash(data: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  return hash(concatBytes(LEAF_PREFIX, data));
}

/** Hash of an inner node: H(0x01 || left || right) (RFC 6962 §2.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  return hash(concatBytes(NODE_PREFIX, left, right));
}

/** The largest power of two smaller than n, for n > 1: where RFC 6962 splits a tree. */
export function splitPoint(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** How many complete subtrees a tree of a size consists of: the ones in its binary form. */
export function frontierLength(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}

/**
 * Merkle Tree Hash of RFC 6962 §2.1 over leaf hashes.
 * @param leafHashes 32 bytes each; an empty list gives H(""), as the RFC has it, though no epoch is empty
 */
export function merkleRoot(leafHashes: Iterable<Uint8Array>, hash: Sha256 = sha256): Uint8Array {
  const accumulator = new MerkleAccumulator(hash);
  for (const leaf of leafHashes) accumulator.append(leaf);
  return accumulator.root();
}

/**
 * The same tree, one leaf at a time: holds one hash a level, so that neither an open epoch nor a verifier keeps the leaves,
 * and a root costs O(log n).
 */
export class MerkleAccumulator {
  readonly #hash: Sha256;
  /** Roots of the complete subtrees, largest first; a subtree of height h is there where bit h of size is set. */
  readonly #peaks: Uint8Array[] = [];
  #size = 0;

  constructor(hash: Sha256 = sha256) {
    this.#hash = hash;
  }

  /**
   * Continues from a tree that was left earlier.
   * @param peaks its frontier: the roots of its complete subtrees, the largest first (protocol §6)
   * @throws RangeError where a tree of that size has another number of them
   */
  static from(size: number, peaks: readonly Uint8Array[], hash: Sha256 = sha256): MerkleAccumulator {
    if (peaks.length !== frontierLength(size)) throw new RangeError(`a tree of ${size} has another frontier`);
    const accumulator = new MerkleAccumulator(hash);
    accumulator.#size = size;
    accumulator.#peaks.push(...peaks);
    return accumulator;
  }

  /** Roots of the complete subtrees, the largest first. */
  get frontier(): readonly Uint8Array[] {
    return this.#peaks;
  }

  /** How many leaves were appended. */
  get size(): number {
    return this.#size;
  }

  append(leaf: Uint8Array): void {
    let node = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      node = nodeHash(this.#peaks.pop() as Uint8Array, node, this.#hash);
    }
    this.#peaks.push(node);
    this.#size++;
  }

  root(): Uint8Array {
    let root: Uint8Array | undefined;
    for (let i = this.#peaks.length - 1; i >= 0; i--) {
      const peak = this.#peaks[i] as Uint8Array;
      root = root === undefined ? peak : nodeHash(peak, root, this.#hash);
    }
    return root ?? this.#hash(new Uint8Array(0));
  }
}
