import type { Json } from './canonical.ts';
import { readExactJson, withTexts } from './exact-numbers.ts';
import { parseJson } from './json.ts';

/** How often a text within an opened text is opened as well. */
export const MAX_OPENINGS = 4;

/**
 * The JSON object or array that a text is, or null. Where a parser would drop something, such as a member that is there twice, it stays
 * a text. A number that a double does not keep is its text in it.
 */
export function openedText(text: string): Json | null {
  // Blanks around it are JSON too; most texts are told apart by their first character.
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return null;
  const last = text.trimEnd().at(-1);
  if (last !== '}' && last !== ']') return null;
  try {
    return withTexts(readExactJson(text, parseJson)).value;
  } catch {
    // Not JSON, such as a text that begins with a bracket: it is what it is.
    return null;
  }
}
