import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { LIMITS } from '../../../contract/index.ts';
import { type JsonObject, ProtocolError, parseJsonBytes } from '../../../protocol/index.ts';
import { CaseFileRefused } from './case-file-error.ts';
import { ENTRY } from './manifest.ts';

/** The most bytes of rules and searches. */
const MAX_READING_BYTES = 4 * 1024 * 1024;

const person = z.string().max(LIMITS.email).nullable();
const object = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;
const readingFile = z.strictObject({
  rules: z.strictObject({ rules: object.nullable(), changed_at: z.iso.datetime(), changed_by: person }).nullable(),
  searches: z
    .array(
      z.strictObject({
        search_id: z.uuid(),
        name: z
          .string()
          .min(1)
          .max(4 * LIMITS.savedSearchName),
        search: object,
        created_at: z.iso.datetime(),
        created_by: person,
      }),
    )
    .max(LIMITS.savedSearches),
});
export type ReadingFile = z.infer<typeof readingFile>;

/** Reading rules and saved searches as a case file has them. @throws CaseFileRefused LINE_INVALID */
export async function readReading(path: string): Promise<ReadingFile> {
  const invalid = (what: string): CaseFileRefused =>
    new CaseFileRefused({ code: 'LINE_INVALID', file: ENTRY.reading, message: `reading.json: ${what}` });
  const bytes = await readFile(path);
  if (bytes.length > MAX_READING_BYTES) throw invalid('is larger than it can be');
  try {
    const read = readingFile.safeParse(parseJsonBytes(bytes));
    if (!read.success) throw invalid(read.error.issues[0]?.message ?? 'has another form');
    return read.data;
  } catch (error) {
    throw error instanceof ProtocolError ? invalid(error.message) : error;
  }
}
