import { decisionIn, type SaidDecision } from './decision.ts';
import { isOfProfile } from './facts-of.ts';
import type { ReadPayload } from './read-payload.ts';
import { isArray, memberAt, textAt } from './tree.ts';

/** Names of an exit code in payloads without a profile. */
const EXIT_CODES: ReadonlySet<string> = new Set(['exit_code', 'exitCode', 'exit_status', 'returncode', 'return_code']);

/** The exit code that a record tells: where the profile has it, else the first whole number under a usual name. */
export function exitCodeOf(read: ReadPayload): number | null {
  const found = isOfProfile(read)
    ? memberAt(read.shown ?? {}, 'outcome', 'exit_code')
    : read.leaves.find(({ path, value }) => EXIT_CODES.has(path.at(-1) ?? '') && Number.isSafeInteger(value))?.value;
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

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
