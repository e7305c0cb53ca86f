import { equalBytes } from '../bytes.ts';
import { parseDigest, type Sha256, sha256 } from '../digest.ts';
import type { Epoch } from '../statements/epoch.ts';
import { nodeHash } from './tree.ts';

/** What verifyInclusion needs: indexes count from 0, hashes are 32 bytes, the path goes from the leaf upward. */
export interface InclusionProof {
  readonly leafHash: Uint8Array;
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly path: readonly Uint8Array[];
  readonly root: Uint8Array;
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

/** The place of a receipt in the log of some size; the path goes from the leaf upward (protocol F83). */
export interface Inclusion {
  /** Its seq_no, less one. */
  readonly leaf_index: number;
  /** Digests. */
  readonly path: readonly string[];
}

/**
 * Whether a receipt is in the log that an epoch sealed, at its own place.
 * @param leafHash the receipt's, 32 bytes
 * @throws ProtocolError ENCODING_INVALID for what is no digest
 */
export function isSealedIn(
  epoch: Pick<Epoch, 'last_seq_no' | 'log_root'>,
  { seqNo, leafHash }: { readonly seqNo: number; readonly leafHash: Uint8Array },
  { leaf_index: leafIndex, path }: Inclusion,
  hash: Sha256 = sha256,
): boolean {
  const proof = { leafHash, leafIndex, treeSize: epoch.last_seq_no, path: path.map(parseDigest) };
  return leafIndex === seqNo - 1 && verifyInclusion({ ...proof, root: parseDigest(epoch.log_root) }, hash);
}
