import { z } from 'zod';
import type { AdminEvent, Epoch, ServiceKey } from '../protocol/index.ts';
import { adminEventsFilter } from './administration.ts';
import { adminEventsQuery, digest, id, isoTime, jsonObject, milliseconds, page, pageEnd } from './fields.ts';
import { resemblesHome } from './trust.ts';
import { correctedTimes } from './verification-report.ts';

/** A page of a list, newest first unless said otherwise (docs/interface.md, Pagination). */
export interface ListAnswer<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

/** The query of the list of epochs: a page, or those before a number. */
export const epochsQuery = page.extend({
  before: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'must be an epoch_no')
    .transform(Number)
    .optional(),
  of: z.string().max(256).optional().meta({ description: 'in an archive: those of the ledger that has this epoch' }),
});

/** An epoch as the list shows it. */
export const epochRow = z.strictObject({
  epoch_id: id,
  epoch_no: z.int().min(1),
  start_time: isoTime,
  end_time: isoTime,
  first_seq_no: z.int().min(1),
  last_seq_no: z.int().min(1),
  leaf_count: z.int().min(1),
  root_hash: digest,
  log_root: digest,
  hash_alg: z.literal('SHA-256'),
  prev_epoch_hash: digest.nullable(),
  admin_head_hash: digest.nullable(),
  service_kid: id,
});
export type EpochRow = z.infer<typeof epochRow>;
export const epoch: z.ZodType<Epoch> = epochRow.extend({ org_id: id, signature_by_service: z.string() });

/** Closing an epoch: the sealed one, or null where no record waited. */
export const closeEpochAnswer = z.strictObject({ epoch: epoch.nullable() });

/** How many receipts a log has. */
export const logSize = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a size of the log, at least 1')
  .transform(Number);

/** Which checkpoint: of the newest sealed size, or of one that an epoch ends at. */
export const checkpointQuery = z.strictObject({ size: logSize.optional() });

/** From which size a proof is wanted, to which sealed one; without `to` it is the newest. */
export const consistencyQuery = z.strictObject({ from: logSize, to: logSize.optional() });

/**
 * What whoever submits kept: the size of a checkpoint, and the newest that the service signed for them, by its number and the digest of what is
 * signed there.
 */
export const exchangeQuery = z
  .strictObject({ from: logSize.optional(), seen_no: logSize.optional(), seen: digest.optional() })
  .refine(({ seen_no, seen }) => (seen_no === undefined) === (seen === undefined), 'seen_no and seen go together');

const signedKey: z.ZodType<ServiceKey> = z.strictObject({
  kid: id,
  algorithm: z.literal('ed25519'),
  public_key: z.string(),
  status: z.enum(['active', 'retired']),
  created_at: milliseconds,
  retired_at: milliseconds.nullable(),
  prev_kid: id.nullable(),
  self_signature: z.string(),
  prev_signature: z.string().nullable(),
});

export const exchangeAnswer = z.strictObject({
  checkpoint: z.string().meta({
    description:
      'the newest checkpoint; a consistency proof to it, where from is not above its size; with seen it says where the ledger ends',
  }),
  service_keys: z
    .array(signedKey)
    .meta({ description: 'the keys of the service as bundles have them, the active one first' }),
});

export const adminEvent: z.ZodType<AdminEvent> = z.strictObject({
  event_id: id,
  org_id: id,
  actor: id,
  action: id,
  target_type: id,
  target_id: id,
  details: jsonObject,
  created_at: milliseconds,
  prev_event_hash: digest.nullable(),
  event_hash: digest,
});
/** The query of the administrative log: the newest ones up to a limit, or with `cursor` a page, both of what fits the filters. */
export const adminLogQuery = adminEventsQuery.extend(adminEventsFilter);
export type AdminLogQuery = z.infer<typeof adminLogQuery>;

/** The last two members come where the query has `cursor`, and only there. */
export const adminEventsAnswer = z.strictObject({
  events: z.array(adminEvent),
  nextCursor: pageEnd.nextCursor.optional(),
  hasMore: pageEnd.hasMore.optional(),
});

export const jwk = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
  x: z.string(),
  kid: id,
});

