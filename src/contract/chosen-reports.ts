import { z } from 'zod';
import { CHOSEN_REPORT_TEXT, MAX_CHOSEN_RECORDS } from '../protocol/index.ts';
import { text } from './fields.ts';

const entry = z.strictObject({
  seq_no: z.int().min(1),
  comment: text(1, CHOSEN_REPORT_TEXT.comment).optional(),
});

/** What a report of chosen records is to say, and as which file. Records come in the order of the report. */
export const chosenReportBody = z.strictObject({
  format: z.enum(['pdf', 'html']).default('pdf'),
  title: text(1, CHOSEN_REPORT_TEXT.title),
  question: text(0, CHOSEN_REPORT_TEXT.question).default('').meta({ description: 'what was asked' }),
  examiner: text(1, CHOSEN_REPORT_TEXT.examiner).optional().meta({ description: 'who made the report' }),
  entries: z
    .array(entry)
    .min(1)
    .max(MAX_CHOSEN_RECORDS)
    .refine((entries) => new Set(entries.map(({ seq_no }) => seq_no)).size === entries.length, 'each record once'),
  details: z
    .boolean()
    .optional()
    .meta({ description: 'whether a PDF shows each record whole; where left out, of up to 200 records' }),
});
export type ChosenReportBody = z.infer<typeof chosenReportBody>;
