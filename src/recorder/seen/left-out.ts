/** What was left out of a JSON text that was too long to be kept: the middle of a text, or the last items of a list. */
export interface LeftOut {
  /** How many bytes were left out. */
  readonly bytes: number;
  /** Of the whole text in UTF-8, or of what was left out of a list or an object: size in bytes, and 64 lowercase hex digits. */
  readonly whole: number;
  readonly sha256: string;
}

const MARK = /\[\.\.\. (\d{1,15}) of (\d{1,15}) bytes left out, SHA-256 ([0-9a-f]{64}) \.\.\.\]/g;

/** What replaces it in the text. Anybody can write the same: what was left out is what `LeftOut` lists. */
export function markOf({ bytes, whole, sha256 }: LeftOut): string {
  return `[... ${bytes} of ${whole} bytes left out, SHA-256 ${sha256} ...]`;
}

/** Replaces the marks in a text of what was left out. */
export function withMarks(text: string, leftOut: readonly LeftOut[], mark: (one: LeftOut) => string): string {
  if (!text.includes(' bytes left out, SHA-256 ')) return text;
  return text.replace(MARK, (found) => {
    const one = leftOut.find((known) => markOf(known) === found);
    return one === undefined ? found : mark(one);
  });
}
