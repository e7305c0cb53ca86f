import type Database from 'better-sqlite3';
import type { CustodyAnswer, CustodyRow } from '../../../api/index.ts';
import { listPage } from '../../http/cursor.ts';
import { type LogPart, readLogPart } from '../../ledger/hash-log.ts';
import { type CustodyCheck, readSignature } from './check-custody.ts';
import type { KnownLog } from './custody-checks.ts';
import { readEntry, type StoredEntry } from './custody-entry.ts';
import { ROWS } from './custody-log.ts';
import { maySign } from './sign-entries.ts';

function rowOf(row: StoredEntry, { states, openedAt }: KnownLog): CustodyRow {
  const { entry_no, entry: text, entry_hash, signature: signed } = row;
  const entry = readEntry(text);
  const signature = states.get(entry_no) ?? 'unsigned';
  const kid = signed === null ? null : (readSignature(signed)?.kid ?? null);
  if (entry === null) return { entry_no, entry_hash, entry: null, signature, kid, signable: false };
  const { type: _, case_sha256: __, entry_no: ___, ...shown } = entry;
  const signable = signed === null && entry.by !== null && maySign(row, entry, openedAt);
  return { entry_no, entry_hash, entry: shown, signature, kid, signable };
}

/** A page of the log as the thread that reads tells of it: whose keys are known here the service says. */
export interface CustodyPage extends Omit<CustodyAnswer, 'data' | 'examiners' | 'all_registered'> {
  /** The entries as JSON text: what the log of a case file holds may be a million small values, which nobody copies twice. */
  readonly dataText: string;
  readonly examiners: CustodyCheck['examiners'];
}

/** A page of the log, and whether all of it holds. */
export function custodyPage(sqlite: Database.Database, known: KnownLog, part: LogPart): CustodyPage {
  const { rows, limit } = readLogPart<StoredEntry>(sqlite, `${ROWS} WHERE`, part);
  const rowIn = (row: StoredEntry): CustodyRow => rowOf(row, known);
  const { data, ...page } = listPage(rows, limit, ({ entry_no }) => entry_no, rowIn);
  const dataText = JSON.stringify(data);
  const { head, logId: log_id, damage, signatures, examiners, examinersTotal: examiners_total } = known;
  return { ...page, dataText, head, log_id, damage, signatures, examiners, examiners_total };
}
