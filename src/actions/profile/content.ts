import { z } from 'zod';
import { count, digest, name, salt } from './profile-fields.ts';

/** Which members of a content ask for which others. */
const NEEDS = { truncated: ['value', 'digest'], encoding: ['media_type'] } as const;

/**
 * Something an agent was given or gave back: the value itself, its salted digest, or both. JSON Schema says the same by
 * `anyOf` and `dependentRequired`.
 */
export const content = z
  .strictObject({
    value: z.unknown().optional(),
    digest: digest.optional(),
    salt: salt.optional(),
    encoding: z.literal('base64').optional(),
    media_type: name.optional(),
    bytes: count.optional(),
    truncated: z.literal(true).optional(),
  })
  .refine((members) => 'value' in members || 'digest' in members, { error: 'expected `value` or `digest`' })
  .refine(
    (members) => Object.entries(NEEDS).every(([one, needed]) => !(one in members) || needed.every((n) => n in members)),
    { error: '`truncated` needs `value` and `digest`, `encoding` needs `media_type`' },
  )
  .meta({ id: 'content', anyOf: [{ required: ['value'] }, { required: ['digest'] }], dependentRequired: NEEDS });

export type Content = z.infer<typeof content>;
