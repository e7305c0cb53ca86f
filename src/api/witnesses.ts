import { z } from 'zod';
import { id, listOf, milliseconds } from './fields.ts';
import { LIMITS } from './limits.ts';
import { verificationReport } from './verification-report.ts';

/** HTTPS without credentials: where the service itself connects to. */
export const outgoingUrl = z
  .url({ protocol: /^https$/, error: 'must be an HTTPS URL' })
  .max(LIMITS.webhookUrl, `must have at most ${LIMITS.webhookUrl} characters`)
  .refine((value) => !/^https:\/\/[^/?#]*@/i.test(value), 'must not carry credentials');

/** What a signature of a witness is made with. */
export const WITNESS_ALGORITHMS = ['ed25519', 'ml-dsa-44'] as const;
export const witnessAlgorithm = z.enum(WITNESS_ALGORITHMS);

/** The size of a log; 0 where nothing of it was seen. */
const size = z.int().min(0);

export const addWitnessBody = z.strictObject({
  keys: z
    .string()
    .max(LIMITS.witnessKeys, `must have at most ${LIMITS.witnessKeys} characters`)
    .meta({ description: 'what `countersign witness keys` prints: a vkey of C2SP signed-note in each line' }),
  url: outgoingUrl
    .refine((value) => !/[?#]/.test(value), 'must have no query and no fragment')
    .nullable()
    .meta({ description: 'its submission prefix (C2SP tlog-witness); null where it is asked by file' }),
});

/** How asking a witness by HTTP stands. */
const asking = z.strictObject({
  last_at: milliseconds,
  next_at: milliseconds.nullable(),
  attempts: z.int().min(0).meta({ description: 'without success since the last one' }),
  error: z.string().nullable().meta({ description: 'why the last attempt brought no cosignature' }),
  size: size
    .nullable()
    .meta({ description: 'the size that the witness says it cosigned last, where it refused by that' }),
});

const newest = z.strictObject({
  size,
  cosigned_at: milliseconds.meta({ description: "by the witness's clock, in milliseconds since the Unix epoch" }),
  algorithms: z.array(witnessAlgorithm),
});

export const witness = z.strictObject({
  witness_id: id,
  name: z.string(),
  keys: z.array(z.strictObject({ algorithm: witnessAlgorithm, vkey: z.string() })),
  by_http: z.boolean(),
  url: z.string().nullable().meta({ description: 'for the home organization alone' }),
  added_at: milliseconds,
  newest: newest.nullable().meta({ description: "its newest cosignature of this organization's log" }),
  asking: asking.nullable(),
});
export const witnessAnswer = z.strictObject({ witness });
export const witnessesAnswer = z.strictObject({
  witnesses: z.array(witness),
  sealed_size: size.meta({ description: 'the size of the newest checkpoint; 0 while nothing is sealed' }),
  administered_here: z.boolean(),
});

/** What a witness said of one checkpoint. */
const cosignature = newest.extend({ witness_id: id, name: z.string(), received_at: milliseconds });
export const cosignatures = listOf(cosignature);

export const witnessRequestQuery = z.strictObject({
  from: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, 'must be a size of the log, or 0')
    .transform(Number)
    .optional(),
});

export const importCosignaturesBody = z.strictObject({
  answer: z.string().max(LIMITS.witnessAnswer, `must have at most ${LIMITS.witnessAnswer} characters`),
});
export const importCosignaturesAnswer = z.strictObject({ cosignature });

/** A log of somebody else, as this service cosigned it last. */
const cosignedLog = z.strictObject({
  origin: z.string().meta({ description: 'the name of the log, with the id of its organization' }),
  size,
  cosigned_at: milliseconds,
  checkpoint: z.string().meta({ description: 'with the signatures of the log and of this witness' }),
});
/** This service as a witness of the logs of others. */
const ownWitness = z.strictObject({
  name: z.string(),
  keys: z
    .array(z.string())
    .meta({ description: 'a vkey of C2SP signed-note for each of its keys, as others pin them' }),
  logs: z.array(cosignedLog),
});
export const ownWitnessAnswer = z.strictObject({
  witness: ownWitness.nullable().meta({ description: 'null until there is one, and for a guest' }),
  administered_here: z.boolean(),
});
export const makeWitnessBody = z.strictObject({
  name: z
    .string()
    .regex(/^[^\p{White_Space}\p{Cc}\p{Cf}+]{1,200}$/u, 'must be 1 to 200 characters without white space and +')
    // What ML-DSA-44 has room for (protocol F94).
    .refine((name) => new TextEncoder().encode(name).length <= 255, 'must have at most 255 bytes')
    .meta({ description: 'such as `witness.example.org/w1`; it stays' }),
});
export const cosignBody = z.strictObject({
  request: z
    .string()
    .max(LIMITS.witnessRequest, `must have at most ${LIMITS.witnessRequest} characters`)
    .meta({ description: 'as `countersign witness request` or `GET /v1/witnesses/:witness_id/request` makes it' }),
  service_keys: z
    .string()
    .max(LIMITS.serviceKeysFile, `must have at most ${LIMITS.serviceKeysFile} characters`)
    .optional()
    .meta({
      description: 'of a log that is new here, or whose key was rotated: what `GET /v1/service-keys/file` answers',
    }),
});
export const cosignAnswer = z.strictObject({
  cosigned: z
    .strictObject({ origin: z.string(), size, answer: z.string() })
    .nullable()
    .meta({ description: 'with the lines to hand back; null where it was refused' }),
  refused: z
    .strictObject({
      status: z.int().meta({ description: 'that of C2SP tlog-witness: 400, 403, 404, 409 or 422' }),
      message: z.string(),
      proof: z.string().nullable().meta({
        description: 'that the log was rewritten, for `countersign verify`; null where nothing in hand proves it',
      }),
    })
    .nullable(),
});
export type OwnWitness = z.infer<typeof ownWitness>;
export type CosignAnswer = z.infer<typeof cosignAnswer>;

/** Who stands behind a record besides the service, as a verification of its proof says it. */
export const operationStanding = z.strictObject({
  report: verificationReport,
  witnesses_of: z.enum(['trust_store', 'service']).nullable().meta({
    description:
      'whose witnesses counted: those of the trust store, or those that the service asks where the store names none; null where there is none',
  }),
});
export type OperationStanding = z.infer<typeof operationStanding>;
export type Witness = z.infer<typeof witness>;
export type CosignatureRow = z.infer<typeof cosignature>;
