import type { OrganizationAnswer } from '../../../api/index.ts';
import type { Member } from '../../http/handler.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { organizations } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';

/** An organization as its members see it. @throws ServiceError NOT_FOUND */
export function describeOrganization({ db }: Store, orgId: string): OrganizationAnswer {
  const row = db.select().from(organizations).where(eq(organizations.orgId, orgId)).get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such organization');
  return { org_id: row.orgId, name: row.name, separate_duties: row.separateDuties === 1 };
}

/** Turns the separation of duties on or off, with its admin event in one commit. Nothing is recorded where nothing changes. */
export function changeOrganization(
  { writer, now }: Pick<WriteAccess, 'writer' | 'now'>,
  { orgId, userId }: Member,
  separate: boolean,
): Promise<OrganizationAnswer> {
  return writer.transact((store) => {
    const before = describeOrganization(store, orgId);
    if (before.separate_duties === separate) return before;
    store.db
      .update(organizations)
      .set({ separateDuties: separate ? 1 : 0 })
      .where(eq(organizations.orgId, orgId))
      .run();
    const act = { orgId, actor: userId, action: 'org.change', targetType: 'organization', targetId: orgId } as const;
    recordAdminEvent(store, { ...act, details: { separate_duties: separate } }, now());
    return describeOrganization(store, orgId);
  });
}
