import type { Refusal } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { allRows, type RowsFormat, rowsText, saveRows, stampOf } from '../../api/rows-file.ts';
import type { RefusedSearch } from '../../lib/search-params.ts';

/** As many as the service keeps of an organization. */
const MAX_ROWS = 10_000;
const PAGE = 200;
const MEMBERS = [
  'refusal_no',
  'kind',
  'code',
  'is_alarm',
  'agent_id',
  'kid',
  'operation_id',
  'user_id',
  'address',
  'first_at',
  'last_at',
  'times',
] as const satisfies readonly (keyof Refusal)[];

/** Refusals as the text of a file. */
export function refusedText(format: RowsFormat, rows: readonly Refusal[]): string {
  return rowsText(format, MEMBERS, rows);
}

/** Saves what the filters find as a file. It is no evidence, so there is no manifest with it. */
export async function saveRefused(
  filter: RefusedSearch,
  format: RowsFormat,
  onProgress: (rows: number) => void,
): Promise<{ readonly rows: number; readonly complete: boolean }> {
  const pageAt = (at: { readonly cursor?: string }) =>
    call('listRefusals', { query: { ...filter, limit: PAGE, ...at } });
  const { rows, complete } = await allRows(pageAt, MAX_ROWS, onProgress);
  saveRows(`countersign-refused-${stampOf(new Date().toISOString())}`, format, refusedText(format, rows));
  return { rows: rows.length, complete };
}
