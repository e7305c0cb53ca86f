import { and, desc, eq, gte, lt } from 'drizzle-orm';
import { z } from 'zod';
import type { AuditRow } from '../../contract/index.ts';
import { formatTime, parseTime } from '../../protocol/index.ts';
import { readCursor } from '../http/cursor.ts';
import type { Store } from '../store/open.ts';
import { operations } from '../store/schema.ts';

/** What operations are searched by; times are RFC 3339 and filter issued_at, the end exclusive. */
export interface OperationFilter {
  readonly agentId?: string | undefined;
  readonly operationType?: string | undefined;
  readonly subject?: string | undefined;
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
}

const place = z.int().min(1);

/** The place after a page of operations: the sequence number of its last one. @throws ServiceError VALIDATION_ERROR */
export function readSeqCursor(cursor: string | undefined): number | null {
  return readCursor(cursor, place);
}

/** Operations of an organization before a sequence number, newest first, without their payloads. */
export function listOperations(
  { db }: Store,
  orgId: string,
  filter: OperationFilter,
  before: number | null,
  limit: number,
): AuditRow[] {
  const { agentId, operationType, subject, startTime, endTime } = filter;
  return db
    .select({
      operation_id: operations.operationId,
      agent_id: operations.agentId,
      operation_type: operations.operationType,
      subject: operations.subject,
      action: operations.action,
      issued_at: operations.issuedAt,
      seq_no: operations.seqNo,
      receivedAt: operations.receivedAt,
    })
    .from(operations)
    .where(
      and(
        eq(operations.orgId, orgId),
        before === null ? undefined : lt(operations.seqNo, before),
        agentId === undefined ? undefined : eq(operations.agentId, agentId),
        operationType === undefined ? undefined : eq(operations.operationType, operationType),
        subject === undefined ? undefined : eq(operations.subject, subject),
        startTime === undefined ? undefined : gte(operations.issuedAtMs, parseTime(startTime)),
        endTime === undefined ? undefined : lt(operations.issuedAtMs, parseTime(endTime)),
      ),
    )
    .orderBy(desc(operations.seqNo))
    .limit(limit)
    .all()
    .map(({ receivedAt, ...row }) => ({ ...row, server_received_at: formatTime(receivedAt) }));
}
