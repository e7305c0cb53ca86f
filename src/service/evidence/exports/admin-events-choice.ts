import type { BundledEvent, Json } from '../../../protocol/index.ts';
import { type AdminEventRow, adminEventView } from '../../ledger/admin-log/admin-event-view.ts';
import type { Store } from '../../store/open.ts';

/** Which administrative events of its range an export shows: all, or those about the agents that it holds. */
export type AdminEventsChoice = 'all' | 'agents';

/** What decides which events a bundle shows. */
export interface EventsShown {
  /** Where the range begins, in milliseconds: of earlier events only those about its agents are shown. */
  readonly from: number;
  readonly agents: readonly { readonly agent_id: string }[];
  readonly choice: AdminEventsChoice;
  /** Whether an event names somebody who is to be withheld. */
  readonly namesSomebody?: (event: Json) => boolean;
}

/**
 * Acts that are shown in any case: they are about the evidence itself and name no person but who did them. Nobody is to
 * withhold what the organization is called, that the key changed, that the ledger or its clock was set back, what was known when, or that payloads were erased by rule.
 */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set([
  'org.create',
  'org.change',
  'service_key.rotate',
  'ledger.accept_rollback',
  'ledger.clock_accepted',
  'ledger.clock_corrected',
  'ledger.restored',
  'ledger.time_stamped',
  'ledger.line_noted',
  'retention.stop',
  'retention.erase',
  'retention.certificate',
]);

/** Whether an event is about one of these agents: about the agent itself, or about one of its operations. */
function isAbout(store: Store, row: AdminEventRow, agentIds: ReadonlySet<string>): boolean {
  const { action, targetType, targetId, orgId } = row;
  if (ALWAYS_SHOWN.has(action)) return true;
  if (targetType === 'agent') return agentIds.has(targetId);
  if (targetType !== 'operation') return false;
  // By its number: no index of the database has operation_ids.
  const { seq_no: seqNo } = adminEventView(row).details;
  const agentId = store
    .statement('SELECT agent_id FROM operations WHERE org_id = ? AND seq_no = ? AND operation_id = ?')
    .pluck()
    .get(orgId, seqNo, targetId);
  return typeof agentId === 'string' && agentIds.has(agentId);
}

/** Tells of events how a bundle has them: what it does not show stays as its hash, its link and its time (protocol F148). */
export function eventsAsShown(
  store: Store,
  { from, agents, choice, namesSomebody = () => false }: EventsShown,
): (row: AdminEventRow) => BundledEvent {
  const agentIds = new Set(agents.map(({ agent_id }) => agent_id));
  const isChosen = (row: AdminEventRow): boolean =>
    choice === 'all' && row.createdAt >= from && !namesSomebody(adminEventView(row) as unknown as Json);
  return (row) =>
    isAbout(store, row, agentIds) || isChosen(row)
      ? adminEventView(row)
      : { created_at: row.createdAt, prev_event_hash: row.prevEventHash, event_hash: row.eventHash };
}
