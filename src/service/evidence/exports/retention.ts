import { readdirSync } from 'node:fs';
import { needRoom } from '../../store/base/quotas.ts';
import { and, count, eq, lt, ne, sum } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { exports } from '../../store/schema.ts';
import type { Settings } from '../../store/settings/settings-type.ts';

export type ExportSettings = Pick<Settings, 'exportKeepDays' | 'quotaExports' | 'quotaExportBytes'>;

const DAY_MS = 86_400_000;

/** How many exports are deleted for their age at a time. */
const AT_ONCE = 50;

/** @throws ServiceError QUOTA_EXCEEDED where an organization has as many exports, or as large ones, as it may have */
export function needRoomForExport({ db }: Store, orgId: string, settings: ExportSettings): void {
  const found = db
    .select({ count: count(), bytes: sum(exports.bytes).mapWith(Number) })
    .from(exports)
    .where(eq(exports.orgId, orgId))
    .get();
  const remedy = 'delete some with DELETE /v1/exports/:export_id';
  needRoom({ what: 'exports', used: found?.count ?? 0, most: settings.quotaExports, remedy });
  needRoom({ what: 'bytes of exports', used: found?.bytes ?? 0, most: settings.quotaExportBytes, remedy });
}

/** Some exports that were asked for longer ago than they are kept; none that is being made. */
export function agedExports({ db }: Store, { exportKeepDays }: ExportSettings, now: number) {
  if (exportKeepDays === null) return [];
  const isOld = lt(exports.createdAt, now - exportKeepDays * DAY_MS);
  return db
    .select()
    .from(exports)
    .where(and(isOld, ne(exports.status, 'processing')))
    .limit(AT_ONCE)
    .all();
}

/** Files in the folder of exports that belong to none: a crash, or a reader that kept a file open, left them there. */
export function strayFiles({ db }: Store, folder: string): string[] {
  const known = new Set(
    db
      .select({ id: exports.exportId })
      .from(exports)
      .all()
      .map(({ id }) => id),
  );
  return readdirSync(folder).filter((name) => !known.has(name.split('.', 1)[0] ?? ''));
}