/** The service's public keys (RFC 7517), the active one first. */
export const jwks = z.strictObject({ keys: z.array(jwk) });
export type Jwks = z.infer<typeof jwks>;

/** The node of a shared log that answers. */
const node = z.strictObject({
  role: z.enum(['active', 'standby']),
  active: z.string().nullable().meta({ description: 'address of the active node; null while none is known' }),
  lag_ms: z.int().meta({ description: 'how long ago this node last had everything that the log has kept' }),
});
const namedNode = z.strictObject({ name: z.string(), role: z.enum(['active', 'standby']), url: z.string() });

/** The same with the log, and the nodes that said something within the last day. */
export const nodeState = node.extend({
  ...namedNode.shape,
  takeovers: z.int().meta({ description: 'that this node has seen since it was started' }),
  log_bytes: z.int(),
  nodes: z.array(namedNode.extend({ heard_ms: z.int().meta({ description: 'how long ago it said something' }) })),
});
export type NodeState = z.infer<typeof nodeState>;

/** HTTP 503 on a standby, so that a load balancer finds the active node. */
export const health = z.strictObject({
  status: z.enum(['ok', 'standby']),
  version: z.string(),
  node: node.optional().meta({ description: 'only on a node of a shared log' }),
});

const part = z.strictObject({ status: z.enum(['ok', 'bad']), detail: z.string() });

/** The state of each part that the service needs; HTTP 503 where one is bad. */
export const deepHealth = z.strictObject({
  status: z.enum(['ok', 'bad']),
  version: z.string(),
  checks: z.strictObject({
    database: part,
    epochs: part,
    disk: part,
    key: part,
    webhooks: part,
    readers: part,
    clock: part,
    exports: part,
    archive: part,
    syslog: part,
  }),
  node: nodeState.optional().meta({ description: 'only on a node of a shared log' }),
});
export type DeepHealth = z.infer<typeof deepHealth>;

/** What a verification of the ledger found; also as it is stored. */
export const ledgerFindings = z.array(
  z.strictObject({
    code: z.string(),
    seq_no: z.int().nullable(),
    /** What it is about; only what applies. */
    where: z
      .strictObject({
        seq_no: z.int(),
        operation_id: z.string(),
        agent_id: z.string(),
        kid: z.string(),
        epoch_id: z.string(),
        epoch_no: z.int(),
        event_id: z.string(),
        member: z.string(),
      })
      .partial(),
    message: z.string(),
    expected: z.string().nullable(),
    actual: z.string().nullable(),
  }),
);

/** Verification of the whole stored ledger of the organization, as a job. */
export const ledgerVerification = z.strictObject({
  status: z.enum(['never', 'running', 'completed', 'failed', 'cancelled']),
  started_at: isoTime.nullable(),
  completed_at: isoTime.nullable(),
  records_checked: z.int().min(0),
  records_total: z.int().min(0),
  valid: z.boolean().nullable(),
  findings: ledgerFindings,
});
export type LedgerVerification = z.infer<typeof ledgerVerification>;

/** An organization's ledger in figures. */
export const ledgerSummary = z.strictObject({
  org: z.strictObject({ org_id: id, name: z.string() }),
  records: z.int().min(0),
  unsealed: z.strictObject({ count: z.int().min(0), oldest_received_at: isoTime.nullable() }),
  epochs: z.int().min(0),
  agents: z.strictObject({ active: z.int().min(0), frozen: z.int().min(0), deleted: z.int().min(0) }),
  resembles_home: resemblesHome.optional(),
  corrected_times: correctedTimes,
});
export type LedgerSummary = z.infer<typeof ledgerSummary>;

/** The description of the interface itself. */
export const openApi = jsonObject.meta({ description: 'an OpenAPI 3.1 document' });

/** What the service is asked to sign (protocol F113). */
export const serviceChallengeBody = z.strictObject({
  address: z.string().min(1).max(512).meta({ description: 'where the service is reached: scheme, host and port' }),
  nonce: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 43 characters of base64url'),
});

export const serviceChallengeAnswer = z.strictObject({
  address: z.string(),
  nonce: z.string(),
  service_kid: z.string(),
  signature: z.string(),
});
