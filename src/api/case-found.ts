import { z } from 'zod';
import { SIGN_CODES } from '../actions/light.ts';
import { id, isoTime, listOf, page } from './fields.ts';

const count = z.int().min(0);

/** What a case has of files that were found on a disk. Nobody signed any of it when it happened. */
export const foundSummary = z.strictObject({
  items: z.array(z.int()).meta({ description: 'numbers of the items that the files are in' }),
  files: count,
  transcripts: count,
  logs: count,
  sessions: count,
  actions: count.meta({ description: 'calls of tools' }),
  events: count.meta({ description: 'of logs, such as a process that was started' }),
  corroborated: count.meta({ description: 'records and actions that an event of a log fits' }),
  signs: count.meta({ description: 'signs that a file was altered after its program wrote it' }),
  altered_files: count.meta({ description: 'files with such a sign' }),
  unread: count.meta({ description: 'entries that could not be read' }),
  shared_sessions: count.meta({ description: 'sessions of which the ledger has records as well' }),
  same: count.meta({ description: 'calls of these that both have alike' }),
  differing: count,
  only_found: count,
  only_ledger: count,
});
export type FoundSummary = z.infer<typeof foundSummary>;

/** A file as it was found. */
export const foundFile = z.strictObject({
  item_no: z.int().min(1),
  file_no: z.int().min(1),
  path: z.string().meta({ description: 'where it was found' }),
  bytes: count,
  sha256: z.string(),
  modified_at: isoTime.nullable().meta({ description: 'as the file system said; null where nobody knows' }),
  changed: z.boolean().meta({ description: 'changed while it was copied, or could not be read to its end' }),
  kind: z
    .string()
    .nullable()
    .meta({ description: '`transcript`, or the kind of a log; null of a file that is not read' }),
  program: z.string().nullable().meta({ description: 'of a transcript' }),
  sessions: count,
  actions: count,
  events: count,
  repeated: count.meta({ description: 'entries that another file has as well: they count once, there' }),
  signs: count,
  unread: count,
  looked_for: z
    .string()
    .nullable()
    .meta({ description: 'what alterations of such a transcript are found, and what are not' }),
  clock: z.strictObject({ offset_ms: z.int(), pairs: count }).nullable().meta({
    description: 'of a log: how far its clock is taken to be ahead of that of the actions, and by how many pairs',
  }),
});
export type FoundFileRow = z.infer<typeof foundFile>;
export const foundFilesAnswer = listOf(foundFile);

/** A sign of an alteration, or an entry that could not be read. */
export const foundNote = z.strictObject({
  item_no: z.int(),
  file_no: z.int(),
  path: z.string(),
  line: z.int().min(1),
  code: z.enum([...SIGN_CODES, 'UNREAD']),
  message: z.string(),
});
export type FoundNote = z.infer<typeof foundNote>;
export const foundNotesQuery = page.extend({ item_no: z.coerce.number().int().min(1).optional() });
export const foundNotesAnswer = listOf(foundNote);

/** A call of which ledger and transcript do not say the same. */
export const foundDifference = z.strictObject({
  state: z.enum(['only_found', 'only_ledger', 'differs']),
  members: z.array(z.enum(['tool', 'input', 'outcome', 'exit_code'])),
  session: z.string(),
  call_id: z.string().nullable(),
  title: z.string(),
  found: z.strictObject({ operation_id: id, seq_no: z.int() }).nullable(),
  ledger: z.strictObject({ operation_id: id, seq_no: z.int() }).nullable(),
});
export type FoundDifference = z.infer<typeof foundDifference>;
export const foundDifferencesAnswer = listOf(foundDifference);

/** An event of a log that fits an action: it is consistent with it, and proves nothing. */
export const foundWitness = z.strictObject({
  item_no: z.int(),
  path: z.string().meta({ description: 'of the log' }),
  log: z.string(),
  line: z.int().min(1),
  event_id: z.string(),
  at: isoTime.meta({ description: "by the log's own clock" }),
  offset_ms: z.int(),
  offset_pairs: count,
  fits_by: z.enum(['command', 'arguments', 'path', 'call']),
  program: z.string().nullable(),
  args: z.array(z.string()),
  path_touched: z.string().nullable(),
  user: z.string().nullable(),
  host: z.string().nullable(),
  pid: z.int().nullable(),
  succeeded: z.boolean().nullable(),
});
export type FoundWitness = z.infer<typeof foundWitness>;

/** Where an action was found; null of a signed record, which may have witnesses all the same. */
export const foundAction = z.strictObject({
  operation_id: id,
  seq_no: z.int(),
  found: z
    .strictObject({
      agent_id: id,
      operation_type: z.string(),
      subject: z.string(),
      action: z.string(),
      at: isoTime,
      item_no: z.int(),
      file_no: z.int(),
      path: z.string(),
      sha256: z.string(),
      line: z.int(),
      end_line: z.int(),
      payload: z.record(z.string(), z.unknown()),
      imported_by: z.string().nullable(),
      imported_at: isoTime.nullable(),
      collected_by: z.string().nullable().meta({ description: 'as the collection says' }),
      collected_at: isoTime.nullable(),
    })
    .nullable(),
  witnesses: z.array(foundWitness),
  difference: foundDifference.nullable().meta({ description: 'where the ledger says something else, or nothing' }),
});
export type FoundAction = z.infer<typeof foundAction>;
