import { type Json, parseJson, readExactJson, withTexts } from '../../protocol/light.ts';

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
