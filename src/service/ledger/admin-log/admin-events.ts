import { randomUUID } from 'node:crypto';
import { nodeCrypto } from '../../../node/index.ts';
import { type AdminEvent, adminEventHash, canonicalize, type Json, MOST_OF_BUNDLE } from '../../../protocol/index.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { and, desc, eq, gt, lte } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { adminEvents } from '../../store/schema.ts';
import type { AdminAction } from './admin-action.ts';
import { type AdminEventRow, adminEventView } from './admin-event-view.ts';

/**
 * Events that are kept for whatever must not be refused: exports and reports, keys replaced and revoked, people removed, payloads erased, the
 * clock corrected.
 */
const RESERVED = 16_384;

/**
 * Acts that can be done without, and that a program could repeat without end. What undoes one of them is not among them: it cannot be repeated
 * where the act itself is refused.
 */
const REFUSED_WHEN_FULL: ReadonlySet<AdminAction> = new Set([
  'case.create',
  'case.rename',
  'case.verify',
  'member.invite',
  'agent.register',
  'agent.update',
  'agent.add_key',
  'agent.assign',
  'agent.unfreeze',
  'webhook.register',
  'witness.add',
  'witness.import',
  'witness.make',
  'epoch.close',
  'investigation.rules',
  'search.save',
  'trust.add',
  'trust.demand',
]);

/**
 * Refuses what would make an organization's log longer than any verifier reads: no bundle can leave out a part of the log, so that all exports would
 * be lost with it.
 * @param used how many events there are
 * @throws ServiceError QUOTA_EXCEEDED
 */
function needRoomInLog(action: AdminAction, used: number): void {
  if (!REFUSED_WHEN_FULL.has(action)) return;
  needRoom({
    what: 'administrative events',
    used,
    most: MOST_OF_BUNDLE.admin_events - RESERVED,
    remedy: 'every bundle holds all of them, and nothing makes room: the rest is kept for what must not be refused',
  });
}

/** Who did what to what. `actor` is the user's id, or OPERATOR. */
export interface AdminAct {
  readonly orgId: string;
  readonly actor: string;
  readonly action: AdminAction;
  readonly targetType: string;
  readonly targetId: string;
  readonly details: { readonly [member: string]: Json };
}

/** Whoever runs the service, where an act came from its command line and not from a user. */
export const OPERATOR = 'operator';

/** Whoever sits at the machine, where an act came from a workstation session without an account. */
export const WORKSTATION = 'workstation';

/** The newest event of an organization, or undefined. */
export function adminHead({ db }: Store, orgId: string): AdminEventRow | undefined {
  return db.select().from(adminEvents).where(eq(adminEvents.orgId, orgId)).orderBy(desc(adminEvents.eventNo)).get();
}

/**
 * Adds an event to its organization's hash chain. To be called within the transaction of the act itself, so that a crash
 * leaves both or neither.
 * @param now what the machine's clock says, or a time that the ledger's clock gave for the act itself
 * @throws ServiceError QUOTA_EXCEEDED where the log has as many as a bundle may hold
 */
export function recordAdminEvent(store: WritableStore, act: AdminAct, now: number): void {
  const head = adminHead(store, act.orgId);
  needRoomInLog(act.action, head?.eventNo ?? 0);
  const event = {
    event_id: randomUUID(),
    org_id: act.orgId,
    actor: act.actor,
    action: act.action,
    target_type: act.targetType,
    target_id: act.targetId,
    details: act.details,
    created_at: store.clock.stamp(now),
    prev_event_hash: head?.eventHash ?? null,
  };
  store.db
    .insert(adminEvents)
    .values({
      orgId: act.orgId,
      eventNo: (head?.eventNo ?? 0) + 1,
      eventId: event.event_id,
      actor: act.actor,
      action: act.action,
      targetType: act.targetType,
      targetId: act.targetId,
      details: canonicalize(act.details),
      createdAt: event.created_at,
      prevEventHash: event.prev_event_hash,
      eventHash: adminEventHash(event, nodeCrypto.sha256),
    })
    .run();
}

/** How many events are read at a time. */
const PAGE = 1000;

/** The events of an organization up to a number, oldest first; all of them where it is left out. */
export function* adminEventRows(
  { db }: Store,
  orgId: string,
  last = Number.MAX_SAFE_INTEGER,
): Generator<AdminEventRow> {
  for (let after = 0; ; ) {
    const rows = db
      .select()
      .from(adminEvents)
      .where(and(eq(adminEvents.orgId, orgId), gt(adminEvents.eventNo, after), lte(adminEvents.eventNo, last)))
      .orderBy(adminEvents.eventNo)
      .limit(PAGE)
      .all();
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.eventNo ?? after;
  }
}

/** The newest events of an organization, newest first, as they are stored. */
export function newestAdminEventRows({ db }: Store, orgId: string, limit: number): AdminEventRow[] {
  return db
    .select()
    .from(adminEvents)
    .where(eq(adminEvents.orgId, orgId))
    .orderBy(desc(adminEvents.eventNo))
    .limit(limit)
    .all();
}

/** The newest events of an organization, newest first. */
export function listAdminEvents(store: Store, orgId: string, limit: number): AdminEvent[] {
  return newestAdminEventRows(store, orgId, limit).map(adminEventView);
}
