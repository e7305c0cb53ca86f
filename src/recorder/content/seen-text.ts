import { exactJsonText, readExactJson } from '../../protocol/light.ts';
import { MAX_DEPTH } from '../redact/value-redactor.ts';
import type { Seen } from '../seen/seen.ts';

/** Deeper values are replaced, whatever is in them; events lie in an array, and their values some levels deep in them. */
const LEVELS = MAX_DEPTH + 16;

/** Events on their way to another thread: as a text they are copied at once and keep the digits of their numbers; values are copied one by one. */
export function textOfSeen(seen: readonly Seen[]): string {
  return exactJsonText(seen, LEVELS);
}

/** What a thread of this process wrote, and so of the form that it had there. */
export function seenOfText(text: string): readonly Seen[] {
  return readExactJson(text, JSON.parse) as unknown as readonly Seen[];
}
