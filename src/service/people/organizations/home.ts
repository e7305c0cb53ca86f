import { namesResemble } from '../../../protocol/text/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { homeOrganization } from '../../store/schema.ts';

const HOME = 'SELECT org_id FROM home_organization';
const HOME_NAME = 'SELECT org_id, name FROM organizations WHERE org_id = (SELECT org_id FROM home_organization)';

/** The organization that administers the service, or null while nobody has claimed it. */
export function homeOf(store: Store): string | null {
  return (store.statement(HOME).pluck().get() as string | undefined) ?? null;
}

/**
 * Whether an organization administers the service: the one that was claimed with the set-up code or from a workstation
 * session (docs/decisions/0027). A service may keep the ledgers of several; its key, settings and backups are of all of them,
 * and an owner of any other is a guest here.
 */
export function isHome(store: Store, orgId: string): boolean {
  return homeOf(store) === orgId;
}

/**
 * Whether somebody may take an organization for the home organization by its name, and it is another one. Names are
 * anybody's choice, of a guest as of whoever makes a file.
 */
export function resemblesHome(store: Store, orgId: string | null, name: string | null): boolean {
  const home = store.statement(HOME_NAME).get() as { readonly org_id: string; readonly name: string } | undefined;
  return home !== undefined && name !== null && orgId !== home.org_id && namesResemble(home.name, name);
}

/** @throws ServiceError FORBIDDEN */
export function needHome(store: Store, orgId: string): void {
  if (isHome(store, orgId)) return;
  throw new ServiceError(
    'FORBIDDEN',
    'the service is administered by its home organization, and yours is a guest on it',
  );
}

/**
 * Makes an organization the one that administers the service; within the writer's transaction. There is one, for good: of
 * two that claim at once, the second is refused.
 * @throws ServiceError CONFLICT
 */
export function claimHome(store: WritableStore, orgId: string): void {
  if (homeOf(store) !== null) throw new ServiceError('CONFLICT', 'the service has its home organization already');
  store.db.insert(homeOrganization).values({ orgId }).run();
}
