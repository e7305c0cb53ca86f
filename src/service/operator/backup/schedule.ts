import type { Settings } from '../../store/settings/settings-type.ts';

/** When backups are due; the hour is of the day in UTC, weekly is on Mondays. */
export type BackupSchedule = Pick<Settings, 'backupEvery' | 'backupHour'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The Unix epoch was a Thursday: the first Monday after it, in milliseconds. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The newest moment, not after `now`, at which a backup was due; null where the schedule is off. Milliseconds. */
export function lastDue({ backupEvery, backupHour }: BackupSchedule, now: number): number | null {
  if (backupEvery === 'off') return null;
  const [period, first] = backupEvery === 'day' ? [DAY_MS, 0] : [WEEK_MS, FIRST_MONDAY_MS];
  const offset = first + backupHour * HOUR_MS;
  return Math.floor((now - offset) / period) * period + offset;
}

/** When the next one is due: at once where the last due moment passed without one, as while the service was off. */
export function nextDue(schedule: BackupSchedule, lastMade: number | null, now: number): number | null {
  const due = lastDue(schedule, now);
  if (due === null) return null;
  if (lastMade === null || lastMade < due) return now;
  return due + (schedule.backupEvery === 'day' ? DAY_MS : WEEK_MS);
}
