import type { AuditRow } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/light.ts';
import type { SourceRecord } from './record-source.ts';

/** A record as searches list it. */
export function auditRow(record: SourceRecord): AuditRow {
  return {
    operation_id: record.operationId,
    agent_id: record.agentId,
    operation_type: record.operationType,
    subject: record.subject,
    action: record.action,
    issued_at: record.issuedAt,
    seq_no: record.seqNo,
    server_received_at: formatTime(record.receivedMs),
  };
}
