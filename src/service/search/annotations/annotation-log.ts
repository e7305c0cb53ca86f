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
  ProtocolError,
  parseJson,
} from '../../../protocol/index.ts';
import { countFitting, listPage } from '../../http/cursor.ts';
import { needRoom } from '../../store/base/quotas.ts';

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

/** A row of the log: the text that was hashed, and the hash. */
interface StoredEntry {
  readonly entry_no: number;
  readonly entry: string;
  readonly entry_hash: string;
}

/** An entry takes up to some kilobytes: an organization has no more than these. */
const MAX_ENTRIES = 1_000_000;

const SELECT = 'SELECT entry_no, entry, entry_hash FROM annotation_log WHERE org_id = @orgId';

function hashOf(entry: Entry): string {
  return formatDigest(nodeCrypto.sha256(canonicalBytes({ ...entry })));
}

function read(text: string): Entry | null {
  try {
    const parsed = entryShape.safeParse(parseJson(text));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}

function newest(sqlite: Database.Database, orgId: string): StoredEntry | undefined {
  return sqlite.prepare(`${SELECT} ORDER BY entry_no DESC LIMIT 1`).get({ orgId }) as StoredEntry | undefined;
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
  const before = newest(sqlite, orgId);
  const entryNo = (before?.entry_no ?? 0) + 1;
  needRoom({
    what: 'entries of the log of annotations',
    used: entryNo - 1,
    most: MAX_ENTRIES,
    remedy: 'export a bundle, and continue in a case made of it',
  });
  const entry: Entry = {
    type: TYPE,
    org_id: orgId,
    entry_no: entryNo,
    at: new Date(at).toISOString(),
    by,
    action,
    details,
    prev_hash: before?.entry_hash ?? null,
  };
  sqlite
    .prepare('INSERT INTO annotation_log (org_id, entry_no, operation_id, entry, entry_hash) VALUES (?, ?, ?, ?, ?)')
    .run(orgId, entryNo, details.operation_id, canonicalize({ ...entry }), hashOf(entry));
}

type Damage = AnnotationLogAnswer['damage'][number];

/** Checks neighbouring entries, oldest first; what the first of them follows is not looked at. */
function check(rows: readonly StoredEntry[], orgId: string): Damage[] {
  const damage: Damage[] = [];
  let before: StoredEntry | null = null;
  for (const row of rows) {
    const { entry_no } = row;
    const entry = read(row.entry);
    const isNext = before === null || entry_no === before.entry_no + 1;
    if (!isNext) damage.push({ entry_no: (before?.entry_no ?? 0) + 1, code: 'ENTRY_MISSING' });
    if (entry === null || hashOf(entry) !== row.entry_hash || entry.entry_no !== entry_no) {
      damage.push({ entry_no, code: 'ENTRY_CHANGED' });
    } else if (entry.org_id !== orgId) damage.push({ entry_no, code: 'OTHER_LEDGER' });
    else if (isNext && (before !== null || entry_no === 1) && entry.prev_hash !== (before?.entry_hash ?? null)) {
      damage.push({ entry_no, code: 'LINK_BROKEN' });
    }
    before = row;
  }
  return damage;
}

function rowOf({ entry_no, entry: text, entry_hash }: StoredEntry): AnnotationLogRow {
  const entry = read(text);
  if (entry === null) return { entry_no, entry_hash, entry: null };
  const { at, by, action, details, prev_hash } = entry;
  return { entry_no, entry_hash, entry: { at, by, action, details, prev_hash } };
}

/** What of the log is asked for. */
export interface LogPart {
  readonly before: number | null;
  readonly limit: number;
  readonly operationId?: string | undefined;
}

/**
 * A page of the log of an organization, newest first, and whether its entries hold and follow one another, into the page behind it:
 * whoever reads all pages has checked the whole log. Entries about one record do not follow one another: each is checked by itself.
 */
export function logPage(
  sqlite: Database.Database,
  orgId: string,
  { before, limit: most, operationId }: LogPart,
): AnnotationLogAnswer {
  const read = sqlite
    .prepare(
      `${SELECT} AND entry_no < @before AND (@operationId IS NULL OR operation_id = @operationId)
       ORDER BY entry_no DESC LIMIT @limit`,
    )
    .all({
      orgId,
      before: before ?? Number.MAX_SAFE_INTEGER,
      operationId: operationId ?? null,
      limit: most + 1,
    }) as StoredEntry[];
  const limit = countFitting(read, most, ({ entry }) => entry.length);
  const rows = read.slice(0, limit + 1);
  const damage =
    operationId === undefined ? check(rows.toReversed(), orgId) : rows.flatMap((row) => check([row], orgId));
  const page = listPage(rows.map(rowOf), limit, ({ entry_no }) => entry_no);
  const head = newest(sqlite, orgId);
  return {
    ...page,
    head: head === undefined ? null : { entry_no: head.entry_no, entry_hash: head.entry_hash },
    damage,
  };
}
