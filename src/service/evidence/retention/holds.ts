import { randomBytes, randomUUID } from 'node:crypto';
import { type HoldSelection, type LegalHold, LIMITS } from '../../../api/index.ts';
import {
  countRuns,
  formatTime,
  type Json,
  type NumberRun,
  parseRuns,
  runsText,
  toBase64Url,
} from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { saltedDigest } from '../../ledger/admin-log/salted-digest.ts';
import { type Covers, coversOf } from '../../search/reading/covers.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, desc, eq, isNotNull, isNull } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { legalHolds, users } from '../../store/schema.ts';
import type { RecordTexts } from './record-texts.ts';

type HoldRow = typeof legalHolds.$inferSelect;

/** Released holds that are listed beside those in force. */
const RELEASED_SHOWN = 100;

/** A hold in force, ready to be asked about many records. */
export interface ActiveHold {
  readonly holdId: string;
  readonly kind: HoldSelection['kind'];
  readonly placedAt: number;
  readonly covers: Covers;
}

/** A hold by what it is on. */
export interface HeldSelection {
  readonly holdId: string;
  readonly selection: HoldSelection;
}

function selectionOf({ selection }: Pick<HoldRow, 'selection'>): HoldSelection {
  // Written by placeHold alone, after the schema of the interface has parsed it.
  return JSON.parse(selection) as HoldSelection;
}

function selectionDigest(selection: HoldSelection, salt: string): string {
  return saltedDigest({ selection: selection as unknown as Json }, salt);
}

/** What a certificate says of a hold. */
export function holdSummary({ statement }: Store, orgId: string, holdId: string) {
  const row = statement(
    `SELECT selection, salt, placed_at AS placedAt, released_at AS releasedAt FROM legal_holds
     WHERE org_id = ? AND hold_id = ?`,
  ).get(orgId, holdId) as Pick<HoldRow, 'salt' | 'placedAt' | 'releasedAt' | 'selection'>;
  const selection = JSON.parse(row.selection) as HoldSelection;
  return {
    hold_id: holdId,
    kind: selection.kind,
    selection_digest: selectionDigest(selection, row.salt),
    placed_at: formatTime(row.placedAt),
    released_at: row.releasedAt === null ? null : formatTime(row.releasedAt),
  };
}

/** What a hold covers, worked out. */
type Known = Pick<ActiveHold, 'kind' | 'covers'>;

/** The holds of a service. A hold never changes once it is placed, so what it covers is read and worked out once. */
export class Holds {
  readonly #known = new Map<string, Known>();

