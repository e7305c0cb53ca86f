import { merkleRoot, type Sha256, sha256, splitPoint } from '../../src/protocol/index.ts';

/** The audit path of a leaf, from the leaf upward, as RFC 6962 §2.1.1 defines it: PATH(m, D[n]), over all leaves. */
export function inclusionPath(leaves: readonly Uint8Array[], index: number, hash: Sha256 = sha256): Uint8Array[] {
  if (leaves.length === 1) return [];
  const middle = splitPoint(leaves.length);
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)];
  return index < middle
    ? [...inclusionPath(left, index, hash), merkleRoot(right, hash)]
    : [...inclusionPath(right, index - middle, hash), merkleRoot(left, hash)];
}
