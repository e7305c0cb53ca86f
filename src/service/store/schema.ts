import { blob, integer, primaryKey, sqliteTable, text } from './drizzle.ts';

/**
 * The tables as drizzle sees them; migrations.ts makes them, and a test compares the two. Times are milliseconds since the
 * Unix epoch unless they are text. Hashes and raw signatures of operations are blobs of 32 and 64 bytes.
 */
const bytes = (name: string) => blob(name, { mode: 'buffer' });

export const organizations = sqliteTable('organizations', {
  orgId: text('org_id').primaryKey(),
  name: text('name').notNull(),
  description: text('description'),
  createdAt: integer('created_at').notNull(),
  /** 1 where the organization separates duties (src/contract/rights.ts). */
  separateDuties: integer('separate_duties').notNull().default(0),
});

/** The organization that administers the service: one row, or none until it is claimed. */
export const homeOrganization = sqliteTable('home_organization', {
  only: integer('only').primaryKey().default(1),
  orgId: text('org_id').notNull(),
});

export const users = sqliteTable('users', {
  userId: text('user_id').primaryKey(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  passwordHash: text('password_hash'),
  createdAt: integer('created_at').notNull(),
  /** When it was shown that the address is the account's; null until then. */
  emailVerifiedAt: integer('email_verified_at'),
});

export const members = sqliteTable('members', {
  memberId: text('member_id').primaryKey(),
  orgId: text('org_id').notNull(),
  userId: text('user_id').notNull(),
  role: text('role').notNull(),
  joinedAt: integer('joined_at').notNull(),
});

export const sessions = sqliteTable('sessions', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  pageHash: bytes('page_hash'),
  /** When the person signed in; a refreshed session keeps it. Null in rows from before there was the column. */
  begunAt: integer('begun_at'),
  provedAt: integer('proved_at'),
  lastUsedAt: integer('last_used_at'),
  lastUsedFrom: text('last_used_from'),
  browser: text('browser'),
});

export const passkeys = sqliteTable('passkeys', {
  passkeyId: text('passkey_id').primaryKey(),
  /** base64url, as the authenticator names it. */
  credentialId: text('credential_id').notNull(),
  userId: text('user_id').notNull(),
  name: text('name').notNull(),
  use: text('use', { enum: ['second_step', 'alone'] }).notNull(),
  /** COSE_Key. */
  publicKey: bytes('public_key').notNull(),
  counter: integer('counter').notNull(),
  /** JSON array. */
  transports: text('transports').notNull(),
  createdAt: integer('created_at').notNull(),
  lastUsedAt: integer('last_used_at'),
});

/** From which pages users signed in: whatever others try, these are not kept waiting. */
export const knownPages = sqliteTable(
  'known_pages',
  {
    userId: text('user_id').notNull(),
    pageHash: bytes('page_hash').notNull(),
    signedInAt: integer('signed_in_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.pageHash] })],
);

export const apiTokens = sqliteTable('api_tokens', {
  tokenId: text('token_id').primaryKey(),
  tokenHash: bytes('token_hash').notNull(),
  userId: text('user_id').notNull(),
  createdAt: integer('created_at').notNull(),
  ttlSeconds: integer('ttl_seconds'),
  expiresAt: integer('expires_at'),
  lastUsedAt: integer('last_used_at'),
  name: text('name'),
  scope: text('scope', { enum: ['full', 'submit', 'enrol'] })
    .notNull()
    .default('full'),
  /** The only agent that the token submits for, where that is its scope. */
  agentId: text('agent_id'),
  lastUsedFrom: text('last_used_from'),
  /** The token that issued it: it ends with that one. */
  parentTokenId: text('parent_token_id'),
});

export const oauthIdentities = sqliteTable(
  'oauth_identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    userId: text('user_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.subject] })],
);

export const oauthStates = sqliteTable('oauth_states', {
  stateHash: bytes('state_hash').primaryKey(),
  provider: text('provider').notNull(),
  codeVerifier: text('code_verifier').notNull(),
  nonce: text('nonce').notNull(),
  callbackUrl: text('callback_url').notNull(),
  expiresAt: integer('expires_at').notNull(),
  pageHash: bytes('page_hash'),
  /** Who was signed in where the sign-in was begun. */
  userId: text('user_id'),
});