  /** The holds of an organization that are in force. Within a transaction: those that the transaction sees. */
  active(store: Store, orgId: string): ActiveHold[] {
    const { holdId, placedAt } = legalHolds;
    const rows = store.db
      .select({ holdId, placedAt })
      .from(legalHolds)
      .where(and(eq(legalHolds.orgId, orgId), isNull(legalHolds.releasedAt)))
      .orderBy(placedAt, holdId)
      .all();
    return rows.map((row) => ({ ...row, ...this.#knownOf(store, row.holdId) }));
  }

  #knownOf({ db }: Store, holdId: string): Known {
    const known = this.#known.get(holdId);
    if (known !== undefined) return known;
    const row = db.select().from(legalHolds).where(eq(legalHolds.holdId, holdId)).get() as HoldRow;
    const selection = selectionOf(row);
    const runs = row.covered === null ? [] : parseRuns(row.covered);
    const read = { kind: selection.kind, covers: coversOf(selection, runs) };
    this.#known.set(holdId, read);
    return read;
  }

  /** The holds that cover a record, oldest first. */
  over(store: Store, record: RecordTexts): ActiveHold[] {
    return this.active(store, record.head.orgId).filter(({ covers }) => covers(record));
  }

  /** What those in force cover, for whoever looks at records that are not of the ledger. */
  static selections({ db }: Store, orgId: string): HeldSelection[] {
    const { holdId, selection } = legalHolds;
    const inForce = and(eq(legalHolds.orgId, orgId), isNull(legalHolds.releasedAt));
    const rows = db.select({ holdId, selection }).from(legalHolds).where(inForce).orderBy(holdId).all();
    return rows.map((row) => ({ holdId: row.holdId, selection: selectionOf(row) }));
  }

  forget(holdId: string): void {
    this.#known.delete(holdId);
  }
}

function lastRecord({ statement }: Store, orgId: string): number {
  return Number(statement('SELECT max(seq_no) FROM operations WHERE org_id = ?').pluck().get(orgId) ?? 0);
}

/** Who does something about a hold, and why. */
interface Act {
  readonly orgId: string;
  readonly actor: string;
  readonly reason: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The records that a hold names once for all; null where each record has to be looked at. @param ofCase of a case: its records in the ledger */
function fixedRuns(selection: HoldSelection, ofCase: readonly NumberRun[] | null): readonly NumberRun[] | null {
  return selection.kind === 'records' ? parseRuns(selection.runs) : ofCase;
}

/**
 * Places a hold, with the event that tells of it. From the commit on nothing that it covers is erased, in a sweep under way too.
 * @param runs of a case: its records in the ledger
 * @throws ServiceError QUOTA_EXCEEDED, VALIDATION_ERROR where it names records that are not there
 */
export function placeHold(
  store: WritableStore,
  { orgId, actor, reason, now }: Act,
  selection: HoldSelection,
  runs: readonly NumberRun[] | null,
): LegalHold {
  const inForce = store.db
    .select({ holdId: legalHolds.holdId })
    .from(legalHolds)
    .where(and(eq(legalHolds.orgId, orgId), isNull(legalHolds.releasedAt)))
    .all().length;
  needRoom({ what: 'legal holds in force', used: inForce, most: LIMITS.retention.holds, remedy: 'release holds' });
  const fixed = fixedRuns(selection, runs);
  const last = lastRecord(store, orgId);
  if (selection.kind === 'records' && (fixed?.at(-1)?.[1] ?? 0) > last) {
    throw new ServiceError('VALIDATION_ERROR', `selection.runs: the ledger ends with record ${last}`);
  }
  const salt = toBase64Url(randomBytes(16));
  const placedAt = store.clock.stamp(now);
  const row: HoldRow = {
    holdId: randomUUID(),
    orgId,
    selection: JSON.stringify(selection),
    salt,
    covered: runs === null ? null : runsText(runs),
    reason,
    placedBy: actor,
    placedAt,
    releasedBy: null,
    releasedAt: null,
    releaseReason: null,
  };
  store.db.insert(legalHolds).values(row).run();
  const details = {
    reason,
    kind: selection.kind,
    selection_digest: selectionDigest(selection, salt),
    // A person's name would stand in the log for good: there only the digest does.
    ...(selection.kind === 'person' ? {} : { selection: selection as unknown as Json }),
    ...(fixed === null ? {} : { records: countRuns(fixed) }),
  };
  const target = { targetType: 'legal_hold', targetId: row.holdId, details };
  recordAdminEvent(store, { orgId, actor, action: 'retention.hold', ...target }, placedAt);
  return findHold(store, orgId, row.holdId);
}

/** Releases a hold, with the event that tells of it. @throws ServiceError NOT_FOUND, CONFLICT where it was released before */
export function releaseHold(store: WritableStore, { orgId, actor, reason, now }: Act, holdId: string): LegalHold {
  const found = findHold(store, orgId, holdId);
  if (found.released_at !== null) throw new ServiceError('CONFLICT', 'the hold was released before');
  const releasedAt = store.clock.stamp(now);
  store.db
    .update(legalHolds)
    .set({ releasedBy: actor, releasedAt, releaseReason: reason })
    .where(eq(legalHolds.holdId, holdId))
    .run();
  const target = { targetType: 'legal_hold', targetId: holdId, details: { reason } };
  recordAdminEvent(store, { orgId, actor, action: 'retention.release', ...target }, releasedAt);
  return findHold(store, orgId, holdId);
}

function emailOf({ db }: Store, userId: string): string {
  return db.select({ email: users.email }).from(users).where(eq(users.userId, userId)).get()?.email ?? userId;
}

function holdView(store: Store, row: HoldRow): LegalHold {
  const selection = selectionOf(row);
  const fixed = fixedRuns(selection, row.covered === null ? null : parseRuns(row.covered));
  return {
    hold_id: row.holdId,
    selection,
    selection_digest: selectionDigest(selection, row.salt),
    salt: row.salt,
    records: fixed === null ? null : countRuns(fixed),
    reason: row.reason,
    placed_by: emailOf(store, row.placedBy),
    placed_at: formatTime(row.placedAt),
    released_by: row.releasedBy === null ? null : emailOf(store, row.releasedBy),
    released_at: row.releasedAt === null ? null : formatTime(row.releasedAt),
    release_reason: row.releaseReason,
  };
}

function findHold(store: Store, orgId: string, holdId: string): LegalHold {
  const row = store.db
    .select()
    .from(legalHolds)
    .where(and(eq(legalHolds.orgId, orgId), eq(legalHolds.holdId, holdId)))
    .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such hold');
  return holdView(store, row);
}

/** Those in force, then the newest of those that were released. */
export function listHolds(store: Store, orgId: string): LegalHold[] {
  const ofOrg = eq(legalHolds.orgId, orgId);
  const inForce = store.db
    .select()
    .from(legalHolds)
    .where(and(ofOrg, isNull(legalHolds.releasedAt)))
    .orderBy(desc(legalHolds.placedAt), desc(legalHolds.holdId))
    .all();
  const released = store.db
    .select()
    .from(legalHolds)
    .where(and(ofOrg, isNotNull(legalHolds.releasedAt)))
    .orderBy(desc(legalHolds.releasedAt), desc(legalHolds.holdId))
    .limit(RELEASED_SHOWN)
    .all();
  return [...inForce, ...released].map((row) => holdView(store, row));
}

/**
 * Refuses where a hold covers a record. Within the transaction that would erase.
 * @throws ServiceError RECORD_HELD, which names the hold
 */
export function refuseHeld(holds: Holds, store: Store, record: RecordTexts): void {
  const [hold] = holds.over(store, record);
  if (hold === undefined) return;
  const since = formatTime(hold.placedAt);
  throw new ServiceError(
    'RECORD_HELD',
    `legal hold ${hold.holdId} covers this record since ${since}: release it first`,
  );
}
