import { type AdminEvent, type BundledEvent, withholdEvent } from '../../../protocol/index.ts';
import type { Store } from '../../store/open.ts';

/** Which administrative events an export shows: all, or those about the agents that it holds. */
export type AdminEventsChoice = 'all' | 'agents';

/**
 * Acts that are shown in any case: they are about the evidence itself and name no person but who did them. Nobody is to
 * withhold that the key changed or that the ledger was set back.
 */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['service_key.rotate', 'ledger.accept_rollback']);

/** Whether an event is about one of these agents: about the agent itself, or about one of its operations. */
function isAbout(
  store: Store,
  { action, target_type, target_id, org_id }: AdminEvent,
  agentIds: ReadonlySet<string>,
): boolean {
  if (ALWAYS_SHOWN.has(action)) return true;
  if (target_type === 'agent') return agentIds.has(target_id);
  if (target_type !== 'operation') return false;
  const agentId = store
    .statement('SELECT agent_id FROM operations WHERE org_id = ? AND operation_id = ?')
    .pluck()
    .get(org_id, target_id);
  return typeof agentId === 'string' && agentIds.has(agentId);
}

/** The events as a bundle has them: what is not chosen stays as its hash, its link and its time (protocol §8). */
export function chosenEvents(
  store: Store,
  events: readonly AdminEvent[],
  agents: readonly { readonly agent_id: string }[],
  choice: AdminEventsChoice,
): BundledEvent[] {
  if (choice === 'all') return [...events];
  const agentIds = new Set(agents.map(({ agent_id }) => agent_id));
  return events.map((event) => (isAbout(store, event, agentIds) ? event : withholdEvent(event)));
}