export const invitations = sqliteTable('invitations', {
  invitationId: text('invitation_id').primaryKey(),
  orgId: text('org_id').notNull(),
  email: text('email').notNull(),
  role: text('role').notNull(),
  status: text('status').notNull(),
  codeHash: bytes('code_hash').notNull(),
  inviterId: text('inviter_id').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
});

export const serviceKeys = sqliteTable('service_keys', {
  kid: text('kid').primaryKey(),
  publicKey: text('public_key').notNull(),
  status: text('status').notNull(),
  createdAt: integer('created_at').notNull(),
  retiredAt: integer('retired_at'),
  prevKid: text('prev_kid'),
  selfSignature: text('self_signature').notNull(),
  prevSignature: text('prev_signature'),
});

export const agents = sqliteTable(
  'agents',
  {
    orgId: text('org_id').notNull(),
    agentId: text('agent_id').notNull(),
    displayName: text('display_name').notNull(),
    responsibleEntity: text('responsible_entity'),
    integrationType: text('integration_type').notNull(),
    status: text('status').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    deletedAt: integer('deleted_at'),
    headSeqNo: integer('head_seq_no'),
    headChainHash: bytes('head_chain_hash'),
    userId: text('user_id'),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.agentId] })],
);

export const agentKeys = sqliteTable(
  'agent_keys',
  {
    orgId: text('org_id').notNull(),
    agentId: text('agent_id').notNull(),
    kid: text('kid').notNull(),
    publicKey: text('public_key').notNull(),
    status: text('status').notNull(),
    createdAt: integer('created_at').notNull(),
    retiredAt: integer('retired_at'),
    serviceKid: text('service_kid').notNull(),
    attestation: text('attestation').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.agentId, table.kid] })],
);

export const agentAssignments = sqliteTable(
  'agent_assignments',
  {
    orgId: text('org_id').notNull(),
    agentId: text('agent_id').notNull(),
    userId: text('user_id').notNull(),
    assignedBy: text('assigned_by').notNull(),
    assignedAt: integer('assigned_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.agentId, table.userId] })],
);

export const operations = sqliteTable(
  'operations',
  {
    orgId: text('org_id').notNull(),
    seqNo: integer('seq_no').notNull(),
    operationId: text('operation_id').notNull(),
    agentId: text('agent_id').notNull(),
    issuedAt: text('issued_at').notNull(),
    issuedAtMs: integer('issued_at_ms').notNull(),
    ttlMs: integer('ttl_ms').notNull(),
    nonce: text('nonce').notNull(),
    operationType: text('operation_type').notNull(),
    subject: text('subject').notNull(),
    action: text('action').notNull(),
    /** Canonical form. */
    payload: text('payload'),
    payloadHash: bytes('payload_hash').notNull(),
    prevChainHash: bytes('prev_chain_hash'),
    agentPubkeyKid: text('agent_pubkey_kid').notNull(),
    signature: bytes('signature').notNull(),
    receiptId: text('receipt_id').notNull(),
    chainHash: bytes('chain_hash').notNull(),
    receivedAt: integer('received_at').notNull(),
    serviceKid: text('service_kid').notNull(),
    serviceSignature: bytes('service_signature').notNull(),
    leafHash: bytes('leaf_hash').notNull(),
    /** Where its disclosures are; null where none came with it. */
    disclosuresNo: integer('disclosures_no'),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.seqNo] })],
);

/** What members of salted payloads are shown with; see ledger/operations/disclosures-table.ts. */
export const disclosures = sqliteTable('disclosures', {
  disclosuresNo: integer('disclosures_no').primaryKey(),
  text: text('text').notNull(),
});

/** Bytes of records; of all agents of an organization together under an empty name. See ledger/record-room.ts. */
export const recordBytes = sqliteTable(
  'record_bytes',
  {
    orgId: text('org_id').notNull(),
    agentId: text('agent_id').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.agentId] })],
);

export type OperationRow = typeof operations.$inferSelect;

/** A row to be written: what is read as a Buffer may be any bytes. `disclosures` go into their own table. */
export type NewOperationRow = { readonly disclosures?: string | null } & {
  readonly [Column in Exclude<keyof OperationRow, 'disclosuresNo'>]: OperationRow[Column] extends Buffer
    ? Uint8Array
    : OperationRow[Column] extends Buffer | null
      ? Uint8Array | null
      : OperationRow[Column];
};

