import { formatTime } from '../../protocol/light.ts';

const MAX_INSTANT = Date.UTC(9999, 11, 31);

/** RFC 3339 of milliseconds since the Unix epoch; null for what is no such time. */
export function instantText(ms: number | undefined): string | null {
  return ms !== undefined && ms >= 0 && ms <= MAX_INSTANT ? formatTime(Math.trunc(ms)) : null;
}
