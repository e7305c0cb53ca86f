import type { StoredFile } from './stored-file.ts';

/** What of a case's file may be unpacked, for each byte that may be uploaded. */
const MAX_UNPACKING = 4;

/** Compressed records come to a twentieth at the least: a file that unpacks to more than this is made to, beyond a size that does no harm. */
const MAX_RATIO = 100;
const HARMLESS_BYTES = 64 * 1024 * 1024;

/** How many bytes of plain JSON a file may hold. @param maxBytes of an upload */
export function plainLimit({ kind, bytes }: Pick<StoredFile, 'kind' | 'bytes'>, maxBytes: number): number {
  const most = MAX_UNPACKING * Math.max(bytes, maxBytes);
  return Math.min(most, kind === 'bundle' ? most : Math.max(HARMLESS_BYTES, MAX_RATIO * bytes));
}
