import { momentIn, wallClock } from '../../../actions/light.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import { TIME_PRESETS } from './texts.ts';

/** A stretch of time, up to now unless it ends before. */
export interface Preset {
  readonly label: string;
  /** Its ends in milliseconds since 1970; without an end it is open. */
  readonly reach: (now: number, zone: TimeZone) => { readonly from: number; readonly to?: number };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The moment that a day began with, some days from today. */
function midnight(now: number, zone: TimeZone, days: number): number {
  const [year, month, day] = wallClock(now, zone);
  return momentIn(zone, Date.UTC(year, month, day + days));
}

const last = (label: string, length: number): Preset => ({ label, reach: (now) => ({ from: now - length }) });

export const PRESETS: readonly Preset[] = [
  last(TIME_PRESETS.last15Minutes, 15 * MINUTE),
  last(TIME_PRESETS.lastHour, HOUR),
  last(TIME_PRESETS.last24Hours, DAY),
  last(TIME_PRESETS.last7Days, 7 * DAY),
  { label: TIME_PRESETS.today, reach: (now, zone) => ({ from: midnight(now, zone, 0) }) },
  {
    label: TIME_PRESETS.yesterday,
    reach: (now, zone) => ({ from: midnight(now, zone, -1), to: midnight(now, zone, 0) }),
  },
];
