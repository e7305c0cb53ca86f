import { randomBytes, randomUUID } from 'node:crypto';
import { formatTime, type Json, parseTime, toBase64Url } from '../../../protocol/index.ts';
import { saltedDigest } from '../../ledger/admin-log/salted-digest.ts';
import type { AdminEventsChoice } from './admin-events-choice.ts';
import type { ExportRow } from './export-rows.ts';
import { NO_REDACTION, type Redaction } from './redaction.ts';
import { readWithholding, storedWithholding, withholdsNothing } from './stored-withholding.ts';

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
    redaction: storedWithholding({
      redaction,
      adminEvents,
      ...(reason === undefined ? {} : { reason }),
      ...(redaction.names.length === 0 ? {} : { salt: toBase64Url(randomBytes(16)) }),
    }),
    redactedCount: null,
    failure: null,
    bytes: null,
    details: request.details ?? null,
  };
}

/** What the administrative log says of what is withheld: names of people would stand in it for good, so there is only their digest. */
function redactionDetails({ names, linked, ...lists }: Redaction, salt: string | undefined): Json {
  if (salt === undefined) return lists as unknown as Json;
  const people = { names: names.length, names_digest: saltedDigest({ names: [...names] }, salt), linked };
  return { ...lists, ...people } as unknown as Json;
}

/** What the administrative log says of a request: what is usual is left out. */
export function requestDetails(job: ExportRow, request: ExportRequest): { readonly [member: string]: Json } {
  const { redact: redaction = NO_REDACTION, admin_events: adminEvents, reason } = request;
  const { salt } = readWithholding(job.redaction);
  return {
    start_time: job.startTime,
    end_time: job.endTime,
    agent_id: job.agentId,
    format: job.format,
    ...(withholdsNothing({ redaction, adminEvents: 'all' }) ? {} : { redact: redactionDetails(redaction, salt) }),
    ...(adminEvents === 'all' ? {} : { admin_events: adminEvents }),
    ...(reason === undefined ? {} : { reason }),
    ...(job.details === null ? {} : { details: job.details }),
  };
}
