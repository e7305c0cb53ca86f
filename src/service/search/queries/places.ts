import { z } from 'zod';
import { readCursor } from '../../http/cursor.ts';

const moving = z.tuple([z.number(), z.number(), z.int().min(0)]);
const place = z.int().min(0);

/**
 * The place after a page of a list whose order changes as records come: by two numbers, and the newest record that the first page was
 * made of. Later pages are made of the same records, so that nothing comes twice and nothing is left out. @throws ServiceError VALIDATION_ERROR
 */
export function readMovingPlace(cursor: string | undefined): [number, number, number] | null {
  return readCursor(cursor, moving);
}

/** The place after a page of records or steps. @throws ServiceError VALIDATION_ERROR */
export function readPlace(cursor: string | undefined): number | null {
  return readCursor(cursor, place);
}
