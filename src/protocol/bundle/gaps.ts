import { formatDigest } from '../digest.ts';
import { firstPlace } from '../first-place.ts';
import { coverHashes, type ReadNode } from '../merkle/tree.ts';
import type { Epoch } from '../statements/epoch.ts';

/** The epoch in whose run a number lies, of a list in ascending order. */
export function epochSealing(epochs: readonly Epoch[], seqNo: number): Epoch | undefined {
  const found = epochs[firstPlace(epochs.length, (place) => (epochs[place]?.last_seq_no ?? 0) >= seqNo)];
  return found !== undefined && found.first_seq_no <= seqNo ? found : undefined;
}

/**
 * Where the covers of a gap end: at its end, and before that where the epoch of the receipt before it does (protocol F147).
 * @param from how many leaves of the log come before the gap @param to how many come before its end
 */
export function coverEnds(from: number, to: number, before: Pick<Epoch, 'last_seq_no'> | undefined): readonly number[] {
  const cut = before?.last_seq_no ?? to;
  return cut > from && cut < to ? [cut, to] : [to];
}

/**
 * The gap between two receipts that a bundle shows, as it stands there.
 * @param after the seq_no of the first; 0 for the beginning of the log
 * @param before the seq_no of the second; one more than the size of the log for its end
 * @param epochs those of the bundle, oldest first
 * @param node the roots of complete subtrees of the log
 */
export function gapBetween(after: number, before: number, epochs: readonly Epoch[], node: ReadNode): string[] {
  if (after >= before - 1) return [];
  let from = after;
  return coverEnds(after, before - 1, epochSealing(epochs, after)).flatMap((end) => {
    const hashes = coverHashes(from, end, node);
    from = end;
    return hashes.map(formatDigest);
  });
}
