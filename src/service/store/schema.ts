import {
  blob,
  check,
  customType,
  foreignKey,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTable,
  sql,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from './drizzle.ts';

/**
 * The tables of the ledger's database: create-tables.ts makes them of this, and drizzle reads rows by it. Times are milliseconds
 * since the Unix epoch unless they are text. Hashes and raw signatures of operations are blobs of 32 and 64 bytes.
 */
const bytes = (name: string) => blob(name, { mode: 'buffer' });
/** Text of which A to Z and a to z are the same. */
const anyCaseText = customType<{ data: string }>({ dataType: () => 'text COLLATE NOCASE' });
const ofOrganization = () =>
  text('org_id')
    .notNull()
    .references(() => organizations.orgId);
const ofUser = () =>
  text('user_id')
    .notNull()
    .references(() => users.userId);
const ofServiceKey = () =>
  text('service_kid')
    .notNull()
    .references(() => serviceKeys.kid);

export const organizations = sqliteTable('organizations', {
  orgId: text('org_id').primaryKey(),
  name: text('name').notNull(),
  description: text('description'),
  createdAt: integer('created_at').notNull(),
  /** 1 where the organization separates duties (src/api/rights.ts). */
  separateDuties: integer('separate_duties').notNull().default(0),
  /** What its records take, in bytes, as ledger/record-room.ts counts it. */
  recordBytes: integer('record_bytes').notNull().default(0),
});

/** The organization that administers the service: one row, or none until it is claimed. */
export const homeOrganization = sqliteTable(
  'home_organization',
  {
    only: integer('only').primaryKey().default(1),
    orgId: ofOrganization(),
  },
  () => [check('only_one', sql`only = 1`)],
);

export const users = sqliteTable('users', {
  userId: text('user_id').primaryKey(),
  email: anyCaseText('email').notNull().unique(),
  name: text('name').notNull(),
  passwordHash: text('password_hash'),
  createdAt: integer('created_at').notNull(),
  /** When it was shown that the address is the account's; null until then. */
  emailVerifiedAt: integer('email_verified_at'),
});

export const members = sqliteTable('members', {
  memberId: text('member_id').primaryKey(),
  orgId: ofOrganization(),
  userId: ofUser().unique(),
  role: text('role').notNull(),
  joinedAt: integer('joined_at').notNull(),
});

export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    userId: ofUser(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    pageHash: bytes('page_hash'),
    /** When the person signed in; a refreshed session keeps it. Null in rows from before there was the column. */
    begunAt: integer('begun_at'),
    provedAt: integer('proved_at'),
    lastUsedAt: integer('last_used_at'),
    lastUsedFrom: text('last_used_from'),
    browser: text('browser'),
  },
  (table) => [index('sessions_by_user').on(table.userId)],
);

export const passkeys = sqliteTable(
  'passkeys',
  {
    passkeyId: text('passkey_id').primaryKey(),
    /** base64url, as the authenticator names it. */
    credentialId: text('credential_id').notNull().unique(),
    userId: ofUser(),
    name: text('name').notNull(),
    use: text('use', { enum: ['second_step', 'alone'] }).notNull(),
    /** COSE_Key. */
    publicKey: bytes('public_key').notNull(),
    counter: integer('counter').notNull(),
    /** JSON array. */
    transports: text('transports').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('passkeys_by_user').on(table.userId)],
);

