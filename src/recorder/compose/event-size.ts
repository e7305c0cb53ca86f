import { ExactNumber } from '../../protocol/light.ts';
import type { Seen } from '../seen/seen.ts';

/**
 * Events that come together with more than this, in UTF-16 code units of their texts and some for each value, are not prepared between
 * the requests of others. Secrets of a few letters cost most: some 65,000 take a twentieth of a second.
 */
const MOST_AT_ONCE = 65_536;
/** What each value costs besides its letters. */
const EACH = 8;

/** Whether taking the secrets out of events would hold up everybody else. Looks at no more than it takes to tell. */
export function isLarge(seen: readonly Seen[]): boolean {
  let left = MOST_AT_ONCE;
  const waiting: unknown[] = [...seen];
  while (waiting.length > 0 && left >= 0) {
    const value = waiting.pop();
    left -= EACH;
    if (typeof value === 'string') left -= value.length;
    else if (value instanceof ExactNumber) left -= value.text.length;
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!Array.isArray(value)) left -= name.length;
        waiting.push(member);
      }
    }
  }
  return left < 0;
}
