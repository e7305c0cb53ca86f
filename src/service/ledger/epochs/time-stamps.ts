import type { TimeStampRow } from '../../../api/index.ts';
import { type Checkpoint, checkpointOrigin } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { timeStamps } from '../../store/schema.ts';
import { correctedTimesOf } from '../admin-log/clock-corrections.ts';
import { epochOf } from './epoch-queries.ts';

/** The numbers of the first and the last record that a file shows. */
export interface ShownRun {
  readonly first: number;
  readonly last: number;
}

export type KeptStamps = typeof timeStamps.$inferSelect;

/** That a checkpoint is one of the organization's log. @throws ServiceError VALIDATION_ERROR */
export function needOwnCheckpoint(store: Store, orgId: string, { origin, size, root }: Checkpoint): void {
  const epoch = epochOf(store, orgId, size);
  const isOwn = origin === checkpointOrigin(orgId) && epoch?.last_seq_no === size && epoch.log_root === root;
  if (!isOwn) throw new ServiceError('VALIDATION_ERROR', 'the time stamp is over a checkpoint that is not of this log');
}

/** The newest record up to a size whose time is not one that the ledger itself says may be wrong; null where there is none. */
export function newestTimed(
  store: Store,
  orgId: string,
  size: number,
): { readonly seqNo: number; readonly receivedAt: number } | null {
  let last = size;
  for (const { after, until } of correctedTimesOf(store, orgId).toReversed()) {
    if (last > after.seq_no && last <= until.seq_no) last = after.seq_no;
  }
  const row = store
    .statement(
      'SELECT seq_no AS seqNo, received_at AS receivedAt FROM operations WHERE org_id = ? AND seq_no <= ? ORDER BY seq_no DESC LIMIT 1',
    )
    .get(orgId, last);
  return (row as { seqNo: number; receivedAt: number } | undefined) ?? null;
}

/** Within the writer's transaction; what is there already stays. */
export function keepStamps(store: WritableStore, row: KeptStamps): void {
  store.db.insert(timeStamps).values(row).onConflictDoNothing().run();
}

/** One that is not renewed. */
export const stampView = ({ digest, size, tokens, existedBefore, authority, addedAt }: KeptStamps): TimeStampRow => ({
  digest,
  size,
  tokens,
  existed_before: existedBefore,
  authority,
  added_at: addedAt,
  renewed: false,
});

/** A file of time stamps, by the digest of its newest token. @throws ServiceError NOT_FOUND */
export function findStamps({ db }: Store, orgId: string, digest: string): KeptStamps {
  const of = and(eq(timeStamps.orgId, orgId), eq(timeStamps.digest, digest));
  const row = db.select().from(timeStamps).where(of).get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such time stamp');
  return row;
}

/** Whether another file has the same first token, and more of them. */
const RENEWED = `EXISTS (SELECT 1 FROM time_stamps b WHERE b.org_id = a.org_id AND b.size = a.size AND b.first_digest = a.first_digest
  AND b.tokens > a.tokens)`;

/** The largest size first. @param before size and digest of the last row of the page before */
export function listStamps(
  store: Store,
  orgId: string,
  before: readonly [size: number, digest: string] | null,
  limit: number,
): TimeStampRow[] {
  const [size, digest] = before ?? [Number.MAX_SAFE_INTEGER, ''];
  const query = `SELECT digest, size, tokens, existed_before, authority, added_at, ${RENEWED} AS renewed
    FROM time_stamps a WHERE org_id = ? AND (size, digest) < (?, ?) ORDER BY size DESC, digest DESC LIMIT ?`;
  const rows = store.statement(query).all(orgId, size, digest, limit);
  return (rows as (Omit<TimeStampRow, 'renewed'> & { readonly renewed: number })[]).map((row) => ({
    ...row,
    renewed: row.renewed === 1,
  }));
}

/**
 * The time stamps that files of a ledger carry which show some of its records, the smallest size first (protocol F145): those of the
 * largest size before the first record, and of the smallest from it, and from the last record on; and the newest.
 */
export function stampsToCarry(store: Store, orgId: string, { first, last }: ShownRun, upTo: number): string[] {
  const one = (where: string, order: string) =>
    store.statement(
      `SELECT size, digest, file FROM time_stamps a WHERE org_id = @orgId AND size <= @upTo AND ${where} AND NOT ${RENEWED}
       ORDER BY size ${order}, existed_before, digest LIMIT 1`,
    );
  const found = [
    one('size < @first', 'DESC'),
    one('size >= @first', 'ASC'),
    one('size >= @last', 'ASC'),
    one('true', 'DESC'),
  ].flatMap((query) => query.get({ orgId, first, last, upTo }) as Pick<KeptStamps, 'size' | 'digest' | 'file'>);
  const files = new Map(found.flatMap((row) => (row === undefined ? [] : [[row.digest, row] as const])));
  return [...files.values()].toSorted((a, b) => a.size - b.size).map(({ file }) => file);
}
