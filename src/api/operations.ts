import { z } from 'zod';
import { fieldsWith, RECORD_FIELDS } from '../actions/light.ts';
import {
  AGENT_ID_PATTERN,
  DIGEST_PATTERN,
  type Disclosures,
  MAX_DISCLOSURES,
  MAX_TTL_MS,
  OPERATION_TYPE_PATTERN,
  type OperationRecord,
  type Receipt,
} from '../protocol/index.ts';
import { errorEnvelope } from './error-envelope.ts';
import {
  agentId,
  anyJson,
  cursor,
  digest,
  id,
  isoTime,
  jsonObject,
  listOf,
  page,
  type ReadonlyDeep,
  reason,
  text,
  time,
} from './fields.ts';
import { LIMITS } from './limits.ts';
import { coverage, rowDetails, unit } from './row-details.ts';

const recordCore = {
  op_version: z.literal(1),
  operation_id: z.uuidv4(),
  org_id: id.max(256),
  agent_id: z.string().regex(AGENT_ID_PATTERN),
  issued_at: time,
  ttl_ms: z.int().min(1).max(MAX_TTL_MS),
  nonce: text(8, 256),
  operation_type: z.string().regex(OPERATION_TYPE_PATTERN),
  subject: text(1, 512),
  action: text(1, 128),
  payload_hash: digest,
  prev_chain_hash: z.string().regex(DIGEST_PATTERN).nullable(),
  agent_pubkey_kid: text(1, 256),
};
const payload = jsonObject;

/** The members of a salted payload that are shown, [salt, value] each under its name. */
export const disclosures: z.ZodType<Disclosures> = z
  .record(z.string(), z.tuple([z.string(), anyJson]))
  .meta({ description: 'shown members of a salted payload, each [salt, value] under its name (protocol F41)' });

/** The form of a submitted record, for the interface's description. */
export const recordForm = z.strictObject({
  ...recordCore,
  payload,
  signature: z.string().meta({ description: '64 bytes as base64url or base64' }),
  disclosures: disclosures.exactOptional(),
});
export const batchForm = z.strictObject({ records: z.array(recordForm).min(1).max(LIMITS.batch) });

/** A stored record; without payload where it was withheld. */
export const eor: z.ZodType<OperationRecord> = z.strictObject({
  ...recordCore,
  payload: payload.exactOptional(),
  signature: z.string(),
});

export const ear: z.ZodType<Receipt> = z.strictObject({
  receipt_id: id,
  operation_id: id,
  org_id: id,
  agent_id: id,
  seq_no: z.int().min(1),
  chain_hash: digest,
  server_received_at: isoTime,
  service_kid: id,
  service_signature: z.string(),
});

/** The audit path (RFC 6962) from a receipt, leaf `seq_no` − 1 of the log, to the `log_root` of its epoch. */
export const inclusion = z.strictObject({ leaf_index: z.int().min(0), path: z.array(digest) });

/** Get Operation: the whole record and receipt, and once sealed where it stands. */
export const storedOperation = z.strictObject({
  eor,
  ear,
  listed_as: z.int().exactOptional().meta({
    description:
      'in an archive: the number that the record has there, in lists and questions; `seq_no` of the receipt is that of its ledger',
  }),
  disclosures: disclosures
    .meta({ description: 'where the payload is salted: its members that were handed over and are not erased' })
    .exactOptional(),
  epoch: z
    .strictObject({
      epoch_id: id,
      epoch_no: z.int(),
      inclusion: inclusion
        .nullable()
        .meta({ description: 'null where the stored ledger was changed: there is no proof' }),
    })
    .nullable(),
});
export type StoredOperation = ReadonlyDeep<z.infer<typeof storedOperation>>;

/** One result of a batch, in the order of the records. */
export const batchResult = z.union([
  z.strictObject({ status: z.int(), receipt: ear }),
  z.strictObject({ status: z.int(), error: errorEnvelope.shape.error }),
]);
export const batchAnswer = z.strictObject({ results: z.array(batchResult) });
export type BatchResult = z.infer<typeof batchResult>;

/** Verify Operation; `epoch_valid` is null while the record waits to be sealed. */
export const operationVerification = z.strictObject({
  valid: z.boolean(),
  checks: z.strictObject({
    signature_valid: z.boolean(),
    chain_hash_valid: z.boolean(),
    ttl_valid: z.boolean(),
    replay_check: z.boolean(),
    agent_status: z.string(),
    payload_hash_valid: z.boolean(),
    receipt_valid: z.boolean(),
    epoch_valid: z.boolean().nullable(),
  }),
});
export type OperationVerification = z.infer<typeof operationVerification>;

export const eraseBody = z.strictObject({
  reason,
  members: z
    .array(text(1, 256))
    .min(1)
    .max(MAX_DISCLOSURES)
    .exactOptional()
    .meta({ description: 'of a salted payload: only these members; all that it has where they are left out' }),
});
export const eraseAnswer = z.strictObject({ operation_id: id, seq_no: z.int(), erased: z.literal(true) });

/** Members that a search can leave values out of. */
export const EXCLUDABLE = fieldsWith({ excludable: true }).map((name) => RECORD_FIELDS[name].member);
const exclusion = z.tuple([z.enum(EXCLUDABLE), z.string().max(512)]);
export type Exclusion = Readonly<z.infer<typeof exclusion>>;

export const exclusions = z.array(exclusion).max(LIMITS.exclusions);

