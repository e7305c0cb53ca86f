import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AdminChain } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import { adminEventHash, ProtocolError } from '../../../protocol/index.ts';
import type { Handlers } from '../../http/handler.ts';
import { and, count, desc, eq, gt } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { adminEvents, epochs } from '../../store/schema.ts';
import { type AdminEventRow, adminEventView } from './admin-events.ts';

/** This many events are hashed before others have their turn. */
const STEP = 500;

/** Whether an event is as its hash says, and follows on the one before. Damaged JSON throws a ProtocolError. */
function holds(row: AdminEventRow, no: number, previous: string | null): boolean {
  if (row.eventNo !== no || row.prevEventHash !== previous) return false;
  try {
    const { event_hash: hash, ...event } = adminEventView(row);
    return adminEventHash(event, nodeCrypto.sha256) === hash;
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Goes through the whole administrative log of an organization: each hash computed again, each link followed (protocol V70). */
async function examineAdminChain(store: Store, orgId: string): Promise<AdminChain> {
  const [newest] = store.db
    .select()
    .from(epochs)
    .where(eq(epochs.orgId, orgId))
    .orderBy(desc(epochs.epochNo))
    .limit(1)
    .all();
  const ofOrg = eq(adminEvents.orgId, orgId);
  let verified = 0;
  let head: string | null = null;
  let broken: string | null = null;
  let sealed = 0;
  while (broken === null) {
    const rows = store.db
      .select()
      .from(adminEvents)
      .where(and(ofOrg, gt(adminEvents.eventNo, verified)))
      .orderBy(adminEvents.eventNo)
      .limit(STEP)
      .all();
    for (const row of rows) {
      if (!holds(row, verified + 1, head)) {
        broken = row.eventId;
        break;
      }
      verified = row.eventNo;
      head = row.eventHash;
      if (head === newest?.adminHeadHash) sealed = verified;
    }
    if (rows.length < STEP) break;
    await nextTurn();
  }
  const events =
    broken === null ? verified : (store.db.select({ n: count() }).from(adminEvents).where(ofOrg).get()?.n ?? 0);
  return {
    events,
    verified,
    head_hash: head,
    broken_event_id: broken,
    sealed,
    sealed_by_epoch_no: sealed === 0 ? null : (newest?.epochNo ?? null),
  };
}

interface AdminEventDeps {
  readonly store: Store;
}

export function adminRoutes({ store }: AdminEventDeps) {
  return {
    adminChain: async ({ caller }) => ({ body: await examineAdminChain(store, caller.orgId) }),
  } satisfies Partial<Handlers>;
}
