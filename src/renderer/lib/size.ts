import { sizeText as sizeIn } from '../../protocol/index.ts';
import { REMAINING, SIZES } from './texts.ts';

/** A number of bytes as people say it: `1.4 MiB`. */
export function sizeText(bytes: number): string {
  return sizeIn(bytes, SIZES.bytes);
}

/** How long something still takes, as people say it. */
export function remainingText(seconds: number): string {
  if (seconds < 60) return REMAINING.seconds(Math.max(1, Math.ceil(seconds)));
  if (seconds < 3600) return REMAINING.minutes(Math.ceil(seconds / 60));
  return REMAINING.hours(Math.floor(seconds / 3600), Math.ceil((seconds % 3600) / 60));
}
