import { randomUUID } from 'node:crypto';
import { formatTime, type Json, parseTime } from '../../../protocol/index.ts';
import type { AdminEventsChoice } from './admin-events-choice.ts';
import type { ExportRow } from './export-rows.ts';
import { NO_REDACTION, type Redaction } from './redaction.ts';
import { storedWithholding, withholdsNothing } from './stored-withholding.ts';

/** What somebody asks an export for. */
export interface ExportRequest {
  readonly startTime: string;
  readonly endTime: string;
  readonly agentId?: string | undefined;
  readonly format: 'json' | 'pdf';
  readonly redact?: Redaction | undefined;
  readonly admin_events: AdminEventsChoice;
  /** Why something is withheld. */
  readonly reason?: string;
  /** With `pdf`: whether every record is printed; where left out, of up to 200. */
  readonly details?: boolean;
}

/** The job for a request, not begun yet. Times are kept in UTC with milliseconds. @param time now, in milliseconds since 1970 */
export function newExport(orgId: string, request: ExportRequest, time: number): ExportRow {
  const { redact: redaction = NO_REDACTION, admin_events: adminEvents, reason } = request;
  return {
    exportId: randomUUID(),
    orgId,
    status: 'processing',
    format: request.format,
    startTime: formatTime(parseTime(request.startTime)),
    endTime: formatTime(parseTime(request.endTime)),
    agentId: request.agentId ?? null,
    recordCount: null,
    createdAt: time,
    completedAt: null,
    redaction: storedWithholding({ redaction, adminEvents, ...(reason === undefined ? {} : { reason }) }),
    redactedCount: null,
    failure: null,
    bytes: null,
    details: request.details ?? null,
  };
}

/** What the administrative log says of a request: what is usual is left out. */
export function requestDetails(job: ExportRow, request: ExportRequest): { readonly [member: string]: Json } {
  const { redact: redaction = NO_REDACTION, admin_events: adminEvents, reason } = request;
  return {
    start_time: job.startTime,
    end_time: job.endTime,
    agent_id: job.agentId,
    format: job.format,
    ...(withholdsNothing({ redaction, adminEvents: 'all' }) ? {} : { redact: redaction as unknown as Json }),
    ...(adminEvents === 'all' ? {} : { admin_events: adminEvents }),
    ...(reason === undefined ? {} : { reason }),
    ...(job.details === null ? {} : { details: job.details }),
  };
}
