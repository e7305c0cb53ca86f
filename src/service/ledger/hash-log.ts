import type Database from 'better-sqlite3';
import type { z } from 'zod';
import { parseJson, unlessRefused } from '../../protocol/index.ts';
import { countFitting } from '../http/cursor.ts';
import { needRoom, type Quota } from '../store/base/quotas.ts';

/*
 * Logs whose entries are texts, each with the hash of the one before it: of what people write about records, and of what examiners do with
 * a case. What an entry says and how it is hashed each log knows by itself.
 */

/** A row of a log: the text that was hashed, and the hash. */
export interface LogRow {
  readonly entry_no: number;
  readonly entry: string;
  readonly entry_hash: string;
}

/** What an entry says of its place. */
export interface LogLink {
  readonly entry_no: number;
  readonly prev_hash: string | null;
}

/** An entry from its text, or null where somebody made something else of it. */
export function readEntryOf<Entry>(shape: z.ZodType<Entry>, text: string): Entry | null {
  const read = unlessRefused(() => shape.safeParse(parseJson(text, { hashedWhole: true })), null);
  return read?.success ? read.data : null;
}

/** The place of the entry that follows the newest. @throws ServiceError QUOTA_EXCEEDED */
export function linkAfter(newest: LogRow | undefined, room: Omit<Quota, 'used'>): LogLink {
  const used = newest?.entry_no ?? 0;
  needRoom({ ...room, used });
  return { entry_no: used + 1, prev_hash: newest?.entry_hash ?? null };
}

/** Whether an entry is what its hash is of, under its own number. */
export function isSound<Entry extends LogLink>(
  row: LogRow,
  entry: Entry | null,
  hashOf: (entry: Entry) => string,
): entry is Entry {
  return entry !== null && hashOf(entry) === row.entry_hash && entry.entry_no === row.entry_no;
}

/** Number and hash of the entry before one. */
export type EntryBefore = Pick<LogRow, 'entry_no'> & { readonly entry_hash: string | null };

/** Before the first entry of a log. */
export const LOG_BEGIN: EntryBefore = { entry_no: 0, entry_hash: null };

/**
 * What is wrong with an entry where it stands.
 * @param entry null where it is not sound
 * @param before null where it is not known
 * @param elsewhere the code of a sound entry that is of another log; null where it is of this one
 */
export function damageAt<Elsewhere extends string>(
  { entry_no }: LogRow,
  entry: LogLink | null,
  before: EntryBefore | null,
  elsewhere: Elsewhere | null,
): { entry_no: number; code: Elsewhere | 'ENTRY_MISSING' | 'ENTRY_CHANGED' | 'LINK_BROKEN' }[] {
  const missing = before === null || entry_no === before.entry_no + 1 ? null : before.entry_no + 1;
  const damage: ReturnType<typeof damageAt<Elsewhere>> = [];
  if (missing !== null) damage.push({ entry_no: missing, code: 'ENTRY_MISSING' });
  if (entry === null) damage.push({ entry_no, code: 'ENTRY_CHANGED' });
  else if (elsewhere !== null) damage.push({ entry_no, code: elsewhere });
  else if (before !== null && missing === null && entry.prev_hash !== before.entry_hash) {
    damage.push({ entry_no, code: 'LINK_BROKEN' });
  }
  return damage;
}

/** Which entries of a log are asked for: newest first. */
export interface LogPart {
  readonly before: number | null;
  readonly limit: number;
  readonly operationId?: string | undefined;
}

/**
 * The entries of a part and the one behind it, newest first. Entries are long: fewer than were asked for where their answer would take the
 * service long to send.
 * @param select all rows of the log, up to a condition
 * @returns `limit`: how many of them are a page
 */
export function readLogPart<Row extends LogRow>(
  sqlite: Database.Database,
  select: string,
  { before, limit: most, operationId }: LogPart,
  named: Readonly<Record<string, string>> = {},
): { readonly rows: Row[]; readonly limit: number } {
  const found = sqlite
    .prepare(
      `${select} entry_no < @before AND (@operationId IS NULL OR operation_id = @operationId)
       ORDER BY entry_no DESC LIMIT @limit`,
    )
    .all({
      ...named,
      before: before ?? Number.MAX_SAFE_INTEGER,
      operationId: operationId ?? null,
      limit: most + 1,
    }) as Row[];
  const limit = countFitting(found, most, ({ entry }) => entry.length);
  return { rows: found.slice(0, limit + 1), limit };
}
