import { z } from 'zod';
import type { AuditRow } from '../../../api/index.ts';
import { formatTime, parseTime } from '../../../protocol/index.ts';
import { readCursor } from '../../http/cursor.ts';
import type { OperationIndex } from '../../ledger/operation-index/operation-index.ts';

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
  index: OperationIndex,
  orgId: string,
  { startTime, endTime, ...terms }: OperationFilter,
  before: number | null,
  limit: number,
): AuditRow[] {
  const from = startTime === undefined ? undefined : parseTime(startTime);
  const to = endTime === undefined ? undefined : parseTime(endTime);
  return index
    .search(orgId, { ...terms, from, to }, before, limit)
    .map(({ received_at, issued_at_ms: _, ...row }) => ({ ...row, server_received_at: formatTime(received_at) }));
}
