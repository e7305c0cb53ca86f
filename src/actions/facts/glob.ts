/**
 * Whether a text is of a simple pattern: `*` is any run of characters, `?` any single one, everything else itself. Takes at most
 * as many steps as the lengths of both multiplied, whatever the pattern.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let inGlob = 0;
  /** Where the newest `*` stands, and how far the text had been taken there. */
  let star = -1;
  let taken = 0;
  while (at < text.length) {
    const sign = glob[inGlob];
    if (sign === '*') {
      star = inGlob++;
      taken = at;
    } else if (sign === '?' || sign === text[at]) {
      inGlob++;
      at++;
    } else if (star >= 0) {
      inGlob = star + 1;
      at = ++taken;
    } else return false;
  }
  while (glob[inGlob] === '*') inGlob++;
  return inGlob === glob.length;
}
