import type { z } from 'zod';
import { LIMITS, type ListAnswer } from '../../api/index.ts';
import { ServiceError } from '../store/base/service-error.ts';

/**
 * The place in a list after a page: an opaque text to callers, checked when it comes back. It holds nothing secret and
 * selects only within the caller's organization, so a made-up one does no harm.
 */
export function readCursor<T>(cursor: string | undefined, schema: z.ZodType<T>): T | null {
  if (cursor === undefined) return null;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ServiceError('VALIDATION_ERROR', 'cursor: is not one that this list gave');
  }
}

/** The most text of one page of what people wrote, in characters. */
export const MAX_PAGE_TEXT = 1024 * 1024;

/**
 * How many of the first items make a page: as many as asked for, and fewer where their text is long. One always does, or nobody
 * would get beyond it.
 * @param sizeOf characters of an item
 */
export function countFitting<T>(items: readonly T[], limit: number, sizeOf: (item: T) => number): number {
  let size = 0;
  const most = items.slice(0, limit).findIndex((item, index) => {
    size += sizeOf(item);
    return index > 0 && size > MAX_PAGE_TEXT;
  });
  return most < 0 ? limit : most;
}

export interface Page<T> extends ListAnswer<T> {
  readonly data: T[];
}

/**
 * A page from one item more than its limit, which tells whether another page follows.
 * @param view how an item is shown
 * @param resume the place behind which it does where the page ended for another reason; it may be empty then
 */
export function listPage<T>(items: readonly T[], limit: number, place: (last: T) => unknown): Page<T>;
export function listPage<T, Shown>(
  items: readonly T[],
  limit: number,
  place: (last: T) => unknown,
  view: (item: T) => Shown,
  resume?: unknown,
): Page<Shown>;
export function listPage<T>(
  items: readonly T[],
  limit: number,
  place: (last: T) => unknown,
  view: (item: T) => unknown = (item) => item,
  resume: unknown = null,
): Page<unknown> {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  const next = items.length > limit && last !== undefined ? place(last) : resume;
  const nextCursor = next === null ? null : Buffer.from(JSON.stringify(next)).toString('base64url');
  return { data: page.map((item) => view(item)), nextCursor, hasMore: next !== null };
}

/**
 * The page that a query asks for.
 * @param find items behind a place, or from the beginning, up to a number of them
 * @throws ServiceError VALIDATION_ERROR
 */
export function askedPage<Place, T>(
  {
    cursor,
    limit = LIMITS.page.default,
  }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
  place: z.ZodType<Place>,
  find: (behind: Place | null, most: number) => readonly T[],
  placeOf: (last: T) => Place,
): Page<T> {
  return listPage(find(readCursor(cursor, place), limit + 1), limit, placeOf);
}
