import { equalBytes } from '../bytes.ts';
import { type Sha256, sha256 } from '../digest.ts';
import { rangeRoot } from './audit-path.ts';
import { coverOf, nodeHash, type ReadNode, splitPoint } from './tree.ts';

/** What verifyConsistency needs; hashes are 32 bytes. */
export interface ConsistencyProof {
  readonly firstSize: number;
  readonly secondSize: number;
  readonly firstRoot: Uint8Array;
  readonly secondRoot: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/**
 * The proof that a tree of one size begins with the tree of a smaller one: PROOF(m, D[n]) of RFC 6962 §2.1.2.
 * @param node the roots of complete subtrees of the larger tree; some two a level are asked for
 * @throws RangeError unless 0 < firstSize <= secondSize
 */
export function consistencyPath(
  firstSize: number,
  secondSize: number,
  node: ReadNode,
  hash: Sha256 = sha256,
): Uint8Array[] {
  if (
    !Number.isSafeInteger(firstSize) ||
    !Number.isSafeInteger(secondSize) ||
    firstSize < 1 ||
    firstSize > secondSize
  ) {
    throw new RangeError(`there is no proof from a tree of ${firstSize} to one of ${secondSize}`);
  }
  const path: Uint8Array[] = [];
  let from = 0;
  let to = secondSize;
  // SUBPROOF from the root downward: the hash that the RFC lists last is met first.
  while (to > firstSize) {
    const middle = from + splitPoint(to - from);
    if (firstSize <= middle) {
      path.push(rangeRoot(middle, to, node, hash));
      to = middle;
    } else {
      path.push(rangeRoot(from, middle, node, hash));
      from = middle;
    }
  }
  // Where the smaller tree is this subtree as a whole, whoever checks has its root already.
  if (from !== 0) path.push(rangeRoot(from, to, node, hash));
  return path.reverse();
}

/**
 * The two roots that a path leads to, by the algorithm of RFC 9162 §2.1.4.2: where the second is the one that somebody signed,
 * so is the first.
 * @param firstRoot where the path begins if that size is a power of two; of any other size the path alone gives both roots
 * @returns null for sizes out of order, a path too short or too long, a hash not of 32 bytes; never throws
 */
export function consistencyRoots(
  { firstSize, secondSize, firstRoot, path }: Omit<ConsistencyProof, 'secondRoot'>,
  hash: Sha256 = sha256,
): { readonly first: Uint8Array; readonly second: Uint8Array } | null {
  if (!Number.isSafeInteger(firstSize) || !Number.isSafeInteger(secondSize)) return null;
  if (firstSize < 1 || firstSize > secondSize || [firstRoot, ...path].some(({ length }) => length !== 32)) return null;
  if (firstSize === secondSize) return path.length === 0 ? { first: firstRoot, second: firstRoot } : null;
  const isPower = [...coverOf(0, firstSize)].length === 1;
  const [start, ...rest] = isPower ? [firstRoot, ...path] : path;
  if (start === undefined || rest.length === 0) return null;
  let index = firstSize - 1;
  let last = secondSize - 1;
  while (index % 2 === 1) {
    index = (index - 1) / 2;
    last = Math.floor(last / 2);
  }
  let first = start;
  let second = start;
  for (const sibling of rest) {
    if (last === 0) return null;
    if (index % 2 === 1 || index === last) {
      first = nodeHash(sibling, first, hash);
      second = nodeHash(sibling, second, hash);
      while (index % 2 === 0 && index !== 0) {
        index /= 2;
        last = Math.floor(last / 2);
      }
    } else second = nodeHash(second, sibling, hash);
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? { first, second } : null;
}

/** Whether a path proves that the larger tree begins with the smaller one. As consistencyRoots. */
export function verifyConsistency({ secondRoot, ...proof }: ConsistencyProof, hash: Sha256 = sha256): boolean {
  const roots = consistencyRoots(proof, hash);
  return roots !== null && equalBytes(roots.first, proof.firstRoot) && equalBytes(roots.second, secondRoot);
}
