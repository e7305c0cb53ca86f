import { nodeCrypto } from '../../../node/index.ts';
import { CompactRange, formatDigest, type ReadNode } from '../../../protocol/index.ts';

/** Of the complete subtrees of a log those are kept whose height is a multiple of this: one root for 256 nodes below. */
export const KEPT_EVERY = 8;

/** The root of a complete subtree of a log: 2^height leaves, the index counted among the subtrees of that height. */
export interface LogSubtree {
  readonly height: number;
  readonly index: number;
  readonly root: Uint8Array;
}

/**
 * The tree of all receipts of an organization, which only grows (protocol F80), one leaf at a time: what is needed of it for
 * its root, and the roots that are to be kept of it.
 */
export class LogTree {
  readonly #range: CompactRange;
  #grown: LogSubtree[] = [];

  /** @param node what is kept of a tree of that size */
  constructor(size = 0, node: ReadNode = noNode) {
    this.#range = CompactRange.of(size, node, nodeCrypto.sha256, (height, index, root) => {
      if (height > 0 && height % KEPT_EVERY === 0) this.#grown.push({ height, index, root });
    });
  }

  get size(): number {
    return this.#range.end;
  }

  /** @param leafHash 32 bytes */
  append(leafHash: Uint8Array): void {
    this.#range.push(leafHash);
  }

  /** The root, as an epoch seals it: a digest. Not of an empty log. */
  root(): string {
    return formatDigest(this.#range.root());
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

function noNode(): never {
  throw new RangeError('an empty log has no subtree');
}
