import { equalBytes } from '../bytes.ts';
import { type Sha256, sha256 } from '../digest.ts';
import { merkleRoot, nodeHash, splitPoint } from './tree.ts';

/** What verifyInclusion needs: indexes count from 0, hashes are 32 bytes, the path goes from the leaf upward. */
export interface InclusionProof {
  readonly leafHash: Uint8Array;
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly path: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/**
 * The audit path of a leaf, from the leaf upward: PATH(m, D[n]) of RFC 6962 §2.1.1.
 * @throws RangeError where there is no leaf of that index
 */
export function inclusionPath(leafHashes: readonly Uint8Array[], index: number, hash: Sha256 = sha256): Uint8Array[] {
  if (!Number.isSafeInteger(index) || index < 0 || index >= leafHashes.length) {
    throw new RangeError(`there is no leaf ${index} in a tree of ${leafHashes.length}`);
  }
  const path: Uint8Array[] = [];
  let from = 0;
  let to = leafHashes.length;
  // From the root downward; the RFC's recursion lists the same hashes from the leaf upward.
  while (to - from > 1) {
    const middle = from + splitPoint(to - from);
    if (index < middle) {
      path.push(merkleRoot(leafHashes.slice(middle, to), hash));
      to = middle;
    } else {
      path.push(merkleRoot(leafHashes.slice(from, middle), hash));
      from = middle;
    }
  }
  return path.reverse();
}

/**
 * Whether a path leads from a leaf to a root (the algorithm of RFC 9162 §2.1.3.2, for the same trees as RFC 6962).
 * @returns false for an index outside the tree, a path too short or too long, a hash not of 32 bytes; never throws
 */
export function verifyInclusion(
  { leafHash, leafIndex, treeSize, path, root }: InclusionProof,
  hash: Sha256 = sha256,
): boolean {
  if (!Number.isSafeInteger(leafIndex) || !Number.isSafeInteger(treeSize) || leafIndex < 0 || leafIndex >= treeSize) {
    return false;
  }
  if (leafHash.length !== 32 || root.length !== 32 || path.some((node) => node.length !== 32)) return false;
  let index = leafIndex;
  let last = treeSize - 1;
  let node = leafHash;
  for (const sibling of path) {
    if (last === 0) return false;
    if (index % 2 === 1 || index === last) {
      node = nodeHash(sibling, node, hash);
      // A rightmost node without sibling moves up unhashed until it is a right child.
      while (index % 2 === 0 && index !== 0) {
        index /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      node = nodeHash(node, sibling, hash);
    }
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equalBytes(node, root);
}
