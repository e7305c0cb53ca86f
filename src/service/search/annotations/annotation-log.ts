import type Database from 'better-sqlite3';
import { z } from 'zod';
import { type AnnotationLogAnswer, type AnnotationLogRow, annotationAct } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import {
  canonicalBytes,
  canonicalize,
  DIGEST_PATTERN,
  formatDigest,
  type JsonObject,
} from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import {
  damageAt,
  isSound,
  LOG_BEGIN,
  type LogPart,
  type LogRow,
  linkAfter,
  readEntryOf,
  readLogPart,
} from '../../ledger/hash-log.ts';

const TYPE = 'countersign.annotation-entry.v1';

const digest = z.string().regex(DIGEST_PATTERN);

const entryShape = z.strictObject({
  type: z.literal(TYPE),
  org_id: z.string(),
  entry_no: z.int().min(1),
  at: z.string(),
  by: z.string().nullable(),
  action: annotationAct,
  details: z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>,
  prev_hash: digest.nullable(),
});

/** One thing that was written about a record, as it is hashed: canonical JSON of exactly these members. */
type Entry = z.infer<typeof entryShape>;

/** An entry takes up to some kilobytes: an organization has no more than these. */
const MAX_ENTRIES = 1_000_000;

const SELECT = 'SELECT entry_no, entry, entry_hash FROM annotation_log WHERE org_id = @orgId';

function hashOf(entry: Entry): string {
  return formatDigest(nodeCrypto.sha256(canonicalBytes({ ...entry })));
}

function read(text: string): Entry | null {
  return readEntryOf(entryShape, text);
}

function newest(sqlite: Database.Database, orgId: string): LogRow | undefined {
  return sqlite.prepare(`${SELECT} ORDER BY entry_no DESC LIMIT 1`).get({ orgId }) as LogRow | undefined;
}

/**
 * Writes down what somebody wrote about a record. To be called in the transaction that does it: a crash leaves both or neither.
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function appendEntry(
  sqlite: Database.Database,
  { orgId, by, at }: { readonly orgId: string; readonly by: string | null; readonly at: number },
  action: Entry['action'],
  details: JsonObject & { readonly operation_id: string },
): void {
  const link = linkAfter(newest(sqlite, orgId), {
    what: 'entries of the log of annotations',
    most: MAX_ENTRIES,
    remedy: 'export a bundle, and continue in a case made of it',
  });
  const entry: Entry = {
    type: TYPE,
    org_id: orgId,
    ...link,
    at: new Date(at).toISOString(),
    by,
    action,
    details,
  };
  sqlite
    .prepare('INSERT INTO annotation_log (org_id, entry_no, operation_id, entry, entry_hash) VALUES (?, ?, ?, ?, ?)')
    .run(orgId, link.entry_no, details.operation_id, canonicalize({ ...entry }), hashOf(entry));
}

type Damage = AnnotationLogAnswer['damage'][number];

/** Checks neighbouring entries, oldest first; what the first of them follows is not looked at. */
function check(rows: readonly LogRow[], orgId: string): Damage[] {
  let before = rows[0]?.entry_no === 1 ? LOG_BEGIN : null;
  return rows.flatMap((row): Damage[] => {
    const entry = read(row.entry);
    const damage = damageAt(
      row,
      isSound(row, entry, hashOf) ? entry : null,
      before,
      entry?.org_id === orgId ? null : 'OTHER_LEDGER',
    );
    before = row;
    return damage;
  });
}

function rowOf({ entry_no, entry: text, entry_hash }: LogRow): AnnotationLogRow {
  const entry = read(text);
  if (entry === null) return { entry_no, entry_hash, entry: null };
  const { at, by, action, details, prev_hash } = entry;
  return { entry_no, entry_hash, entry: { at, by, action, details, prev_hash } };
}

/**
 * A page of the log of an organization, newest first, and whether its entries hold and follow one another, into the page behind it:
 * whoever reads all pages has checked the whole log. Entries about one record do not follow one another: each is checked by itself.
 */
export function logPage(sqlite: Database.Database, orgId: string, part: LogPart): AnnotationLogAnswer {
  const { rows, limit } = readLogPart(sqlite, `${SELECT} AND`, part, { orgId });
  const damage =
    part.operationId === undefined ? check(rows.toReversed(), orgId) : rows.flatMap((row) => check([row], orgId));
  const page = listPage(rows, limit, ({ entry_no }) => entry_no, rowOf);
  const head = newest(sqlite, orgId);
  return {
    ...page,
    head: head === undefined ? null : { entry_no: head.entry_no, entry_hash: head.entry_hash },
    damage,
  };
}
