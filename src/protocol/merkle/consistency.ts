import { equalBytes } from '../bytes.ts';
import { type Sha256, sha256 } from '../digest.ts';
import { type ReadNode, rangeRoot } from './audit-path.ts';
import { nodeHash, splitPoint } from './tree.ts';

/** What verifyConsistency needs; hashes are 32 bytes. */
export interface ConsistencyProof {
  readonly firstSize: number;
  readonly secondSize: number;
  readonly firstRoot: Uint8Array;
  readonly secondRoot: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/**
 * The frontier of a tree: the roots of the complete subtrees that it consists of, the largest first (protocol §6).
 * @param node asked for each of them
 */
export function frontierOf(size: number, node: ReadNode): Uint8Array[] {
  const peaks: Uint8Array[] = [];
  for (let from = 0; from < size; ) {
    let height = 0;
    while (from + 2 ** (height + 1) <= size && from % 2 ** (height + 1) === 0) height++;
    peaks.push(node(height, from / 2 ** height));
    from += 2 ** height;
  }
  return peaks;
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
 * Whether a path proves that the larger tree begins with the smaller one (the algorithm of RFC 9162 §2.1.4.2).
 * @returns false for sizes out of order, a path too short or too long, a hash not of 32 bytes; never throws
 */
export function verifyConsistency(
  { firstSize, secondSize, firstRoot, secondRoot, path }: ConsistencyProof,
  hash: Sha256 = sha256,
): boolean {
  if (!Number.isSafeInteger(firstSize) || !Number.isSafeInteger(secondSize)) return false;
  if (firstSize < 1 || firstSize > secondSize || [firstRoot, secondRoot, ...path].some(({ length }) => length !== 32)) {
    return false;
  }
  if (firstSize === secondSize) return path.length === 0 && equalBytes(firstRoot, secondRoot);
  const isPower = Number.isInteger(Math.log2(firstSize));
  const [start, ...rest] = isPower ? [firstRoot, ...path] : path;
  if (start === undefined || rest.length === 0) return false;
  let index = firstSize - 1;
  let last = secondSize - 1;
  while (index % 2 === 1) {
    index = (index - 1) / 2;
    last = Math.floor(last / 2);
  }
  let first = start;
  let second = start;
  for (const sibling of rest) {
    if (last === 0) return false;
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
  return last === 0 && equalBytes(first, firstRoot) && equalBytes(second, secondRoot);
}
