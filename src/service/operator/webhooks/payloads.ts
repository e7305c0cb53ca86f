import type { Delivery } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import { epoch, receipt } from '../../ledger/views.ts';
import type { StatusChange } from '../../people/agents/lifecycle.ts';
import type { epochs, OperationRow } from '../../store/schema.ts';

type EventType = Delivery['event_type'];

/** An event as it is queued: what it is, and the body that is sent at every attempt. */
export interface WebhookEventBody {
  readonly eventType: EventType;
  readonly body: string;
}

/** @param timestamp when it happened, ISO 8601: not when it is sent */
function event(eventType: EventType, timestamp: string, data: object): WebhookEventBody {
  return { eventType, body: JSON.stringify({ type: eventType, timestamp, data }) };
}

/** Without the payload: what an agent did leaves the service only by its own interface. */
export function operationAccepted(row: OperationRow): WebhookEventBody {
  const { org_id, agent_id, operation_id, seq_no, chain_hash, server_received_at, receipt_id } = receipt(row);
  return event('operation.accepted', server_received_at, {
    org_id,
    agent_id,
    operation_id,
    operation_type: row.operationType,
    subject: row.subject,
    action: row.action,
    seq_no,
    chain_hash,
    server_received_at,
    receipt_id,
  });
}

export function epochCreated(row: typeof epochs.$inferSelect): WebhookEventBody {
  return event('epoch.created', row.endTime, epoch(row));
}

export function statusChanged({ orgId, agentId, from, to, reason, at }: StatusChange): WebhookEventBody {
  return event('agent.status_changed', formatTime(at), { org_id: orgId, agent_id: agentId, from, to, reason });
}

export function testEvent(webhookId: string, at: number): WebhookEventBody {
  return event('test', formatTime(at), { webhook_id: webhookId });
}