/** From which pages users signed in: whatever others try, these are not kept waiting. */
export const knownPages = sqliteTable(
  'known_pages',
  {
    userId: ofUser(),
    pageHash: bytes('page_hash').notNull(),
    signedInAt: integer('signed_in_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.pageHash] }), index('known_pages_by_page').on(table.pageHash)],
);

export const apiTokens = sqliteTable(
  'api_tokens',
  {
    tokenId: text('token_id').primaryKey(),
    tokenHash: bytes('token_hash').notNull().unique(),
    userId: ofUser(),
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
    parentTokenId: text('parent_token_id').references((): SQLiteColumn => apiTokens.tokenId),
  },
  (table) => [index('api_tokens_by_parent').on(table.parentTokenId)],
);

export const oauthIdentities = sqliteTable(
  'oauth_identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    userId: ofUser(),
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

export const invitations = sqliteTable(
  'invitations',
  {
    invitationId: text('invitation_id').primaryKey(),
    orgId: ofOrganization(),
    email: anyCaseText('email').notNull(),
    role: text('role').notNull(),
    status: text('status').notNull(),
    codeHash: bytes('code_hash').notNull().unique(),
    inviterId: text('inviter_id').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('invitations_by_org').on(table.orgId, table.status, table.createdAt)],
);

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
    orgId: ofOrganization(),
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
    /** What its records take, in bytes, as ledger/record-room.ts counts it. */
    recordBytes: integer('record_bytes').notNull().default(0),
    userId: text('user_id').references(() => users.userId),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.agentId] }),
    uniqueIndex('agents_by_person')
      .on(table.orgId, table.userId)
      .where(sql`user_id IS NOT NULL AND deleted_at IS NULL`),
  ],
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
    serviceKid: ofServiceKey(),
    attestation: text('attestation').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.agentId, table.kid] }),
    foreignKey({ columns: [table.orgId, table.agentId], foreignColumns: [agents.orgId, agents.agentId] }),
  ],
);

export const agentAssignments = sqliteTable(
  'agent_assignments',
  {
    orgId: text('org_id').notNull(),
    agentId: text('agent_id').notNull(),
    userId: ofUser(),
    assignedBy: text('assigned_by').notNull(),
    assignedAt: integer('assigned_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.agentId, table.userId] }),
    foreignKey({ columns: [table.orgId, table.agentId], foreignColumns: [agents.orgId, agents.agentId] }),
  ],
);

export const operations = sqliteTable(
  'operations',
  {
    orgId: ofOrganization(),
    seqNo: integer('seq_no').notNull(),
    operationId: anyCaseText('operation_id').notNull(),
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
    serviceKid: ofServiceKey(),
    serviceSignature: bytes('service_signature').notNull(),
    leafHash: bytes('leaf_hash').notNull(),
    /** Where its disclosures are; null where none came with it. */
    disclosuresNo: integer('disclosures_no').references(() => disclosures.disclosuresNo),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.seqNo] }),
    foreignKey({
      columns: [table.orgId, table.agentId, table.agentPubkeyKid],
      foreignColumns: [agentKeys.orgId, agentKeys.agentId, agentKeys.kid],
    }),
  ],
);

/** What members of salted payloads are shown with; see ledger/operations/disclosures-table.ts. */
export const disclosures = sqliteTable('disclosures', {
  disclosuresNo: integer('disclosures_no').primaryKey(),
  text: text('text').notNull(),
});

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
    orgId: ofOrganization(),
    epochNo: integer('epoch_no').notNull(),
    epochId: text('epoch_id').notNull().unique(),
    startTime: text('start_time').notNull(),
    endTime: text('end_time').notNull(),
    firstSeqNo: integer('first_seq_no').notNull(),
    lastSeqNo: integer('last_seq_no').notNull(),
    leafCount: integer('leaf_count').notNull(),
    rootHash: text('root_hash').notNull(),
    logRoot: text('log_root').notNull(),
    prevEpochHash: text('prev_epoch_hash'),
    adminHeadHash: text('admin_head_hash'),
    serviceKid: ofServiceKey(),
    signatureByService: text('signature_by_service').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.epochNo] }),
    uniqueIndex('epochs_by_last_seq_no').on(table.orgId, table.lastSeqNo),
  ],
);

/** Who is asked to cosign checkpoints, of all organizations. */
export const witnesses = sqliteTable('witnesses', {
  witnessId: text('witness_id').primaryKey(),
  name: text('name').notNull(),
  /** Its submission prefix (C2SP tlog-witness); null where it is asked by file. */
  url: text('url'),
  /** JSON array, a vkey of C2SP signed-note each. */
  vkeys: text('vkeys').notNull(),
  addedAt: integer('added_at').notNull(),
  /** What it cosigned stays. */
  removedAt: integer('removed_at'),
});

const ofWitness = () =>
  text('witness_id')
    .notNull()
    .references(() => witnesses.witnessId);

