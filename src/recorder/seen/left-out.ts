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

/** What the end of a text says that lacks its rest, of which nobody knows how long it was: whoever handed it in gave up. */
export const CUT_OFF = '[... cut off here ...]';

/** Replaces the marks in texts of what was left out; a text may have more of them than anything was left out of. */
export function marker(leftOut: readonly LeftOut[], mark: (one: LeftOut) => string): (text: string) => string {
  const known = new Map(leftOut.map((one) => [markOf(one), one]));
  return (text) => {
    if (!text.includes(' bytes left out, SHA-256 ')) return text;
    return text.replace(MARK, (found) => {
      const one = known.get(found);
      return one === undefined ? found : mark(one);
    });
  };
}
