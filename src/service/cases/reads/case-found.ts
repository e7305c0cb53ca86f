import { meansOf } from '../../../actions/found/index.ts';
import { LOG_READERS, type LogEvent } from '../../../actions/logs/index.ts';
import type {
  FoundAction,
  FoundDifference,
  FoundFileRow,
  FoundNote,
  FoundWitness,
  ListAnswer,
} from '../../../api/index.ts';
import { decodeUtf8, formatTime, type JsonObject } from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { listItems } from '../items/items-table.ts';
import { askContents } from './case-contents-queries.ts';
import type { OpenCase } from './open-case.ts';

type Numbered<T> = T & { readonly id: number };

function page<T extends object>(rows: readonly Numbered<T>[], limit: number): ListAnswer<T> {
  const rowOf = ({ id: _, ...row }: Numbered<T>) => row as unknown as T;
  return listPage(rows, limit, ({ id }) => id, rowOf);
}

interface FileRow extends Omit<FoundFileRow, 'path' | 'modified_at' | 'changed' | 'looked_for' | 'clock'> {
  readonly id: number;
  readonly found_at: string;
  readonly modified_ms: number | null;
  readonly changed: number;
  readonly offset_ms: number | null;
  readonly offset_from: number | null;
}

/** Files that were found, in the order of items and files. @param after the number of the file before */
export function foundFiles(open: OpenCase, after: number, limit: number): ListAnswer<FoundFileRow> {
  const sql = `SELECT file_id AS id, item_no, file_no, found_at, bytes, sha256, modified_ms, changed, kind, program, sessions, actions, events,
      repeated, signs, unread, offset_ms, offset_from
    FROM found_files WHERE file_id > ? ORDER BY file_id LIMIT ?`;
  const rows = open.statement(sql).all(after, limit + 1) as FileRow[];
  const files = rows.map(({ found_at: path, modified_ms, changed, offset_ms, offset_from, ...row }) => ({
    ...row,
    path,
    modified_at: modified_ms === null ? null : formatTime(Math.floor(modified_ms)),
    changed: changed === 1,
    looked_for: row.program === null ? null : meansOf(row.program),
    clock: offset_ms === null || offset_from === null ? null : { offset_ms, pairs: offset_from },
  }));
  return page<FoundFileRow>(files, limit);
}

/** Signs of alterations, and entries that could not be read, in the order of files and lines. */
export function foundNotes(
  open: OpenCase,
  itemNo: number | undefined,
  after: number,
  limit: number,
): ListAnswer<FoundNote> {
  const sql = `SELECT note_no AS id, item_no, file_no, found_at AS path, line, code, message
    FROM found_notes JOIN found_files USING (file_id)
    WHERE note_no > @after AND (@itemNo IS NULL OR item_no = @itemNo) ORDER BY note_no LIMIT @limit`;
  const rows = open.statement(sql).all({ after, itemNo: itemNo ?? null, limit: limit + 1 });
  return page<FoundNote>(rows as Numbered<FoundNote>[], limit);
}

interface DifferenceRow {
  readonly id: number;
  readonly state: FoundDifference['state'];
  readonly members: string;
  readonly session: string;
  readonly call_id: string | null;
  readonly found_n: number | null;
  readonly ledger_n: number | null;
}

const DIFFERENCE = 'SELECT difference_no AS id, state, members, session, call_id, found_n, ledger_n FROM differences';

function differenceOf(
  open: OpenCase,
  { found_n, ledger_n, members, ...row }: DifferenceRow,
): Numbered<FoundDifference> {
  const place = (table: 'found' | 'records', n: number | null): FoundDifference['found'] => {
    const sql = `SELECT operation_id, seq_no FROM ${table} WHERE n = ?`;
    return n === null ? null : ((open.statement(sql).get(n) as FoundDifference['found'] | undefined) ?? null);
  };
  const n = found_n ?? ledger_n ?? 0;
  return {
    ...row,
    members: JSON.parse(members) as FoundDifference['members'],
    title: askContents(open, (view) => (n <= view.indexedTo ? view.record(n).facts.summary : '')),
    found: place('found', found_n),
    ledger: place('records', ledger_n),
  };
}

/** Calls of which the ledger and a transcript do not say the same. */
export function foundDifferences(open: OpenCase, after: number, limit: number): ListAnswer<FoundDifference> {
  const rows = open.statement(`${DIFFERENCE} WHERE difference_no > ? ORDER BY difference_no LIMIT ?`);
  const found = (rows.all(after, limit + 1) as DifferenceRow[]).map((row) => differenceOf(open, row));
  return page<FoundDifference>(found, limit);
}