export const epochs = sqliteTable(
  'epochs',
  {
    orgId: text('org_id').notNull(),
    epochNo: integer('epoch_no').notNull(),
    epochId: text('epoch_id').notNull(),
    startTime: text('start_time').notNull(),
    endTime: text('end_time').notNull(),
    firstSeqNo: integer('first_seq_no').notNull(),
    lastSeqNo: integer('last_seq_no').notNull(),
    leafCount: integer('leaf_count').notNull(),
    rootHash: text('root_hash').notNull(),
    logRoot: text('log_root').notNull(),
    prevEpochHash: text('prev_epoch_hash'),
    adminHeadHash: text('admin_head_hash'),
    serviceKid: text('service_kid').notNull(),
    signatureByService: text('signature_by_service').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.epochNo] })],
);

/** Roots of complete subtrees of an organization's log, of the heights that are kept (log-subtrees.ts). */
export const logSubtrees = sqliteTable(
  'log_subtrees',
  {
    orgId: text('org_id').notNull(),
    height: integer('height').notNull(),
    subtreeIndex: integer('subtree_index').notNull(),
    root: bytes('root').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.height, table.subtreeIndex] })],
);

/** When an organization's newest manifest was signed. */
export const latestManifest = sqliteTable('latest_manifest', {
  orgId: text('org_id').primaryKey(),
  createdAt: integer('created_at').notNull(),
});

