import { z } from 'zod';
import { LIMITS } from './limits.ts';

/**
 * A submitted record. Its rules are the protocol's own (protocol F30), and its size comes before its shape (protocol F50):
 * the service reads it with readSubmission, and this schema lets everything through. What it should be is `recordForm`.
 */
export const submitBody = z.unknown();

/** As submitBody, for many; each record of the batch succeeds or fails by itself. */
export const batchBody = z.strictObject({ records: z.array(z.unknown()).min(1).max(LIMITS.batch) });
