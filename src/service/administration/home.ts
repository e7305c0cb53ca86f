import { ServiceError } from '../errors.ts';
import type { Store } from '../store/open.ts';

const HOME = 'SELECT org_id FROM organizations ORDER BY rowid LIMIT 1';

/**
 * Whether an organization administers the service: the one that was made first (docs/decisions/0027). A service may keep the
 * ledgers of several; its key, settings and backups are of all of them, and an owner of any other is a guest here.
 */
export function isHome(store: Store, orgId: string): boolean {
  return store.statement(HOME).pluck().get() === orgId;
}

/** @throws ServiceError FORBIDDEN */
export function needHome(store: Store, orgId: string): void {
  if (isHome(store, orgId)) return;
  throw new ServiceError('FORBIDDEN', 'the service is administered by the organization that was made first on it');
}