export const adminEvents = sqliteTable(
  'admin_events',
  {
    orgId: text('org_id').notNull(),
    eventNo: integer('event_no').notNull(),
    eventId: text('event_id').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    targetType: text('target_type').notNull(),
    targetId: text('target_id').notNull(),
    /** Canonical form. */
    details: text('details').notNull(),
    createdAt: integer('created_at').notNull(),
    prevEventHash: text('prev_event_hash'),
    eventHash: text('event_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.eventNo] })],
);

export const exports = sqliteTable('exports', {
  exportId: text('export_id').primaryKey(),
  orgId: text('org_id').notNull(),
  status: text('status').notNull(),
  format: text('format').notNull(),
  startTime: text('start_time').notNull(),
  endTime: text('end_time').notNull(),
  agentId: text('agent_id'),
  recordCount: integer('record_count'),
  createdAt: integer('created_at').notNull(),
  completedAt: integer('completed_at'),
  /** Canonical JSON; null where nothing is withheld. */
  redaction: text('redaction'),
  redactedCount: integer('redacted_count'),
  failure: text('failure'),
  /** Of its files together; null until it is completed. */
  bytes: integer('bytes'),
  /** 1 or 0 where it was asked whether a report prints every record. */
  details: integer('details', { mode: 'boolean' }),
});

export const ledgerVerifications = sqliteTable('ledger_verifications', {
  orgId: text('org_id').primaryKey(),
  status: text('status').notNull(),
  startedAt: integer('started_at').notNull(),
  completedAt: integer('completed_at'),
  recordsChecked: integer('records_checked').notNull(),
  recordsTotal: integer('records_total').notNull(),
  /** JSON. */
  findings: text('findings').notNull(),
});

export const webhooks = sqliteTable('webhooks', {
  webhookId: text('webhook_id').primaryKey(),
  orgId: text('org_id').notNull(),
  endpointUrl: text('endpoint_url').notNull(),
  /** JSON array of event types. */
  events: text('events').notNull(),
  sealedSecret: bytes('sealed_secret').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
  /** How far the ledger was looked through for events of this webhook. */
  seenSeqNo: integer('seen_seq_no').notNull(),
  seenEpochNo: integer('seen_epoch_no').notNull(),
});

export const webhookDeliveries = sqliteTable('webhook_deliveries', {
  deliveryNo: integer('delivery_no').primaryKey(),
  deliveryId: text('delivery_id').notNull(),
  webhookId: text('webhook_id').notNull(),
  eventType: text('event_type').notNull(),
  /** What is sent and signed; empty where `ledgerNo` says of what it is made. */
  body: text('body').notNull(),
  status: text('status').notNull(),
  attempts: integer('attempts').notNull(),
  createdAt: integer('created_at').notNull(),
  nextAttemptAt: integer('next_attempt_at'),
  lastAttemptAt: integer('last_attempt_at'),
  lastStatus: integer('last_status'),
  lastError: text('last_error'),
  /** JSON array, the newest last. */
  attemptLog: text('attempt_log').notNull().default('[]'),
  /** seq_no of an operation or epoch_no, by the type of the event; null for all other events. */
  ledgerNo: integer('ledger_no'),
});

/** What was refused, beside the evidence (src/service/refusals). */
export const refusals = sqliteTable('refusals', {
  refusalNo: integer('refusal_no').primaryKey(),
  orgId: text('org_id').notNull(),
  kind: text('kind').notNull(),
  code: text('code').notNull(),
  agentId: text('agent_id').notNull(),
  kid: text('kid').notNull(),
  operationId: text('operation_id'),
  userId: text('user_id'),
  address: text('address').notNull(),
  minute: integer('minute').notNull(),
  slot: integer('slot').notNull(),
  firstAt: integer('first_at').notNull(),
  lastAt: integer('last_at').notNull(),
  times: integer('times').notNull(),
});

/** The rules by which an organization has its payloads read (src/facts/rules.ts), as JSON; null for those of the product. */
export const investigationRules = sqliteTable('investigation_rules', {
  orgId: text('org_id').primaryKey(),
  rules: text('rules'),
  changedAt: integer('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});

export const savedSearches = sqliteTable('saved_searches', {
  searchId: text('search_id').primaryKey(),
  orgId: text('org_id').notNull(),
  name: text('name').notNull(),
  /** JSON, as it was given. */
  search: text('search').notNull(),
  createdAt: integer('created_at').notNull(),
  createdBy: text('created_by').notNull(),
});

/** How long an organization keeps payloads (src/contract/retention.ts): JSON, a list of rules in order. */
export const retentionRules = sqliteTable('retention_rules', {
  orgId: text('org_id').primaryKey(),
  rules: text('rules').notNull(),
  changedAt: integer('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});

export const legalHolds = sqliteTable('legal_holds', {
  holdId: text('hold_id').primaryKey(),
  orgId: text('org_id').notNull(),
  /** JSON (src/contract/retention.ts). */
  selection: text('selection').notNull(),
  /** Hashed with the selection, so that the administrative log tells nobody's name. */
  salt: text('salt').notNull(),
  /** Of a case: its records in the ledger, as runs of seq_no (src/protocol/number-runs.ts). */
  covered: text('covered'),
  reason: text('reason').notNull(),
  placedBy: text('placed_by').notNull(),
  placedAt: integer('placed_at').notNull(),
  releasedBy: text('released_by'),
  releasedAt: integer('released_at'),
  releaseReason: text('release_reason'),
});

export const retentionSweeps = sqliteTable('retention_sweeps', {
  sweepId: text('sweep_id').primaryKey(),
  orgId: text('org_id').notNull(),
  dryRun: integer('dry_run', { mode: 'boolean' }).notNull(),
  status: text('status', { enum: ['running', 'completed', 'stopped', 'failed'] }).notNull(),
  stoppedBecause: text('stopped_because', { enum: ['asked', 'rules_changed'] }),
  begunBy: text('begun_by').notNull(),
  begunAt: integer('begun_at').notNull(),
  endedAt: integer('ended_at'),
  /** JSON: the rules, each with the time before which it erases. */
  rules: text('rules').notNull(),
  rulesDigest: text('rules_digest').notNull(),
  toSeqNo: integer('to_seq_no').notNull(),
  /** Records up to this seq_no were examined. */
  position: integer('position').notNull(),
  /** JSON: what was erased and held so far. */
  tally: text('tally').notNull(),
  certificate: text('certificate'),
  certificateDigest: text('certificate_digest'),
  failure: text('failure'),
});

/** What people write about records, beside the evidence: read and written by src/service/cases/annotations.ts. */
export const annotations = sqliteTable(
  'annotations',
  {
    orgId: text('org_id').notNull(),
    operationId: text('operation_id').notNull(),
    note: text('note').notNull(),
    bookmarked: integer('bookmarked').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** The address of who was signed in. */
    updatedBy: text('updated_by'),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.operationId] })],
);

export const tags = sqliteTable(
  'tags',
  {
    orgId: text('org_id').notNull(),
    tag: text('tag').notNull(),
    operationId: text('operation_id').notNull(),
    place: integer('place').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.tag, table.operationId] })],
);

/** The log of what was written: src/service/investigation/annotations/annotation-log.ts. */
export const annotationLog = sqliteTable(
  'annotation_log',
  {
    orgId: text('org_id').notNull(),
    entryNo: integer('entry_no').notNull(),
    operationId: text('operation_id').notNull(),
    /** Canonical JSON, which is hashed. */
    entry: text('entry').notNull(),
    entryHash: text('entry_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.entryNo] })],
);
