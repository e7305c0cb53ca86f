import type Database from 'better-sqlite3';
import type { StopSignal } from '../../../node/index.ts';
import type { AdminEvent, Json } from '../../../protocol/index.ts';
import { parseJson } from '../../../protocol/light.ts';
import type { AdminEventRow } from './admin-events.ts';

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

/** Rows of an organization on a thread that reads for a request, and until when somebody waits. */
export interface RowsOf {
  readonly sqlite: Database.Database;
  readonly orgId: string;
  readonly signal: StopSignal;
}

/** Its events, as rows. */
export const SELECT_EVENTS = `SELECT org_id AS orgId, event_no AS eventNo, event_id AS eventId, actor, action, target_type AS targetType,
  target_id AS targetId, details, created_at AS createdAt, prev_event_hash AS prevEventHash, event_hash AS eventHash
  FROM admin_events WHERE org_id = @orgId`;