/** Signature lines of witnesses, each verified under a key of its witness when it came. */
export const cosignatures = sqliteTable(
  'cosignatures',
  {
    orgId: ofOrganization(),
    /** Of the checkpoint. */
    size: integer('size').notNull(),
    witnessId: ofWitness(),
    algorithm: text('algorithm', { enum: ['ed25519', 'ml-dsa-44'] }).notNull(),
    /** What the witness says. */
    cosignedAt: integer('cosigned_at').notNull(),
    receivedAt: integer('received_at').notNull(),
    line: text('line').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.size, table.witnessId, table.algorithm] }),
    index('cosignatures_by_witness').on(table.orgId, table.witnessId, table.size),
  ],
);

/** How asking each witness for each organization stands, by HTTP. */
export const witnessAsks = sqliteTable(
  'witness_asks',
  {
    witnessId: ofWitness(),
    orgId: ofOrganization(),
    attempts: integer('attempts').notNull(),
    lastAttemptAt: integer('last_attempt_at').notNull(),
    nextAttemptAt: integer('next_attempt_at'),
    lastError: text('last_error'),
    /** What the witness said that it cosigned last. */
    toldSize: integer('told_size'),
  },
  (table) => [primaryKey({ columns: [table.witnessId, table.orgId] })],
);

/** Files of time stamps over checkpoints, a row for each number of tokens that there ever was (protocol F116). */
export const timeStamps = sqliteTable(
  'time_stamps',
  {
    orgId: ofOrganization(),
    /** Of the newest token, as the event that notes it has it. */
    digest: text('digest').notNull(),
    /** Of the first: what a stamp was renewed from, and with that again, has the same. */
    firstDigest: text('first_digest').notNull(),
    /** Of the checkpoint. */
    size: integer('size').notNull(),
    tokens: integer('tokens').notNull(),
    /** The latest time that the first token means. */
    existedBefore: integer('existed_before').notNull(),
    /** Who signed the newest token, as its certificate says; nobody here vouches for it. */
    authority: text('authority').notNull(),
    addedAt: integer('added_at').notNull(),
    file: text('file').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.digest] }),
    index('time_stamps_by_size').on(table.orgId, table.size),
  ],
);

/** Roots of complete subtrees of an organization's log, of the heights that are kept (log-subtrees.ts). */
export const logSubtrees = sqliteTable(
  'log_subtrees',
  {
    orgId: ofOrganization(),
    height: integer('height').notNull(),
    subtreeIndex: integer('subtree_index').notNull(),
    root: bytes('root').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.height, table.subtreeIndex] })],
);

/** When an organization's newest manifest was signed. */
export const latestManifest = sqliteTable('latest_manifest', {
  orgId: ofOrganization().primaryKey(),
  createdAt: integer('created_at').notNull(),
});

