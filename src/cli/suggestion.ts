/** Farther apart than this, two names have nothing to do with each other. */
const MAX_DISTANCE = 2;

/** Names on a command line are short; a longer text is not a mistyped one. */
const MAX_LENGTH = 64;

/**
 * How many letters have to be added, removed, replaced or swapped with their neighbour to make one name of another
 * (optimal string alignment).
 */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1] ?? [];
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/** The name that somebody most likely meant; null where none is near. Capital letters do not count. */
export function nearest(given: string, names: readonly string[]): string | null {
  if (given === '' || given.length > MAX_LENGTH) return null;
  const text = given.toLowerCase();
  const whole = names.filter((name) => text.length >= 3 && name.toLowerCase().startsWith(text));
  if (whole.length === 1) return whole[0] ?? null;
  let best: string | null = null;
  // A short name is another one after two changes: of three letters only one may differ.
  let least = Math.min(MAX_DISTANCE, Math.floor(text.replace(/^-+/, '').length / 2)) + 1;
  for (const name of names) {
    const apart = distance(text, name.toLowerCase());
    if (apart < least) [best, least] = [name, apart];
  }
  return best;
}

/** What follows a sentence about a name that does not exist: `. Did you mean …?`, or nothing. */
export function suggestion(given: string, names: readonly string[]): string {
  const name = nearest(given, names);
  return name === null ? '' : `. Did you mean ${name}?`;
}
