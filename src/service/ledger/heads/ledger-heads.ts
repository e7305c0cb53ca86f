import { z } from 'zod';
import { nodeCrypto } from '../../../node/index.ts';
import {
  epochHash,
  epochSignedBytes,
  formatDigest,
  ProtocolError,
  receiptLeafHash,
  receiptSignedBytes,
} from '../../../protocol/index.ts';
import { and, desc, eq, lte, sql } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { adminEvents, epochs, type OperationRow, operations, organizations } from '../../store/schema.ts';
import { epoch as epochView, receipt } from '../views.ts';

/** Where the three chains of an organization end, or what stands at such a place; null where nothing does. */
export const orgHeads = z.strictObject({
  org_id: z.string(),
  record: z.strictObject({ seq_no: z.int(), leaf_hash: z.string() }).nullable(),
  epoch: z.strictObject({ epoch_no: z.int(), epoch_hash: z.string() }).nullable(),
  admin_event: z.strictObject({ event_no: z.int(), event_hash: z.string() }).nullable(),
});
export type OrgHeads = z.infer<typeof orgHeads>;

const END = Number.MAX_SAFE_INTEGER;

function leafOf(row: OperationRow): string {
  try {
    return formatDigest(receiptLeafHash(receiptSignedBytes(receipt(row)), nodeCrypto.sha256));
  } catch (error) {
    // An invalid time, say: such a row is no recorded head, and the check of the tail names it.
    if (!(error instanceof RangeError || error instanceof ProtocolError)) throw error;
    return 'unreadable';
  }
}

/** Reads heads from a ledger, with statements prepared once. Hashes are computed from what they cover, not looked up. */
export class LedgerHeads {
  readonly #store: Store;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(store: Store) {
    this.#store = store;
    this.#statements = prepare(store);
  }

  /** The heads of all organizations, at one moment. Not to be called within a transaction: it would see what may yet fail. */
  all(): OrgHeads[] {
    const { db, sqlite } = this.#store;
    if (sqlite.inTransaction) throw new Error('heads are read from committed data only');
    return sqlite.transaction(() =>
      db
        .select({ orgId: organizations.orgId })
        .from(organizations)
        .orderBy(organizations.orgId)
        .all()
        .map(({ orgId }) => this.upTo(orgId)),
    )();
  }

  /** The newest of each chain up to given numbers; without them the heads. */
  upTo(orgId: string, seqNo: number = END, epochNo: number = END, eventNo: number = END): OrgHeads {
    const { record, epoch, event } = this.#statements;
    const operationRow = record.get({ orgId, number: seqNo });
    const epochRow = epoch.get({ orgId, number: epochNo });
    const eventRow = event.get({ orgId, number: eventNo });
    return {
      org_id: orgId,
      record: operationRow ? { seq_no: operationRow.seqNo, leaf_hash: leafOf(operationRow) } : null,
      epoch: epochRow
        ? {
            epoch_no: epochRow.epochNo,
            epoch_hash: epochHash(epochSignedBytes(epochView(epochRow)), nodeCrypto.sha256),
          }
        : null,
      admin_event: eventRow ? { event_no: eventRow.eventNo, event_hash: eventRow.eventHash } : null,
    };
  }
}

function prepare({ db }: Store) {
  const orgId = sql.placeholder('orgId');
  const number = sql.placeholder('number');
  return {
    record: db
      .select()
      .from(operations)
      .where(and(eq(operations.orgId, orgId), lte(operations.seqNo, number)))
      .orderBy(desc(operations.seqNo))
      .limit(1)
      .prepare(),
    epoch: db
      .select()
      .from(epochs)
      .where(and(eq(epochs.orgId, orgId), lte(epochs.epochNo, number)))
      .orderBy(desc(epochs.epochNo))
      .limit(1)
      .prepare(),
    event: db
      .select()
      .from(adminEvents)
      .where(and(eq(adminEvents.orgId, orgId), lte(adminEvents.eventNo, number)))
      .orderBy(desc(adminEvents.eventNo))
      .limit(1)
      .prepare(),
  };
}
