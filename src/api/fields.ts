import { z } from 'zod';
import { AGENT_ID_PATTERN, DIGEST_PATTERN, formatTime, type Json, parseTime } from '../protocol/index.ts';
import { domainInLabels } from './domain.ts';
import { LIMITS } from './limits.ts';

/** A string of this many Unicode characters, without lone surrogates: what can be stored, hashed and shown. */
export function text(min: number, max: number): z.ZodType<string> {
  return z
    .string()
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
    .refine((value) => {
      const length = [...value].length;
      return length >= min && length <= max;
    }, `must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max });
}

/** Like text, and not only blanks: for names that people read. */
export function name(max: number): z.ZodType<string> {
  return text(1, max)
    .refine((value) => value.trim() !== '', 'must not be blank')
    .meta({ minLength: 1, maxLength: max });
}

/**
 * Like name, in one line, and with nothing that turns the direction of the text around it: for what people and organizations
 * are called, which appears in mails, reports and the screens of others.
 */
export function properName(max: number): z.ZodType<string> {
  return name(max)
    .refine(
      (value) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(value),
      'must not hold line breaks, control characters or characters that turn the direction of writing',
    )
    .meta({ minLength: 1, maxLength: max });
}

/**
 * An address in the one form that accounts are known by: its domain in A-labels (RFC 5891) where it has letters beyond ASCII,
 * and its local part composed and in lower case where that has. ASCII stays as typed, for accounts are compared without its case.
 */
function accountAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const isAscii = /^\p{ASCII}*$/u;
  return `${isAscii.test(local) ? local : local.normalize('NFC').toLowerCase()}@${domainInLabels(domain)}`;
}

/** The address somebody signs in with, which may be any text. */
export const emailToSignIn = z.string().max(LIMITS.email).overwrite(accountAddress);

export const email = z
  .string()
  .max(LIMITS.email, `must have at most ${LIMITS.email} characters`)
  .regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, 'must be an e-mail address')
  .overwrite(accountAddress);

export const agentId = z
  .string()
  .regex(AGENT_ID_PATTERN, 'must be up to 128 of A-Z a-z 0-9 . _ : @ - and begin with a letter or digit');

/** An RFC 3339 time with offset or Z. Aborts: what compares times afterwards can rely on them. */
export const time = z
  .string()
  .refine(
    (value) => {
      try {
        // In UTC too it must have a year of four figures: ranges are kept that way.
        return /^\d{4}-/.test(formatTime(parseTime(value)));
      } catch {
        return false;
      }
    },
    { message: 'must be an RFC 3339 time with offset or Z', abort: true },
  )
  .meta({ format: 'date-time' });

/** Why something is done to an agent or a key: kept in the administrative log. */
export const reason = name(LIMITS.reason);

/** In answers: an identifier, a digest, milliseconds since the Unix epoch, an ISO 8601 time. */
export const id = z.string().min(1);
export const digest = z.string().regex(DIGEST_PATTERN);
export const milliseconds = z.int().min(0).meta({ description: 'milliseconds since the Unix epoch' });
export const isoTime = z.string().meta({ format: 'date-time' });

/** Any JSON value. Not z.json(): its recursion has no place in an OpenAPI document. */
export const anyJson = z.unknown().meta({ description: 'any JSON value' }) as z.ZodType<Json>;
export const jsonObject = z.record(z.string(), anyJson);

function queryLimit(max: number) {
  return z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= max, `must be from 1 to ${max}`)
    .optional();
}

export const cursor = z.string().max(512).optional();

/** The query parameters of a list (docs/interface.md, Pagination). A query's values are strings. */
export const page = z.strictObject({ cursor, limit: queryLimit(LIMITS.page.max) });

/** The query parameters of a list of administrative events that has nothing but its newest. */
export const adminEventsQuery = z.strictObject({ limit: queryLimit(LIMITS.adminEvents.max) });

/** A call that takes no body: none, or an object without members. */
export const noBody = z.strictObject({});

/** A call that takes no query parameters; an unknown one is refused. */
export const noQuery = z.strictObject({});

/** Where a page of a list ends. */
export const pageEnd = { nextCursor: z.string().nullable(), hasMore: z.boolean() };

/** A list a page at a time. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ data: z.array(item), ...pageEnd });
}

/** Where a call answers only that it did what was asked. */
export const success = z.strictObject({ success: z.literal(true) });

/** A value as it is read and not changed, at every depth: what handlers answer with. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly ReadonlyDeep<Item>[]
    : { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;
