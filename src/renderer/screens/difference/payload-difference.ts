import { type Json, shownPayload } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { changesOf, type DifferenceNode, differenceOf, MAX_DIFFERENCES } from '../../lib/json-difference.ts';
import { PAYLOAD_DIFFERENCE } from './texts.ts';

function shownOf({ eor, disclosures }: StoredOperation): Json | null {
  return eor.payload === undefined ? null : (shownPayload(eor.payload, disclosures) as Json);
}

/** The payloads of two operations as one tree; null where one of them is withheld or erased. */
export function payloadDifference(one: StoredOperation, other: StoredOperation): DifferenceNode | null {
  const [left, right] = [shownOf(one), shownOf(other)];
  return left === null || right === null ? null : differenceOf(left, right);
}

/** How many places differ, by what became of them. */
export interface Tally {
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
}

export function tallyOf(difference: DifferenceNode): Tally {
  const kinds = changesOf(difference).map(({ kind }) => kind);
  const count = (wanted: keyof Tally): number => kinds.filter((kind) => kind === wanted).length;
  return { changed: count('changed'), added: count('added'), removed: count('removed') };
}

/** A tally in words, without what there is none of. */
export function tallyText(tally: Tally): string {
  const parts = (['changed', 'added', 'removed'] as const).flatMap((kind) =>
    tally[kind] === 0 ? [] : [PAYLOAD_DIFFERENCE[kind](tally[kind])],
  );
  const isCut = tally.changed + tally.added + tally.removed >= MAX_DIFFERENCES;
  return `${parts.join(', ')}${isCut ? PAYLOAD_DIFFERENCE.more : ''}`;
}
