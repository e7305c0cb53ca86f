/**
 * What spreadsheets take for the beginning of a formula: also behind blanks and what is not seen, which some of them drop, and
 * behind a character that others take for the end of a field.
 */
const FORMULA = /^[\s\p{C}\p{Default_Ignorable_Code_Point};,|]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r]/u;

/**
 * A field of CSV (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe: agents choose these texts.
 * JSON Lines has the exact ones.
 */
export function csvField(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  const fields = values.map((value) => csvField(typeof value === 'boolean' ? String(value) : (value ?? '')));
  return `${fields.join(',')}\r\n`;
}
