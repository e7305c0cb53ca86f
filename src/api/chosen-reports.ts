import { z } from 'zod';
import { RECORD_FORM_NAMES } from '../actions/light.ts';
import { CHOSEN_REPORT_TEXT, MAX_CHOSEN_RECORDS } from '../protocol/index.ts';
import { reportSumsBody } from './actions.ts';
import { examinerSignatureBody } from './examiner-signature.ts';
import { digest, text, time } from './fields.ts';
import { filters } from './investigation.ts';
import { LIMITS } from './limits.ts';

const entry = z.strictObject({
  seq_no: z.int().min(1),
  comment: text(1, CHOSEN_REPORT_TEXT.comment).optional(),
});

/** What people say in a report of chosen records. Records come in the order of the report. */
const words = z.strictObject({
  title: text(1, CHOSEN_REPORT_TEXT.title),
  question: text(0, CHOSEN_REPORT_TEXT.question).default('').meta({ description: 'what was asked' }),
  examiner: text(1, CHOSEN_REPORT_TEXT.examiner).optional().meta({ description: 'who made the report' }),
  entries: z
    .array(entry)
    .min(1)
    .max(MAX_CHOSEN_RECORDS)
    .refine((entries) => new Set(entries.map(({ seq_no }) => seq_no)).size === entries.length, 'each record once'),
  sums: reportSumsBody
    .optional()
    .meta({ description: 'a table of what the records come to, which the service works out over them alone' }),
});

/** What a report is to say, whose data are asked for to be signed. */
export const draftReportBody = words;
export type DraftReportBody = z.infer<typeof draftReportBody>;

/** The examiner's signature of the data that were drafted. */
const signedReport = z.strictObject({
  made_at: time.meta({ description: '`made_at` of the draft' }),
  digest: digest.meta({ description: '`digest` of the draft; CONFLICT where the data are no longer those' }),
  signature: examinerSignatureBody.meta({ description: 'INVALID_SIGNATURE where it does not verify' }),
});

/** What a report of chosen records is to say, and as which file. */
export const chosenReportBody = words.extend({
  format: z
    .enum(['pdf', 'html', 'proof'])
    .default('pdf')
    .meta({ description: '`proof`: the proof of the records alone, in which nothing that people say stands' }),
  details: z
    .boolean()
    .optional()
    .meta({ description: 'whether a PDF shows each record whole; where left out, of up to 200 records' }),
  signed: signedReport
    .optional()
    .meta({ description: 'of a draft of the last hour with the same words; where left out, nobody signs the report' }),
});
export type ChosenReportBody = z.infer<typeof chosenReportBody>;

/** Which records are handed to another program, and as which file. */
export const recordFileBody = filters.omit({ unit: true }).extend({
  format: z.enum(RECORD_FORM_NAMES).meta({ description: 'docs/export-formats.md says what is in each' }),
  seqNos: z
    .array(z.int().min(1))
    .min(1)
    .max(LIMITS.handedRecords)
    .optional()
    .meta({ description: 'these records alone, in the place of all filters' }),
});
export type RecordFileBody = z.output<typeof recordFileBody>;
