import type { ExportJob, ExportStatus } from '../../../api/index.ts';
import { formatTime, parseTime } from '../../../protocol/index.ts';
import type { ErasedOperation } from '../../ledger/operations/erase-payload.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, desc, eq, lt, ne, or } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { exports } from '../../store/schema.ts';
import type { ExportProgress } from './export-worker.ts';
import { withholdingView } from './stored-withholding.ts';

export type ExportRow = typeof exports.$inferSelect;

/** A job as callers see it. @param at how far it is, while it is being made */
export function exportView(row: ExportRow, at?: ExportProgress): ExportJob {
  return {
    exportId: row.exportId,
    status: row.status as ExportStatus,
    format: row.format as 'json' | 'pdf',
    ...(row.details === null ? {} : { details: row.details }),
    startTime: row.startTime,
    endTime: row.endTime,
    ...(row.agentId === null ? {} : { agentId: row.agentId }),
    recordCount: row.recordCount ?? at?.records ?? 0,
    redactedCount: row.redactedCount ?? 0,
    ...(row.redaction === null ? {} : { withholding: withholdingView(row.redaction) }),
    progress: row.status === 'completed' ? 1 : (at?.share ?? 0),
    createdAt: formatTime(row.createdAt),
    ...(row.completedAt === null ? {} : { completedAt: formatTime(row.completedAt) }),
    ...(row.failure === null ? {} : { failure: row.failure }),
  };
}

/** The jobs that are not finished. */
export function unfinishedExports({ db }: Store): ExportRow[] {
  return db.select().from(exports).where(eq(exports.status, 'processing')).all();
}

/** Newest first; `before` is the last job of the page before. */
export function listExports(
  { db }: Store,
  orgId: string,
  before: { readonly createdAt: number; readonly exportId: string } | null,
  limit: number,
): ExportRow[] {
  const older =
    before &&
    or(
      lt(exports.createdAt, before.createdAt),
      and(eq(exports.createdAt, before.createdAt), lt(exports.exportId, before.exportId)),
    );
  return db
    .select()
    .from(exports)
    .where(and(eq(exports.orgId, orgId), older ?? undefined))
    .orderBy(desc(exports.createdAt), desc(exports.exportId))
    .limit(limit)
    .all();
}

/** The exports whose range holds one of some operations of an organization, those being made among them; failed ones have no files. */
export function exportsOf({ db }: Store, operations: readonly ErasedOperation[]): ExportRow[] {
  const [first] = operations;
  if (first === undefined) return [];
  const rows = db
    .select()
    .from(exports)
    .where(and(eq(exports.orgId, first.orgId), ne(exports.status, 'failed')))
    .all();
  return rows.filter(({ startTime, endTime, agentId }) => {
    const [from, to] = [parseTime(startTime), parseTime(endTime)];
    return operations.some(
      (one) => one.receivedAt >= from && one.receivedAt < to && (agentId === null || agentId === one.agentId),
    );
  });
}

/** undefined where there is none, or it is another organization's. */
export function exportRow({ db }: Store, orgId: string, exportId: string): ExportRow | undefined {
  return db
    .select()
    .from(exports)
    .where(and(eq(exports.orgId, orgId), eq(exports.exportId, exportId)))
    .get();
}

export function noSuchExport(): ServiceError {
  return new ServiceError('NOT_FOUND', 'there is no such export');
}

/** @throws ServiceError NOT_FOUND */
export function findExport(store: Store, orgId: string, exportId: string): ExportRow {
  const row = exportRow(store, orgId, exportId);
  if (row === undefined) throw noSuchExport();
  return row;
}
