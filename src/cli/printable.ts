import { visibleText } from '../protocol/index.ts';
import { scriptWarning } from '../protocol/text/index.ts';

/** A text out of a file for a terminal: what would move the cursor or is not seen is shown by its number instead. */
export const printable = visibleText;

/** A name out of a file for a terminal: as `printable`, and a word where its letters may not be what they seem to be. */
export function printableName(name: string): string {
  const warning = scriptWarning(name);
  return warning === null ? printable(name) : `${printable(name)} ⟨${warning}⟩`;
}