export const adminEvents = sqliteTable(
  'admin_events',
  {
    orgId: ofOrganization(),
    eventNo: integer('event_no').notNull(),
    eventId: text('event_id').notNull().unique(),
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
  (table) => [
    primaryKey({ columns: [table.orgId, table.eventNo] }),
    index('clock_corrections').on(table.orgId, table.eventNo).where(sql`action = 'ledger.clock_corrected'`),
  ],
);

export const exports = sqliteTable(
  'exports',
  {
    exportId: text('export_id').primaryKey(),
    orgId: ofOrganization(),
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
  },
  (table) => [index('exports_by_time').on(table.orgId, table.createdAt, table.exportId)],
);

export const ledgerVerifications = sqliteTable('ledger_verifications', {
  orgId: ofOrganization().primaryKey(),
  status: text('status').notNull(),
  startedAt: integer('started_at').notNull(),
  completedAt: integer('completed_at'),
  recordsChecked: integer('records_checked').notNull(),
  recordsTotal: integer('records_total').notNull(),
  /** JSON. */
  findings: text('findings').notNull(),
});

export const webhooks = sqliteTable(
  'webhooks',
  {
    webhookId: text('webhook_id').primaryKey(),
    orgId: ofOrganization(),
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
  },
  (table) => [index('webhooks_by_org').on(table.orgId, table.createdAt)],
);

export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    deliveryNo: integer('delivery_no').primaryKey(),
    deliveryId: text('delivery_id').notNull().unique(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.webhookId),
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
  },
  (table) => [
    index('webhook_deliveries_by_webhook').on(table.webhookId, table.deliveryNo),
    index('webhook_deliveries_queue').on(table.webhookId, table.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
    index('webhook_deliveries_failed').on(table.lastAttemptAt).where(sql`status = 'failed'`),
    index('webhook_deliveries_due').on(table.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
  ],
);

/** What was refused, beside the evidence (src/service/refusals). */
export const refusals = sqliteTable(
  'refusals',
  {
    refusalNo: integer('refusal_no').primaryKey(),
    orgId: ofOrganization(),
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
  },
  (table) => [
    uniqueIndex('refusals_by_kind').on(
      table.orgId,
      table.kind,
      table.code,
      table.agentId,
      table.kid,
      table.address,
      table.minute,
      table.slot,
    ),
    index('refusals_by_no').on(table.orgId, table.refusalNo),
  ],
);

/** The rules by which an organization has its payloads read (src/actions/facts/rules.ts), as JSON; null for those of the product. */
export const investigationRules = sqliteTable('investigation_rules', {
  orgId: ofOrganization().primaryKey(),
  rules: text('rules'),
  changedAt: integer('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});

export const savedSearches = sqliteTable(
  'saved_searches',
  {
    searchId: text('search_id').primaryKey(),
    orgId: ofOrganization(),
    name: text('name').notNull(),
    /** JSON, as it was given. */
    search: text('search').notNull(),
    createdAt: integer('created_at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (table) => [unique().on(table.orgId, table.name)],
);

/** How long an organization keeps payloads (src/api/retention.ts): JSON, a list of rules in order. */
export const retentionRules = sqliteTable('retention_rules', {
  orgId: ofOrganization().primaryKey(),
  rules: text('rules').notNull(),
  changedAt: integer('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
});

export const legalHolds = sqliteTable(
  'legal_holds',
  {
    holdId: text('hold_id').primaryKey(),
    orgId: ofOrganization(),
    /** JSON (src/api/retention.ts). */
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
  },
  (table) => [index('legal_holds_by_org').on(table.orgId, table.releasedAt)],
);

export const retentionSweeps = sqliteTable(
  'retention_sweeps',
  {
    sweepId: text('sweep_id').primaryKey(),
    orgId: ofOrganization(),
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
  },
  (table) => [index('retention_sweeps_by_org').on(table.orgId, table.begunAt)],
);

/** What people write about records, beside the evidence: read and written by src/service/cases/annotations.ts. */
export const annotations = sqliteTable(
  'annotations',
  {
    orgId: ofOrganization(),
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
  (table) => [
    primaryKey({ columns: [table.orgId, table.tag, table.operationId] }),
    foreignKey({
      columns: [table.orgId, table.operationId],
      foreignColumns: [annotations.orgId, annotations.operationId],
    }),
    index('tags_by_operation').on(table.orgId, table.operationId, table.place),
  ],
);

/** What somebody looked at, of what needs a look: src/service/search/annotations/looks.ts. */
export const looks = sqliteTable(
  'looks',
  {
    orgId: ofOrganization(),
    itemId: text('item_id').notNull(),
    lookedAt: integer('looked_at').notNull(),
    /** The address of who was signed in. */
    lookedBy: text('looked_by'),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.itemId] })],
);

/** The log of what was written: src/service/search/annotations/annotation-log.ts. */
export const annotationLog = sqliteTable(
  'annotation_log',
  {
    orgId: ofOrganization(),
    entryNo: integer('entry_no').notNull(),
    operationId: text('operation_id').notNull(),
    /** Canonical JSON, which is hashed. */
    entry: text('entry').notNull(),
    entryHash: text('entry_hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.entryNo] }),
    index('annotation_log_by_operation').on(table.orgId, table.operationId, table.entryNo),
  ],
);

/** Tables that are kept in the order of their primary keys: their rows are small, or looked up by nothing else. */
export const WITHOUT_ROWID: ReadonlySet<SQLiteTable> = new Set<SQLiteTable>([
  agents,
  agentKeys,
  agentAssignments,
  knownPages,
  logSubtrees,
  investigationRules,
  retentionRules,
  tags,
  looks,
]);