/** Who put an item into the case, and when. */
export interface Imported {
  readonly by: string | null;
  readonly at: string;
}

interface PlaceRow {
  readonly n: number;
  readonly seq_no: number;
  readonly agent_id: string;
  readonly operation_type: string;
  readonly subject: string;
  readonly action: string;
  readonly issued_at_ms: number;
  readonly item_no: number;
  readonly file_no: number;
  readonly found_at: string;
  readonly sha256: string;
  readonly line: number;
  readonly end_line: number;
}

/**
 * What is known of an action that was found: where it stands, who imported it, what logs fit it, and what the ledger says instead. Of a
 * signed record the last two.
 * @param first who made the case, of its first item
 * @throws ServiceError NOT_FOUND
 */
export function foundActionOf(open: OpenCase, operationId: string, first: Imported): FoundAction {
  const sql = `SELECT n, seq_no, agent_id, operation_type, subject, action, issued_at_ms, item_no, file_no, found_at, sha256, line, end_line
    FROM found JOIN found_files USING (file_id) WHERE operation_id = ? ORDER BY n LIMIT 1`;
  const row = open.statement(sql).get(operationId) as PlaceRow | undefined;
  const signed = 'SELECT n, seq_no FROM records WHERE operation_id = ? ORDER BY n LIMIT 1';
  const place = row ?? (open.statement(signed).get(operationId) as { n: number; seq_no: number } | undefined);
  if (place === undefined) throw new ServiceError('NOT_FOUND', 'there is no such operation in this case');
  const difference = open.statement(`${DIFFERENCE} WHERE found_n = ? OR ledger_n = ? LIMIT 1`).get(place.n, place.n);
  const { id: _, ...differing } =
    difference === undefined ? { id: 0 } : differenceOf(open, difference as DifferenceRow);
  return {
    operation_id: operationId,
    seq_no: place.seq_no,
    found: row === undefined ? null : whereFound(open, row, first),
    witnesses: witnessesOf(open, place.n),
    difference: difference === undefined ? null : (differing as FoundDifference),
  };
}

function whereFound(open: OpenCase, row: PlaceRow, first: Imported): NonNullable<FoundAction['found']> {
  const { n, seq_no: _, issued_at_ms, found_at: path, ...rest } = row;
  const text = open.statement('SELECT text FROM texts WHERE n = ?').pluck().get(n) as Uint8Array;
  const item = listItems(open.annotations).find(({ item_no }) => item_no === row.item_no);
  const imported = item === undefined ? first : { by: item.added_by, at: formatTime(item.added_at) };
  const collected = open.statement('SELECT value FROM facts WHERE name = ?').pluck();
  const said = collected.get(`collected ${row.item_no}`) as string | undefined;
  const { by, at } =
    said === undefined ? { by: null, at: null } : (JSON.parse(said) as { by: string | null; at: string });
  return {
    ...rest,
    path,
    at: formatTime(issued_at_ms),
    payload: JSON.parse(decodeUtf8(text)) as JsonObject,
    imported_by: imported.by,
    imported_at: imported.at,
    collected_by: by,
    collected_at: at,
  };
}

/** More events than anybody reads for one action. */
const MAX_WITNESSES = 64;

interface WitnessRow {
  readonly item_no: number;
  readonly found_at: string;
  readonly kind: string;
  readonly fits_by: FoundWitness['fits_by'];
  readonly event: string;
  readonly offset_ms: number | null;
  readonly offset_from: number | null;
}

function witnessesOf(open: OpenCase, n: number): FoundWitness[] {
  const sql = `SELECT item_no, found_at, kind, fits_by, event, offset_ms, offset_from
    FROM corroborations JOIN log_events USING (event_no) JOIN found_files USING (file_id) WHERE n = ? ORDER BY event_no LIMIT ?`;
  const rows = open.statement(sql).all(n, MAX_WITNESSES) as WitnessRow[];
  return rows.map(({ item_no, found_at, kind, fits_by, event, offset_ms, offset_from }) => {
    const { id, at, line, program, args, path, user, host, pid, succeeded } = JSON.parse(event) as LogEvent;
    return {
      item_no,
      path: found_at,
      log: LOG_READERS.find((reader) => reader.kind === kind)?.title ?? kind,
      line,
      event_id: id,
      at: formatTime(Math.floor(at)),
      offset_ms: Math.round(offset_ms ?? 0),
      offset_pairs: offset_from ?? 0,
      fits_by,
      program,
      args: [...args],
      path_touched: path,
      user,
      host,
      pid,
      succeeded,
    };
  });
}
