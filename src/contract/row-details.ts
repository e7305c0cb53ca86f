import { z } from 'zod';
import { MARKS, type Mark, OUTCOMES, type Outcome } from '../facts/codes.ts';

export { MARKS, type Mark, OUTCOMES, type Outcome };

/** What a payload was read as, for a row: derived from the record, no evidence. */
export const rowDetails = z.strictObject({
  summary: z.string().meta({ description: 'one line of up to 200 characters: tool(arguments) → result' }),
  session: z.string().nullable(),
  phase: z.string().meta({ description: 'of the payload profile; `record` where the payload is of none' }),
  call: z.string().nullable(),
  tool: z.string().nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  error: z.string().nullable(),
  duration_ms: z.number().min(0).nullable(),
  marks: z.array(z.enum(MARKS)),
  withheld: z.boolean().meta({ description: 'the payload is not there: nothing of it is found by a query' }),
});
export type RowDetails = z.infer<typeof rowDetails>;

/** Which records an answer is about. */
export const coverage = z.strictObject({
  indexed_to: z.int().min(0).meta({ description: 'seq_no up to which records are found' }),
  pending: z.int().min(0).meta({ description: 'newer records, which the index has not taken in yet' }),
  complete: z
    .boolean()
    .meta({ description: 'false where the time for a search ended before all records were looked at' }),
});
export type Coverage = z.infer<typeof coverage>;
