import { ServiceError } from '../../base/errors.ts';
import type { Store } from '../../store/open.ts';

/**
 * Refuses an agent that the organization never had; one that was deleted left records.
 * @throws ServiceError VALIDATION_ERROR
 */
export function requireKnownAgent(store: Store, orgId: string, agentId: string | undefined): void {
  if (agentId === undefined) return;
  const known = store.statement('SELECT 1 FROM agents WHERE org_id = ? AND agent_id = ?').get(orgId, agentId);
  if (known === undefined) {
    throw new ServiceError('VALIDATION_ERROR', `agentId: no agent "${agentId}" is registered, or ever was`);
  }
}
