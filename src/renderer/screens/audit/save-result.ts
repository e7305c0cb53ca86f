import type { AuditRow } from '../../../contract/index.ts';
import { formatDigest, sha256, utf8 } from '../../../protocol/index.ts';
import type { Ledger } from '../../api/ledger/ledger.ts';
import type { AuditFilter } from '../../api/ledger/ledger-queries.ts';
import { allRows, type RowsFormat, rowsText, saveRows, stampOf } from '../../api/rows-file.ts';
import { saveFile } from '../../api/save-file.ts';
import type { AuditSearch } from '../../lib/search-params.ts';
import { isLeftIn } from './use-result.ts';

/** More rows than this belong into an export, which is signed. */
const MAX_ROWS = 100_000;
const PAGE = 200;
const MEMBERS = [
  'seq_no',
  'operation_id',
  'agent_id',
  'operation_type',
  'subject',
  'action',
  'issued_at',
  'server_received_at',
] as const satisfies readonly (keyof AuditRow)[];

function collect(
  { call }: Ledger,
  filter: AuditFilter,
  without: AuditSearch['without'],
  onProgress: (rows: number) => void,
) {
  const pageAt = async (at: { readonly cursor?: string }) => {
    const page = await call('auditQuery', { body: { ...filter, limit: PAGE, ...at } });
    return { ...page, data: page.data.filter((row) => isLeftIn(row, without)) };
  };
  return allRows(pageAt, MAX_ROWS, onProgress);
}

/**
 * Saves what a search finds as a file, and beside it a manifest: what was asked, when, how many rows, and the file's
 * digest. It is not signed: evidence is what an export holds.
 */
export async function saveResult(
  ledger: Ledger,
  format: RowsFormat,
  filter: AuditFilter,
  without: AuditSearch['without'],
  onProgress: (rows: number) => void,
): Promise<{ readonly rows: number; readonly complete: boolean }> {
  const { rows, complete } = await collect(ledger, filter, without, onProgress);
  const content = rowsText(format, MEMBERS, rows);
  const createdAt = new Date().toISOString();
  const name = `countersign-search-${stampOf(createdAt)}`;
  const manifest = {
    type: 'countersign.search-result.v1',
    file: `${name}.${format}`,
    sha256: formatDigest(sha256(utf8(content))),
    created_at: createdAt,
    filter,
    without: (without ?? []).map(([member, value]) => ({ member, value })),
    order: 'seq_no, newest first',
    row_count: rows.length,
    first_seq_no: rows.at(-1)?.seq_no ?? null,
    last_seq_no: rows[0]?.seq_no ?? null,
    complete,
  };
  saveRows(name, format, content);
  saveFile(`${name}.manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`, 'application/json');
  return { rows: rows.length, complete };
}