export const queryText = text(1, LIMITS.query).meta({ description: 'in the query language (docs/query-language.md)' });
/** An IANA time zone: what times in a query without an offset are in. */
export const zone = z.string().min(1).max(64).meta({
  description: 'IANA time zone of times in the query, and of hours and days that are counted; UTC by default',
});

export const auditQueryBody = z.strictObject({
  agentId: agentId.optional(),
  operationType: z.string().max(128).optional(),
  startTime: time.optional(),
  endTime: time.optional(),
  subject: text(1, 512).optional(),
  beforeSeq: z.int().min(1).optional().meta({ description: 'only operations with a smaller seq_no' }),
  query: queryText.optional(),
  zone: zone.optional(),
  without: exclusions.optional(),
  unit: unit.optional().meta({ description: 'with `actions` all records of the calls that are found' }),
  order: z.enum(['newest', 'oldest']).optional().meta({ description: 'newest first by default' }),
  details: z.boolean().optional().meta({ description: 'whether rows say what their payloads were read as' }),
  cursor,
  limit: z.int().min(1).max(LIMITS.page.max).default(LIMITS.page.default),
});

export const auditRow = z.strictObject({
  operation_id: id,
  agent_id: id,
  operation_type: z.string(),
  subject: z.string(),
  action: z.string(),
  issued_at: z.string(),
  seq_no: z.int(),
  server_received_at: isoTime,
});
export type AuditRow = z.infer<typeof auditRow>;

/** A row of the audit query, with what its payload was read as where that was asked for. */
export const auditQueryRow = auditRow.extend({
  details: rowDetails.exactOptional(),
  tags: z.array(z.string()).exactOptional().meta({ description: 'with details: what people gave the record' }),
  bookmarked: z.boolean().exactOptional(),
});
export type AuditQueryRow = z.infer<typeof auditQueryRow>;
export const auditQueryAnswer = listOf(auditQueryRow).extend({
  coverage,
});

export function seqNumber(pattern: RegExp) {
  return z.string().regex(pattern, 'must be a sequence number').transform(Number).optional();
}

/** Agents that a chart tells apart. */
const MAX_CHART_AGENTS = 8;

const buckets = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a whole number')
  .transform(Number)
  .refine((count) => count >= 1 && count <= LIMITS.histogramBuckets, `must be from 1 to ${LIMITS.histogramBuckets}`)
  .optional();

/** In an address: JSON, such as `[["agent_id","billing-bot"]]`. */
const without = z
  .string()
  .max(8_192)
  .transform((text, context) => {
    try {
      const parsed = exclusions.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
    } catch {
      // What is no JSON is no list either.
    }
    context.addIssue({ code: 'custom', message: `must be a JSON array of up to ${LIMITS.exclusions} [member, value]` });
    return z.NEVER;
  })
  .optional();

/** The filters of the audit query, for counts over time; and values that are left out. */
export const histogramQuery = z.strictObject({
  agentId: agentId.optional(),
  operationType: z.string().max(128).optional(),
  subject: text(1, 512).optional(),
  startTime: time.optional(),
  endTime: time.optional(),
  beforeSeq: seqNumber(/^[1-9]\d{0,15}$/),
  query: queryText.optional(),
  zone: zone.optional(),
  without,
  unit: unit.optional(),
  buckets,
  agents: z
    .string()
    .regex(/^[1-9]$/, 'must be a whole number')
    .transform(Number)
    .refine((count) => count <= MAX_CHART_AGENTS, `must be at most ${MAX_CHART_AGENTS}`)
    .optional()
    .meta({
      description: `the agents with the most in these stretches, each counted by itself: up to ${MAX_CHART_AGENTS}`,
    }),
});

/** How many operations were issued in each of equally long stretches of time, the first beginning at `start_time`. */
export const histogram = z.strictObject({
  start_time: isoTime.nullable().meta({ description: 'null where nothing was found' }),
  bucket_ms: z.int().min(1).meta({ description: 'length of a stretch in milliseconds' }),
  counts: z.array(z.int().min(0)),
  total: z.int().min(0),
  agents: z
    .strictObject({
      data: z.array(z.strictObject({ agent_id: id, counts: z.array(z.int().min(0)) })),
      others: z.int().min(0).meta({ description: 'further agents' }),
    })
    .exactOptional()
    .meta({ description: 'where agents were asked for: those with the most first' }),
  coverage,
});
export type Histogram = z.infer<typeof histogram>;

/** Which part of an agent's chain: before or after a sequence number, or up to a time; the newest where none is given. */
export const chainQuery = z
  .strictObject({
    before: seqNumber(/^[1-9]\d{0,15}$/),
    // After 0: from the first record on.
    after: seqNumber(/^(0|[1-9]\d{0,15})$/),
    at: time.optional(),
    limit: page.shape.limit,
  })
  .refine(({ before, after, at }) => [before, after, at].filter((place) => place !== undefined).length <= 1, {
    message: 'before, after and at exclude each other',
  });

export type ChainPart = z.output<typeof chainQuery>;

/** A link of an agent's chain: a row of the audit query with what ties it to the records beside it. */
export const chainRow = auditRow.extend({
  chain_hash: digest,
  prev_chain_hash: digest.nullable(),
  agent_pubkey_kid: id,
});
export type ChainRow = z.infer<typeof chainRow>;

/** A part of an agent's chain, newest first, and whether there are older and newer records. */
export const chainAnswer = z.strictObject({ data: z.array(chainRow), older: z.boolean(), newer: z.boolean() });
export type ChainAnswer = z.infer<typeof chainAnswer>;
