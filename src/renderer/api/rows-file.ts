import { csvLine } from '../../actions/index.ts';
import { saveFile } from './save-file.ts';

export type RowsFormat = 'csv' | 'jsonl';

/** Rows as the text of a file: JSON Lines has all members as they are, CSV the named ones as text. */
export function rowsText<Member extends string>(
  format: RowsFormat,
  members: readonly Member[],
  rows: readonly Readonly<Record<Member, string | number | boolean | null>>[],
): string {
  if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return [csvLine(members), ...rows.map((row) => csvLine(members.map((member) => row[member])))].join('');
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
