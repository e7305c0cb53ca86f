import type { AdminEvent, Json } from '../../../protocol/index.ts';
import { parseJson } from '../../../protocol/light.ts';
import type { adminEvents } from '../../store/schema.ts';

export type AdminEventRow = typeof adminEvents.$inferSelect;

/** An administrative event of a stored row. */
export function adminEventView(row: AdminEventRow): AdminEvent {
  return {
    event_id: row.eventId,
    org_id: row.orgId,
    actor: row.actor,
    action: row.action,
    target_type: row.targetType,
    target_id: row.targetId,
    details: parseJson(row.details) as { readonly [member: string]: Json },
    created_at: row.createdAt,
    prev_event_hash: row.prevEventHash,
    event_hash: row.eventHash,
  };
}
