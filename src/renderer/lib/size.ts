import { REMAINING, SIZES } from './texts.ts';

const UNITS = [SIZES.bytes, 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes as people say it: `1.4 MiB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const shown = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${shown} ${UNITS[unit]}`;
}

/** How long something still takes, as people say it. */
export function remainingText(seconds: number): string {
  if (seconds < 60) return REMAINING.seconds(Math.max(1, Math.ceil(seconds)));
  if (seconds < 3600) return REMAINING.minutes(Math.ceil(seconds / 60));
  return REMAINING.hours(Math.floor(seconds / 3600), Math.ceil((seconds % 3600) / 60));
}
