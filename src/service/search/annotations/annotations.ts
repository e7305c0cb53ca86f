import type Database from 'better-sqlite3';
import {
  type AnnotateBody,
  type AnnotateManyBody,
  type Annotation,
  type AnnotationsAnswer,
  LIMITS,
} from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { countFitting, listPage } from '../../http/cursor.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';

/**
 * Tags, notes and bookmarks: what people write about records, beside the evidence. The tables are the same in the file of a case
 * (cases/annotations-file.ts) and in the ledger's database (store/schema.ts), where each organization has its own rows.
 */

/** In the file of a case, in the place of an organization. */
export const OF_CASE = '';

/** The address of somebody that a column names, in SQL: the file of a case has addresses, and knows no users. */
export function addressOf(column: string, orgId: string): string {
  return orgId === OF_CASE ? column : `(SELECT email FROM users WHERE user_id = ${column})`;
}

/** Who writes, when, whose rows they are, and where it is written down that they did. */
export interface Writing {
  /** Address of who was signed in; null where nobody was. */
  readonly by: string | null;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly orgId: string;
  /** Called in the transaction that does it: a crash leaves both or neither. */
  readonly append: (
    action: 'annotation.set' | 'annotation.remove',
    details: JsonObject & { readonly operation_id: string },
  ) => void;
}

interface Row {
  readonly operation_id: string;
  readonly note: string;
  readonly bookmarked: number;
  readonly updated_at: number;
  readonly updated_by: string | null;
}

const COLUMNS = 'operation_id, note, bookmarked, updated_at, updated_by';

function view(sqlite: Database.Database, { bookmarked, updated_at, ...row }: Row, orgId: string): Annotation {
  return {
    ...row,
    tags: tagsOf(sqlite, row.operation_id, orgId),
    bookmarked: bookmarked === 1,
    updated_at: new Date(updated_at).toISOString(),
  };
}

/** The tags of a record, in the order they were given. */
export function tagsOf(sqlite: Database.Database, operationId: string, orgId = OF_CASE): string[] {
  const sql = 'SELECT tag FROM tags WHERE org_id = ? AND operation_id = ? ORDER BY place';
  return sqlite.prepare(sql).pluck().all(orgId, operationId) as string[];
}

export function operationsWithTag(sqlite: Database.Database, tag: string): string[] {
  const sql = 'SELECT operation_id FROM tags WHERE org_id = ? AND tag = ?';
  return sqlite.prepare(sql).pluck().all(OF_CASE, tag) as string[];
}

export function bookmarkedOperations(sqlite: Database.Database): string[] {
  const sql = 'SELECT operation_id FROM annotations WHERE org_id = ? AND bookmarked = 1';
  return sqlite.prepare(sql).pluck().all(OF_CASE) as string[];
}

export function isBookmarked(sqlite: Database.Database, operationId: string): boolean {
  const sql = 'SELECT bookmarked FROM annotations WHERE org_id = ? AND operation_id = ?';
  return sqlite.prepare(sql).pluck().get(OF_CASE, operationId) === 1;
}

export function findAnnotation(sqlite: Database.Database, operationId: string, orgId = OF_CASE): Annotation | null {
  const sql = `SELECT ${COLUMNS} FROM annotations WHERE org_id = ? AND operation_id = ?`;
  const row = sqlite.prepare(sql).get(orgId, operationId) as Row | undefined;
  return row === undefined ? null : view(sqlite, row, orgId);
}

/** @throws ServiceError NOT_FOUND */
export function requireAnnotation(sqlite: Database.Database, operationId: string, orgId = OF_CASE): Annotation {
  const found = findAnnotation(sqlite, operationId, orgId);
  if (found === null) throw new ServiceError('NOT_FOUND', 'the record has no tags, no note and no bookmark');
  return found;
}

/** What a list of annotations is asked for by. */
export interface AnnotationsAsked {
  /** In the order of their operation_ids, after this one. */
  readonly after: string;
  readonly limit: number;
  /** Only those with a bookmark. */
  readonly bookmarked?: boolean | undefined;
}

export function listAnnotations(
  sqlite: Database.Database,
  { after, limit, bookmarked = false }: AnnotationsAsked,
  orgId = OF_CASE,
): Annotation[] {
  const sql = `SELECT ${COLUMNS} FROM annotations WHERE org_id = ? AND operation_id > ? AND bookmarked >= ?
    ORDER BY operation_id LIMIT ?`;
  const rows = sqlite.prepare(sql).all(orgId, after, bookmarked ? 1 : 0, limit) as Row[];
  return rows.map((row) => view(sqlite, row, orgId));
}

/**
 * A page of annotations, or that of one record, with the tags that are offered. Notes are long: a page ends before its answer takes
 * the service long to send.
 */
export function annotationsPage(
  sqlite: Database.Database,
  asked: AnnotationsAsked,
  operationId?: string,
  orgId = OF_CASE,
): AnnotationsAnswer {
  const all = countTags(sqlite, orgId);
  const tags = { tags: all.slice(0, LIMITS.tagsListed), tags_total: all.length };
  if (operationId !== undefined) {
    const found = findAnnotation(sqlite, operationId, orgId);
    return { data: found === null ? [] : [found], nextCursor: null, hasMore: false, ...tags };
  }
  const found = listAnnotations(sqlite, { ...asked, limit: asked.limit + 1 }, orgId);
  const fitting = countFitting(found, asked.limit, ({ note, tags }) => note.length + tags.join('').length);
  const page = listPage(found, fitting, ({ operation_id }) => operation_id);
  return { ...page, ...tags };
}

