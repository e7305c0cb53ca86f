import { z } from 'zod';
import { AGENT_ID_PATTERN, formatTime, parseTime } from '../protocol/index.ts';
import { LIMITS } from './limits.ts';

/** A string of so many Unicode characters, without lone surrogates: what can be stored, hashed and shown. */
export function text(min: number, max: number): z.ZodType<string> {
  return z
    .string()
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
    .refine((value) => {
      const length = [...value].length;
      return length >= min && length <= max;
    }, `must have ${min} to ${max} characters`);
}

/** Like text, and not only blanks: for names that people read. */
export function name(max: number): z.ZodType<string> {
  return text(1, max).refine((value) => value.trim() !== '', 'must not be blank');
}

export const email = z
  .string()
  .max(LIMITS.email, `must have at most ${LIMITS.email} characters`)
  .regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, 'must be an e-mail address');

export const agentId = z
  .string()
  .regex(AGENT_ID_PATTERN, 'must be up to 128 of A-Z a-z 0-9 . _ : @ - and begin with a letter or digit');

/** An RFC 3339 time with offset or Z. Aborts: what compares times afterwards can rely on them. */
export const time = z.string().refine(
  (value) => {
    try {
      // In UTC too it must have a year of four figures: ranges are kept that way.
      return /^\d{4}-/.test(formatTime(parseTime(value)));
    } catch {
      return false;
    }
  },
  { message: 'must be an RFC 3339 time with offset or Z', abort: true },
);

/** The query parameters of a list (docs/interface.md, Pagination). A query's values are strings. */
export const page = z.strictObject({
  cursor: z.string().max(512).optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= LIMITS.page.max, `must be from 1 to ${LIMITS.page.max}`)
    .optional(),
});
export type Page = z.infer<typeof page>;

/** A call that takes no query parameters; an unknown one is refused. */
export const noQuery = z.strictObject({});
