import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { LIMITS } from '../../../api/index.ts';
import { type JsonObject, ProtocolError, parseJsonBytes } from '../../../protocol/index.ts';
import { CaseFileRefused, ENTRY, time } from '../../../reports/case-file/index.ts';

/** The most bytes of rules and searches. */
const MAX_READING_BYTES = 4 * 1024 * 1024;

const person = z.string().max(LIMITS.email).nullable();
const object = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;
const readingFile = z.strictObject({
  rules: z.strictObject({ rules: object.nullable(), changed_at: time, changed_by: person }).nullable(),
  searches: z
    .array(
      z.strictObject({
        search_id: z.uuid(),
        name: z
          .string()
          .min(1)
          .max(4 * LIMITS.savedSearchName),
        search: object,
        created_at: time,
        created_by: person,
      }),
    )
    .max(LIMITS.savedSearches)
    .refine((searches) => isDistinct(searches.map(({ name }) => name)), { message: 'two searches have one name' })
    .refine((searches) => isDistinct(searches.map((one) => one.search_id)), { message: 'two searches have one id' }),
});
export type ReadingFile = z.infer<typeof readingFile>;

export function readingInvalid(what: string): CaseFileRefused {
  return new CaseFileRefused({ code: 'LINE_INVALID', file: ENTRY.reading, message: `reading.json: ${what}` });
}

/** Whether each value is there once. */
function isDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

/** Reading rules and saved searches as a case file has them. @throws CaseFileRefused LINE_INVALID */
export async function readReading(path: string): Promise<ReadingFile> {
  if ((await stat(path)).size > MAX_READING_BYTES) throw readingInvalid('is larger than it can be');
  const bytes = await readFile(path);
  try {
    const read = readingFile.safeParse(parseJsonBytes(bytes));
    if (!read.success) throw readingInvalid(read.error.issues[0]?.message ?? 'has another form');
    return read.data;
  } catch (error) {
    throw error instanceof ProtocolError ? readingInvalid(error.message) : error;
  }
}
