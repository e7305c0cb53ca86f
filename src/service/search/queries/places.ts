import { z } from 'zod';
import { readCursor } from '../../http/cursor.ts';

const pair = z.tuple([z.number(), z.number()]);
const place = z.int().min(0);

/** The place after a page that is ordered by two numbers. @throws ServiceError VALIDATION_ERROR */
export function readPair(cursor: string | undefined): [number, number] | null {
  return readCursor(cursor, pair);
}

/** The place after a page of records or steps. @throws ServiceError VALIDATION_ERROR */
export function readPlace(cursor: string | undefined): number | null {
  return readCursor(cursor, place);
}
