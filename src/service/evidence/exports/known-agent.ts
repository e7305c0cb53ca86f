import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';

/**
 * Refuses an agent that the organization never had; one that was deleted left records.
 * @param member what names it in the request
 * @throws ServiceError VALIDATION_ERROR
 */
export function requireKnownAgent(store: Store, orgId: string, member: string, agentId: string | undefined): void {
  if (agentId === undefined) return;
  const known = store.statement('SELECT 1 FROM agents WHERE org_id = ? AND agent_id = ?').get(orgId, agentId);
  if (known === undefined) {
    throw new ServiceError('VALIDATION_ERROR', `${member}: no agent "${agentId}" was ever registered`);
  }
}