export function countTags(sqlite: Database.Database, orgId = OF_CASE): { tag: string; count: number }[] {
  const sql = 'SELECT tag, count(*) AS count FROM tags WHERE org_id = ? GROUP BY tag ORDER BY tag';
  return sqlite.prepare(sql).all(orgId) as { tag: string; count: number }[];
}

type Written = Pick<Annotation, 'tags' | 'note' | 'bookmarked'>;

const NOTHING: Written = { tags: [], note: '', bookmarked: false };

function saysNothing({ tags, note, bookmarked }: Written): boolean {
  return tags.length === 0 && note === '' && !bookmarked;
}

/** Within a transaction: what is written about a record, and the entry of the log that says so. */
function write(sqlite: Database.Database, operationId: string, next: Written, writing: Writing): Annotation {
  const { by, at, orgId, append } = writing;
  deleteAnnotation(sqlite, operationId, orgId);
  if (!saysNothing(next)) insertAnnotation(sqlite, operationId, next, writing);
  append('annotation.set', { operation_id: operationId, ...next });
  return { operation_id: operationId, ...next, updated_at: new Date(at).toISOString(), updated_by: by };
}

/** Writes what is said of a record of which nothing is. */
export function insertAnnotation(
  sqlite: Database.Database,
  operationId: string,
  { tags, note, bookmarked }: Written,
  { by, at, orgId }: Pick<Writing, 'by' | 'at' | 'orgId'>,
): void {
  sqlite
    .prepare(`INSERT INTO annotations (org_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`)
    .run(orgId, operationId, note, bookmarked ? 1 : 0, at, by);
  const insert = sqlite.prepare('INSERT INTO tags (org_id, tag, operation_id, place) VALUES (?, ?, ?, ?)');
  tags.forEach((tag, place) => void insert.run(orgId, tag, operationId, place));
}

/** @throws ServiceError QUOTA_EXCEEDED where more records have annotations than may have */
function checkRoom(sqlite: Database.Database, orgId: string): void {
  const sql = 'SELECT count(*) FROM annotations WHERE org_id = ?';
  needRoom({
    what: 'records with tags, a note or a bookmark',
    used: (sqlite.prepare(sql).pluck().get(orgId) as number) - 1,
    most: LIMITS.annotatedRecords,
    remedy: 'remove those that are no longer needed',
  });
}

/**
 * Sets what is given and leaves the rest as it is. An annotation that says nothing is taken away.
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function annotate(
  sqlite: Database.Database,
  operationId: string,
  { tags, note, bookmarked }: AnnotateBody,
  writing: Writing,
): Annotation {
  return sqlite.transaction(() => {
    const before = findAnnotation(sqlite, operationId, writing.orgId) ?? NOTHING;
    const next = {
      tags: [...new Set(tags ?? before.tags)],
      note: note ?? before.note,
      bookmarked: bookmarked ?? before.bookmarked,
    };
    const written = write(sqlite, operationId, next, writing);
    checkRoom(sqlite, writing.orgId);
    return written;
  })();
}

/** @throws ServiceError VALIDATION_ERROR where a record would have more tags, or a longer note, than it may */
function changed(operationId: string, before: Written, change: Omit<AnnotateManyBody, 'operation_ids'>): Written {
  const { add_tags: added = [], remove_tags: removed = [], add_note: addedNote, bookmarked } = change;
  const tags = [...new Set([...before.tags.filter((tag) => !removed.includes(tag)), ...added])];
  const note =
    addedNote === undefined ? before.note : [before.note, addedNote].filter((part) => part !== '').join('\n\n');
  if (tags.length > LIMITS.tagsPerRecord) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `add_tags: ${operationId} would have more than ${LIMITS.tagsPerRecord} tags`,
    );
  }
  if ([...note].length > LIMITS.note) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `add_note: the note of ${operationId} would have more than ${LIMITS.note} characters`,
    );
  }
  return { tags, note, bookmarked: bookmarked ?? before.bookmarked };
}

/**
 * Changes what is written about several records, in one transaction: of all or of none. A record of which nothing changes gets no entry
 * in the log.
 * @returns how many were changed
 * @throws ServiceError VALIDATION_ERROR, QUOTA_EXCEEDED
 */
export function annotateMany(
  sqlite: Database.Database,
  { operation_ids: operationIds, ...change }: AnnotateManyBody,
  writing: Writing,
): number {
  return sqlite.transaction(() => {
    let count = 0;
    for (const operationId of new Set(operationIds)) {
      const { tags, note, bookmarked } = findAnnotation(sqlite, operationId, writing.orgId) ?? NOTHING;
      const next = changed(operationId, { tags, note, bookmarked }, change);
      if (JSON.stringify(next) === JSON.stringify({ tags, note, bookmarked })) continue;
      write(sqlite, operationId, next, writing);
      count++;
    }
    checkRoom(sqlite, writing.orgId);
    return count;
  })();
}

function deleteAnnotation(sqlite: Database.Database, operationId: string, orgId: string): void {
  sqlite.prepare('DELETE FROM tags WHERE org_id = ? AND operation_id = ?').run(orgId, operationId);
  sqlite.prepare('DELETE FROM annotations WHERE org_id = ? AND operation_id = ?').run(orgId, operationId);
}

/** @throws ServiceError NOT_FOUND */
export function removeAnnotation(sqlite: Database.Database, operationId: string, writing: Writing): void {
  sqlite.transaction(() => {
    const before = requireAnnotation(sqlite, operationId, writing.orgId);
    deleteAnnotation(sqlite, operationId, writing.orgId);
    const { tags, note, bookmarked } = before;
    writing.append('annotation.remove', { operation_id: operationId, tags, note, bookmarked });
  })();
}
