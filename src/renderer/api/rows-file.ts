import { saveFile } from './save-file.ts';

export type RowsFormat = 'csv' | 'jsonl';

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

/** Rows as the text of a file: JSON Lines has all members as they are, CSV the named ones as text. */
export function rowsText<Member extends string>(
  format: RowsFormat,
  members: readonly Member[],
  rows: readonly Readonly<Record<Member, string | number | boolean | null>>[],
): string {
  if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const fieldOf = (value: string | number | boolean | null): string =>
    csvField(typeof value === 'boolean' ? String(value) : (value ?? ''));
  const lines = [members.join(','), ...rows.map((row) => members.map((member) => fieldOf(row[member])).join(','))];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Gives such a text to the person at the browser. */
export function saveRows(name: string, format: RowsFormat, content: string): void {
  saveFile(`${name}.${format}`, content, format === 'csv' ? 'text/csv' : 'application/jsonl');
}

/** The part of a file's name that says when it was made. */
export function stampOf(time: string): string {
  return time.replaceAll(/[:.]/g, '-');
}

interface RowsPage<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

/**
 * All rows of a list, up to a number of them, page after page.
 * @param pageAt asks for the page at a cursor; for the first one without
 * @param onProgress told how many there are so far
 */
export async function allRows<Row>(
  pageAt: (at: { readonly cursor?: string }) => Promise<RowsPage<Row>>,
  max: number,
  onProgress: (rows: number) => void,
): Promise<{ readonly rows: readonly Row[]; readonly complete: boolean }> {
  const rows: Row[] = [];
  for (let at: { readonly cursor?: string } = {}; ; ) {
    const { data, nextCursor } = await pageAt(at);
    rows.push(...data);
    onProgress(rows.length);
    if (nextCursor === null || rows.length >= max) {
      return { rows: rows.slice(0, max), complete: nextCursor === null && rows.length <= max };
    }
    at = { cursor: nextCursor };
  }
}
