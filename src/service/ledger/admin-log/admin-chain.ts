import type { AdminChain } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import { adminEventHash, ProtocolError } from '../../../protocol/index.ts';
import { adminEventView, type RowsOf, SELECT_EVENTS } from './admin-event-view.ts';
import type { AdminEventRow } from './admin-events.ts';

/** This many events are hashed before it is asked whether anybody still waits. */
const STEP = 500;

const NEWEST_EPOCH = `SELECT epoch_no AS epochNo, admin_head_hash AS adminHeadHash FROM epochs
  WHERE org_id = ? ORDER BY epoch_no DESC LIMIT 1`;

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

/**
 * Goes through the whole administrative log of an organization: each hash computed again, each link followed (protocol V70).
 * @throws RequestStopped
 */
export function examineAdminChain({ sqlite, orgId, signal }: RowsOf): AdminChain {
  const newest = sqlite.prepare(NEWEST_EPOCH).get(orgId) as { epochNo: number; adminHeadHash: string } | undefined;
  const next = sqlite.prepare(`${SELECT_EVENTS} AND event_no > @verified ORDER BY event_no LIMIT ${STEP}`);
  let verified = 0;
  let head: string | null = null;
  let broken: string | null = null;
  let sealed = 0;
  for (let isMore = true; isMore && broken === null; ) {
    signal.throwIfAborted();
    const rows = next.all({ orgId, verified }) as AdminEventRow[];
    for (const row of rows) {
      if (!holds(row, verified + 1, head)) {
        broken = row.eventId;
        break;
      }
      verified = row.eventNo;
      head = row.eventHash;
      if (head === newest?.adminHeadHash) sealed = verified;
    }
    isMore = rows.length === STEP;
  }
  const all = sqlite.prepare('SELECT count(*) FROM admin_events WHERE org_id = ?').pluck();
  return {
    events: broken === null ? verified : (all.get(orgId) as number),
    verified,
    head_hash: head,
    broken_event_id: broken,
    sealed,
    sealed_by_epoch_no: sealed === 0 ? null : (newest?.epochNo ?? null),
  };
}
