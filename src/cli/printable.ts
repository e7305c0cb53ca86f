/** Control characters, and those that turn the order of their neighbours: whoever sends a file writes its names. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text out of a file for a terminal: what would move the cursor or hide something is shown by its number instead. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
