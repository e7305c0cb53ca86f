import { z } from 'zod';
import { DIGEST_PATTERN, parseTime } from '../../protocol/light.ts';

/** Whether a text has more Unicode characters than allowed; counted only where it can matter. */
function longerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  let count = 0;
  for (const _ of text) if (++count > characters) return true;
  return false;
}

/** A well-formed text of 1 to `max` Unicode characters, which is what JSON Schema's maxLength counts too. */
export function text(max: number) {
  return z
    .string()
    .refine((value) => value.length > 0 && value.isWellFormed() && !longerThan(value, max), {
      error: `expected a text of 1 to ${max} characters`,
    })
    .meta({ minLength: 1, maxLength: max });
}

/** A name that somebody else chose: of a session, tool, model, resource. */
export const name = text(256).meta({ id: 'name' });

/** A UUID as RFC 9562 writes it, in lowercase, of any version. */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, { error: 'expected a UUID in lowercase' })
  .meta({ id: 'uuid' });

export const digest = z
  .string()
  .regex(DIGEST_PATTERN, { error: 'expected sha256: and 64 lowercase hex digits' })
  .meta({ id: 'digest' });

/** 16 to 64 random bytes in base64url. */
export const salt = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22,86}$/, { error: 'expected 16 to 64 random bytes in base64url without padding' })
  .meta({ id: 'salt' });

/** A time as everywhere in the protocol (RFC 3339). */
export const time = z
  .string()
  .refine(
    (value) => {
      try {
        parseTime(value);
        return true;
      } catch {
        return false;
      }
    },
    { error: 'expected an RFC 3339 time with offset or Z' },
  )
  .meta({ id: 'time', format: 'date-time' });

/** A count or number of bytes that a double holds exactly. */
export const count = z.int().min(0).meta({ id: 'count' });

/** An amount of money: digits stay digits, never a binary fraction. */
export const amount = z.strictObject({
  value: z
    .string()
    .regex(/^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/, { error: 'expected a decimal number, such as "12.50"' }),
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'expected a code of ISO 4217, such as "EUR"' }),
});
