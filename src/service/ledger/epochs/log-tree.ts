import { formatDigest, MerkleAccumulator } from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';

/** Of the complete subtrees of a log those are kept whose height is a multiple of this: one root for 256 nodes below. */
export const KEPT_EVERY = 8;

/** How many nodes of one kept height make one of the next. */
const NODES = 2 ** KEPT_EVERY;

/** The root of a complete subtree of a log: 2^height leaves, the index counted among the subtrees of that height. */
export interface LogSubtree {
  readonly height: number;
  readonly index: number;
  readonly root: Uint8Array;
}

/**
 * The tree of all receipts of an organization, which only grows (protocol §6), one leaf at a time: what is needed of it for
 * its root, and the roots that are to be kept of it.
 */
export class LogTree {
  /** The incomplete end of each kept height, from the leaves upward: fewer than 256 nodes each. */
  readonly #tiers: MerkleAccumulator[] = [];
  #size = 0;
  #grown: LogSubtree[] = [];

  /**
   * A tree as it was left.
   * @param nodes gives the nodes of a kept height, from an index on, in order
   * @returns null where some of them are missing
   */
  static at(
    size: number,
    nodes: (height: number, from: number, count: number) => readonly Uint8Array[],
  ): LogTree | null {
    const tree = new LogTree();
    tree.#size = size;
    for (let height = 0, total = size; total > 0; height += KEPT_EVERY, total = Math.floor(total / NODES)) {
      const tier = new MerkleAccumulator(nodeCrypto.sha256);
      const count = total % NODES;
      for (const node of nodes(height, total - count, count)) tier.append(node);
      if (tier.size !== count) return null;
      tree.#tiers.push(tier);
    }
    return tree;
  }

  get size(): number {
    return this.#size;
  }

  /** @param leafHash 32 bytes */
  append(leafHash: Uint8Array): void {
    this.#size++;
    let node = leafHash;
    for (let tier = 0; ; tier++) {
      const accumulator = this.#tiers[tier] ?? new MerkleAccumulator(nodeCrypto.sha256);
      this.#tiers[tier] = accumulator;
      accumulator.append(node);
      if (accumulator.size < NODES) return;
      node = accumulator.root();
      const height = (tier + 1) * KEPT_EVERY;
      this.#grown.push({ height, index: this.#size / 2 ** height - 1, root: node });
      this.#tiers[tier] = new MerkleAccumulator(nodeCrypto.sha256);
    }
  }

  /** The root, as an epoch seals it: a digest. Not of an empty log. */
  root(): string {
    const peaks = this.#tiers.toReversed().flatMap(({ frontier }) => frontier);
    return formatDigest(MerkleAccumulator.from(this.#size, peaks, nodeCrypto.sha256).root());
  }

  /** The subtrees to be kept that were completed since `kept` was called. */
  get grown(): readonly LogSubtree[] {
    return this.#grown;
  }

  /** Says that these are on disk. */
  kept(): void {
    this.#grown = [];
  }
}
