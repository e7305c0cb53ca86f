import { randomUUID } from 'node:crypto';
import { CLOCK_CORRECTED } from '../../../protocol/index.ts';
import { adminHead, OPERATOR, recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { count } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { organizations } from '../../store/schema.ts';
import { addMember } from '../members/membership.ts';
import { claimHome } from './home.ts';
import type { Claim } from './set-up.ts';

export interface NewOrganization {
  /** Its owner, who has no organization yet. */
  readonly userId: string;
  readonly name: string;
  readonly type: 'personal' | 'organization';
  readonly description?: string | undefined;
  /** By what it becomes the home organization; null for a guest. */
  readonly claim: Claim | null;
  /** How many organizations there may be with it. Whoever claims the service is not kept out by guests. */
  readonly most: number;
}

/** @throws ServiceError QUOTA_EXCEEDED */
export function needRoomForOrganization({ db }: Store, most: number): void {
  const used = db.select({ count: count() }).from(organizations).get()?.count ?? 0;
  const remedy = 'ask whoever runs the service (setting quota-organizations)';
  needRoom({ what: 'organizations on this service', used, most, remedy });
}

/**
 * Makes an organization with its owner; within the writer's transaction.
 * @returns its id
 * @throws ServiceError QUOTA_EXCEEDED; CONFLICT where it is to be the home organization and another one became so meanwhile
 */
export function createOrganization(store: WritableStore, organization: NewOrganization, now: number): string {
  const { userId, name, type, description, claim, most } = organization;
  if (claim === null) needRoomForOrganization(store, most);
  const orgId = randomUUID();
  const createdAt = store.clock.stamp(now);
  store.db
    .insert(organizations)
    .values({ orgId, name, description: description ?? null, createdAt })
    .run();
  if (claim !== null) claimHome(store, orgId);
  addMember(store, orgId, userId, 'org_owner', now);
  const details = { name, type, ...(claim === null ? {} : { claimed_home_by: claim }) };
  recordAdminEvent(
    store,
    { orgId, actor: userId, action: 'org.create', targetType: 'organization', targetId: orgId, details },
    createdAt,
  );
  beginBehindKeys(store, orgId, createdAt);
  return orgId;
}

/**
 * A service key that was made under a wrong clock is later than a ledger that begins after it was corrected: that ledger has the correction
 * too, of a stretch in which it signed nothing (protocol F100).
 */
function beginBehindKeys(store: WritableStore, orgId: string, time: number): void {
  const made = store.statement('SELECT max(created_at) FROM service_keys').pluck().get() as number | null;
  if (made === null || made <= time) return;
  const details = {
    jumps: [{ before: time, after: made, seq_no: 0, epoch_no: 0, events: adminHead(store, orgId)?.eventNo ?? 0 }],
    last_time: made,
    until: { seq_no: 0, epoch_no: 0 },
  };
  const target = { targetType: 'ledger', targetId: randomUUID(), details };
  recordAdminEvent(store, { orgId, actor: OPERATOR, action: CLOCK_CORRECTED, ...target }, time);
}
