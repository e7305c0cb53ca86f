import { decisionIn, type SaidDecision } from './decision.ts';
import { isOfProfile } from './facts-of.ts';
import type { ReadPayload } from './read-payload.ts';
import { isArray, memberAt, textAt } from './tree.ts';

/** Who saw what a record of the profile tells. */
interface Witness {
  readonly source: string;
  readonly name: string | null;
}

/** The witnesses that a record names (docs/agent-actions.md, Witnesses); those of the wrong form are left out. */
export function witnessesOf(read: ReadPayload): Witness[] {
  const witnesses = isOfProfile(read) ? memberAt(read.shown ?? {}, 'witnesses') : undefined;
  if (!isArray(witnesses)) return [];
  return witnesses.slice(0, 8).flatMap((witness) => {
    const source = textAt(witness, 'source');
    return source === null ? [] : [{ source, name: textAt(witness, 'name') }];
  });
}

/** The decision that a record of the profile says was made; null of all others. */
export function decisionOf(read: ReadPayload): SaidDecision | null {
  return isOfProfile(read) ? decisionIn(read.shown ?? {}) : null;
}
