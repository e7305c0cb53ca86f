import { auditd } from './auditd.ts';
import { cloudtrail } from './cloudtrail.ts';
import type { LogReader } from './log-event.ts';
import { macos } from './macos.ts';
import { windows } from './windows.ts';

/** Every kind of log that is read as a second witness. */
export const LOG_READERS: readonly LogReader[] = [auditd, macos, windows, cloudtrail];

/** What a file is by its beginning, unpacked; null for no log that is read. */
export function logReaderOf(head: string): LogReader | null {
  return LOG_READERS.find(({ recognises }) => recognises(head)) ?? null;
}
