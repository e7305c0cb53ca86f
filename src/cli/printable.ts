import { scriptWarning, visibleText } from '../protocol/index.ts';

/** A text out of a file for a terminal: what would move the cursor or is not seen is shown by its number instead. */
export const printable = visibleText;

/** What a terminal obeys: ASCII's control characters but line breaks and tabs; or a sequence that colours text, whole. */
const ESCAPE = String.fromCharCode(0x1b);
const OBEYED = new RegExp(`${ESCAPE}\\[[0-9;]*m|[\\p{Cc}--[\\n\\t\\u{7f}-\\u{9f}]]`, 'gv');

/**
 * Any text on its way to a terminal, such as one with the name of a file in it: what would move the cursor is shown by its number.
 * @param colours whether sequences that colour text, and nothing else, stay
 */
export function withoutControls(text: string, { colours }: { readonly colours: boolean }): string {
  return text.replaceAll(OBEYED, (found) =>
    found.length === 1 || !colours ? Array.from(found, (one) => (one < ' ' ? visibleText(one) : one)).join('') : found,
  );
}

/** A name out of a file for a terminal: as `printable`, and a word where its letters may not be what they seem to be. */
export function printableName(name: string): string {
  const warning = scriptWarning(name);
  return warning === null ? printable(name) : `${printable(name)} ⟨${warning}⟩`;
}
