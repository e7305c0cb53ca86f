import { z } from 'zod';
import {
  DETAIL_FIELDS,
  type DetailField,
  MARKS,
  type Mark,
  OUTCOMES,
  type Outcome,
  RECORD_FIELDS,
  SOURCED,
} from '../actions/light.ts';

export { MARKS, type Mark, OUTCOMES, type Outcome };

type DetailMember = (typeof RECORD_FIELDS)[DetailField]['member'];

/** Members of `details` that are more than a text that may be missing. */
const FORMS = {
  phase: z.string().meta({ description: 'of the payload profile; `record` where the payload is of none' }),
  outcome: z.enum(OUTCOMES).nullable(),
  duration_ms: z.number().min(0).nullable(),
  marks: z.array(z.enum(MARKS)),
} as const satisfies Partial<Record<DetailMember, z.ZodType>>;
type Texts = Readonly<Record<Exclude<DetailMember, keyof typeof FORMS>, z.ZodNullable<z.ZodString>>>;
const TEXTS = Object.fromEntries(
  DETAIL_FIELDS.map((name) => [RECORD_FIELDS[name].member, z.string().nullable()]),
) as Texts;

/** What a payload was read as, for a row: derived from the record, no evidence. */
export const rowDetails = z.strictObject({
  summary: z.string().meta({ description: 'one line of up to 200 characters: tool(arguments) → result' }),
  ...TEXTS,
  ...FORMS,
  read_from: z.array(z.strictObject({ field: z.enum(SOURCED), at: z.string(), declared: z.boolean() })).meta({
    description:
      'from where session, tool, outcome, person and duration were read: a JSON Pointer or a member of the record; what the payload profile does not declare is a guess',
  }),
  withheld: z.boolean().meta({ description: 'the payload is not there: nothing of it is found by a query' }),
});
export type RowDetails = z.infer<typeof rowDetails>;

/**
 * What a question counts and lists: signed records, or actions. An action is a call with all its records, or a single record that is of
 * no call.
 */
export const unit = z.enum(['records', 'actions']);
export type Unit = z.infer<typeof unit>;

/** Which records an answer is about. */
export const coverage = z.strictObject({
  indexed_to: z.int().min(0).meta({ description: 'seq_no up to which records are found' }),
  pending: z.int().min(0).meta({ description: 'newer records, which the index has not taken in yet' }),
  complete: z
    .boolean()
    .meta({ description: 'false where the time for a search ended before all records were looked at' }),
});
export type Coverage = z.infer<typeof coverage>;
