import { z } from 'zod';
import { custodyDamage } from './case-file-codes.ts';
import { MAX_SIGNED_AT_ONCE } from './case-items.ts';
import { custodyAction } from './custody-actions.ts';
import { examinerKeyState, examinerSignatureBody } from './examiner-signature.ts';
import { digest, isoTime, jsonObject, listOf, page, text } from './fields.ts';

/** An examiner's signature, over the bytes of protocol R64. */
export const caseSignatureBody = examinerSignatureBody.extend({ signer: text(1, 256), signed_at: isoTime.max(64) });

/**
 * `signed`: by a key of who did it; `unsigned`: nobody signed it; `invalid`: a signature is there, and is not one of this
 * entry by who did it.
 */
export const custodySignatureState = z.enum(['signed', 'unsigned', 'invalid']);
export type CustodySignatureState = z.infer<typeof custodySignatureState>;

const custodyRow = z.strictObject({
  entry_no: z.int(),
  entry_hash: z.string(),
  entry: z
    .strictObject({
      at: z.string(),
      via: z.literal('token').optional().meta({ description: 'an API token did it in the name of `by`' }),
      by: z.string().nullable().meta({ description: 'address of who was signed in; null where nobody was' }),
      action: custodyAction,
      details: jsonObject,
      prev_hash: z.string().nullable(),
      log_id: z.uuid().optional().meta({
        description:
          'the case whose log this is from this entry on: in the first, and in each that opens the case elsewhere',
      }),
    })
    .nullable()
    .meta({ description: 'null where it cannot be read' }),
  signature: custodySignatureState,
  kid: z.string().nullable().meta({ description: 'of the key that signed it; null where none did' }),
  signable: z.boolean().meta({
    description: 'whether `by` may still sign it here: it did not come with a case file, and is what its hash is of',
  }),
});
export type CustodyRow = z.infer<typeof custodyRow>;

/** Of all entries, or of those about one record. */
export const custodyQuery = page.extend({ operation_id: z.string().max(64).optional() });

/** What was done with a case, newest first. */
export const custodyAnswer = z.strictObject({
  ...listOf(custodyRow).shape,
  head: z.strictObject({ entry_no: z.int(), entry_hash: z.string() }).nullable().meta({ description: 'the newest' }),
  log_id: z
    .uuid()
    .nullable()
    .meta({ description: 'the case that the log says it is of; null of an older log, which names none' }),
  damage: z.array(custodyDamage).meta({ description: 'what does not hold in the whole log, the first 100 places' }),
  signatures: z.strictObject({ signed: z.int(), unsigned: z.int(), invalid: z.int() }),
  examiners: z
    .array(
      z.strictObject({
        signer: z.string().meta({ description: 'as the signatures say' }),
        kid: z.string(),
        entries: z.int().min(1),
        registered: z
          .boolean()
          .meta({ description: 'whether this service has the key as an active decision key of that person' }),
        key: examinerKeyState.meta({
          description: 'as this service has it for that person; `other`: it is the key of another person',
        }),
      }),
    )
    .meta({ description: 'whose keys signed, the first 100' }),
  examiners_total: z.int().min(0).meta({ description: 'how many keys signed, those after 100 too' }),
  all_registered: z.boolean().meta({ description: 'whether each key that signed is registered, those after 100 too' }),
});

/** Entries of the caller's own that the caller's window signed. */
export const signCustodyBody = z.strictObject({
  signatures: z
    .array(z.strictObject({ entry_no: z.int().min(1), entry_hash: digest, signature: caseSignatureBody }))
    .min(1)
    .max(MAX_SIGNED_AT_ONCE),
});
export const signCustodyAnswer = z.strictObject({ signed: z.int().min(0) });
export type CustodyAnswer = z.infer<typeof custodyAnswer>;

/** The manifest that was drafted, with the signature of who saves the case; without one it is made unsigned. */
export const saveCaseBody = z.strictObject({
  sealed: z
    .strictObject({ made_at: isoTime.max(64), manifest_sha256: digest, signature: caseSignatureBody })
    .optional()
    .meta({ description: 'CONFLICT where the case changed since the draft' }),
});
