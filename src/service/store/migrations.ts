/**
 * The database, step by step. A step is never changed once released: a new one is added. `user_version` counts the steps
 * done; each runs in one transaction with its count, so that a crash leaves the step done or not begun.
 *
 * Evidence (operations, epochs, admin events) may be added to and read. The triggers refuse the rest: no bug of ours can
 * rewrite it quietly. They do not stop somebody with the file in hand; that is what the hashes are for.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE organizations (
    org_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE users (
    user_id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE,
    name TEXT NOT NULL,
    password_hash TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE members (
    member_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations,
    user_id TEXT NOT NULL UNIQUE REFERENCES users,
    role TEXT NOT NULL,
    joined_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE sessions (
    token_hash BLOB PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE api_tokens (
    token_id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users,
    created_at INTEGER NOT NULL,
    ttl_seconds INTEGER,
    expires_at INTEGER
  ) STRICT;

  CREATE TABLE oauth_identities (
    provider TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (provider, subject)
  ) STRICT;

  CREATE TABLE oauth_states (
    state_hash BLOB PRIMARY KEY,
    provider TEXT NOT NULL,
    code_verifier TEXT NOT NULL,
    nonce TEXT NOT NULL,
    callback_url TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE invitations (
    invitation_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations,
    email TEXT NOT NULL COLLATE NOCASE,
    role TEXT NOT NULL,
    status TEXT NOT NULL,
    code_hash BLOB NOT NULL UNIQUE,
    inviter_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX invitations_by_org ON invitations (org_id, status, created_at);

  CREATE TABLE service_keys (
    kid TEXT PRIMARY KEY,
    public_key TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    retired_at INTEGER,
    prev_kid TEXT,
    self_signature TEXT NOT NULL,
    prev_signature TEXT
  ) STRICT;

  CREATE TABLE agents (
    org_id TEXT NOT NULL REFERENCES organizations,
    agent_id TEXT NOT NULL,
    display_name TEXT NOT NULL,
    responsible_entity TEXT,
    integration_type TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    head_seq_no INTEGER,
    head_chain_hash BLOB,
    PRIMARY KEY (org_id, agent_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE agent_keys (
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    kid TEXT NOT NULL,
    public_key TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    retired_at INTEGER,
    service_kid TEXT NOT NULL REFERENCES service_keys,
    attestation TEXT NOT NULL,
    PRIMARY KEY (org_id, agent_id, kid),
    FOREIGN KEY (org_id, agent_id) REFERENCES agents
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE agent_assignments (
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users,
    assigned_by TEXT NOT NULL,
    assigned_at INTEGER NOT NULL,
    PRIMARY KEY (org_id, agent_id, user_id),
    FOREIGN KEY (org_id, agent_id) REFERENCES agents
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE operations (
    org_id TEXT NOT NULL REFERENCES organizations,
    seq_no INTEGER NOT NULL,
    operation_id TEXT NOT NULL COLLATE NOCASE,
    agent_id TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    issued_at_ms INTEGER NOT NULL,
    ttl_ms INTEGER NOT NULL,
    nonce TEXT NOT NULL,
    operation_type TEXT NOT NULL,
    subject TEXT NOT NULL,
    action TEXT NOT NULL,
    payload TEXT,
    payload_hash BLOB NOT NULL,
    prev_chain_hash BLOB,
    agent_pubkey_kid TEXT NOT NULL,
    signature BLOB NOT NULL,
    receipt_id TEXT NOT NULL,
    chain_hash BLOB NOT NULL,
    received_at INTEGER NOT NULL,
    service_kid TEXT NOT NULL REFERENCES service_keys,
    service_signature BLOB NOT NULL,
    leaf_hash BLOB NOT NULL,
    PRIMARY KEY (org_id, seq_no),
    FOREIGN KEY (org_id, agent_id, agent_pubkey_kid) REFERENCES agent_keys
  ) STRICT;
  CREATE UNIQUE INDEX operations_by_id ON operations (org_id, operation_id);
  CREATE UNIQUE INDEX operations_by_nonce ON operations (org_id, agent_id, nonce);
  CREATE INDEX operations_by_agent ON operations (org_id, agent_id, seq_no);
  CREATE INDEX operations_by_receipt_time ON operations (org_id, received_at, seq_no);
  CREATE INDEX operations_by_type ON operations (org_id, operation_type, seq_no);
  CREATE INDEX operations_by_subject ON operations (org_id, subject, seq_no);
  CREATE INDEX operations_by_issue_time ON operations (org_id, issued_at_ms, seq_no);

  CREATE TABLE epochs (
    org_id TEXT NOT NULL REFERENCES organizations,
    epoch_no INTEGER NOT NULL,
    epoch_id TEXT NOT NULL UNIQUE,
    start_time TEXT NOT NULL,
    end_time TEXT NOT NULL,
    first_seq_no INTEGER NOT NULL,
    last_seq_no INTEGER NOT NULL,
    leaf_count INTEGER NOT NULL,
    root_hash TEXT NOT NULL,
    prev_epoch_hash TEXT,
    admin_head_hash TEXT,
    service_kid TEXT NOT NULL REFERENCES service_keys,
    signature_by_service TEXT NOT NULL,
    PRIMARY KEY (org_id, epoch_no)
  ) STRICT;
  CREATE UNIQUE INDEX epochs_by_last_seq_no ON epochs (org_id, last_seq_no);

  CREATE TABLE admin_events (
    org_id TEXT NOT NULL REFERENCES organizations,
    event_no INTEGER NOT NULL,
    event_id TEXT NOT NULL UNIQUE,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target_type TEXT NOT NULL,
    target_id TEXT NOT NULL,
    details TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    prev_event_hash TEXT,
    event_hash TEXT NOT NULL,
    PRIMARY KEY (org_id, event_no)
  ) STRICT;

  CREATE TABLE exports (
    export_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations,
    status TEXT NOT NULL,
    format TEXT NOT NULL,
    start_time TEXT NOT NULL,
    end_time TEXT NOT NULL,
    agent_id TEXT,
    record_count INTEGER,
    created_at INTEGER NOT NULL,
    completed_at INTEGER
  ) STRICT;
  CREATE INDEX exports_by_time ON exports (org_id, created_at, export_id);

  CREATE TABLE ledger_verifications (
    org_id TEXT PRIMARY KEY REFERENCES organizations,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    completed_at INTEGER,
    records_checked INTEGER NOT NULL,
    records_total INTEGER NOT NULL,
    findings TEXT NOT NULL
  ) STRICT;

  CREATE TABLE webhooks (
    webhook_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations,
    endpoint_url TEXT NOT NULL,
    events TEXT NOT NULL,
    sealed_secret BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    seen_seq_no INTEGER NOT NULL,
    seen_epoch_no INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX webhooks_by_org ON webhooks (org_id, created_at);

  CREATE TABLE webhook_deliveries (
    delivery_no INTEGER PRIMARY KEY,
    delivery_id TEXT NOT NULL UNIQUE,
    webhook_id TEXT NOT NULL REFERENCES webhooks,
    event_type TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    next_attempt_at INTEGER,
    last_attempt_at INTEGER,
    last_status INTEGER,
    last_error TEXT
  ) STRICT;
  CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, delivery_no);
  CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (webhook_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (last_attempt_at) WHERE status = 'failed';
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

  CREATE TRIGGER operations_keep_rows BEFORE DELETE ON operations
    BEGIN SELECT RAISE(ABORT, 'operations are evidence and are not deleted'); END;
  CREATE TRIGGER operations_keep_values BEFORE UPDATE ON operations
    BEGIN SELECT RAISE(ABORT, 'operations are evidence and are not changed'); END;
  CREATE TRIGGER epochs_keep_rows BEFORE DELETE ON epochs
    BEGIN SELECT RAISE(ABORT, 'epochs are evidence and are not deleted'); END;
  CREATE TRIGGER epochs_keep_values BEFORE UPDATE ON epochs
    BEGIN SELECT RAISE(ABORT, 'epochs are evidence and are not changed'); END;
  CREATE TRIGGER admin_events_keep_rows BEFORE DELETE ON admin_events
    BEGIN SELECT RAISE(ABORT, 'admin events are evidence and are not deleted'); END;
  CREATE TRIGGER admin_events_keep_values BEFORE UPDATE ON admin_events
    BEGIN SELECT RAISE(ABORT, 'admin events are evidence and are not changed'); END;
  `,
  // What operations are searched by, and whether an id or a nonce was used, is kept in a file beside (operation-index):
  // as indexes of this table they cost each commit several pages a record.
  `
  DROP INDEX operations_by_id;
  DROP INDEX operations_by_nonce;
  DROP INDEX operations_by_agent;
  DROP INDEX operations_by_receipt_time;
  DROP INDEX operations_by_type;
  DROP INDEX operations_by_subject;
  DROP INDEX operations_by_issue_time;

  -- What an export withholds, as canonical JSON, and how many payloads that came to.
  ALTER TABLE exports ADD COLUMN redaction TEXT;
  ALTER TABLE exports ADD COLUMN redacted_count INTEGER;
  -- Why it failed, in a sentence.
  ALTER TABLE exports ADD COLUMN failure TEXT;

  -- A payload can be erased (docs/interface.md, Operations), and nothing else of an operation can be changed.
  DROP TRIGGER operations_keep_values;
  CREATE TRIGGER operations_keep_values BEFORE UPDATE ON operations
    WHEN NEW.payload IS NOT NULL OR OLD.payload IS NULL
      OR (NEW.org_id, NEW.seq_no, NEW.operation_id, NEW.agent_id, NEW.issued_at, NEW.issued_at_ms, NEW.ttl_ms, NEW.nonce,
          NEW.operation_type, NEW.subject, NEW.action, NEW.payload_hash, NEW.prev_chain_hash, NEW.agent_pubkey_kid,
          NEW.signature, NEW.receipt_id, NEW.chain_hash, NEW.received_at, NEW.service_kid, NEW.service_signature,
          NEW.leaf_hash)
      IS NOT
         (OLD.org_id, OLD.seq_no, OLD.operation_id, OLD.agent_id, OLD.issued_at, OLD.issued_at_ms, OLD.ttl_ms, OLD.nonce,
          OLD.operation_type, OLD.subject, OLD.action, OLD.payload_hash, OLD.prev_chain_hash, OLD.agent_pubkey_kid,
          OLD.signature, OLD.receipt_id, OLD.chain_hash, OLD.received_at, OLD.service_kid, OLD.service_signature,
          OLD.leaf_hash)
    BEGIN SELECT RAISE(ABORT, 'operations are evidence and are not changed'); END;
  `,
  // How each attempt at a delivery went, as JSON; when an API token was last used.
  `
  ALTER TABLE webhook_deliveries ADD COLUMN attempt_log TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE api_tokens ADD COLUMN last_used_at INTEGER;
  `,
  // What an API token is for, what it is called, and where it was last used from.
  `
  ALTER TABLE api_tokens ADD COLUMN name TEXT;
  ALTER TABLE api_tokens ADD COLUMN scope TEXT NOT NULL DEFAULT 'full';
  ALTER TABLE api_tokens ADD COLUMN agent_id TEXT;
  ALTER TABLE api_tokens ADD COLUMN last_used_from TEXT;
  `,
  // Which organization administers the service: until now it was the one that was made first.
  `
  CREATE TABLE home_organization (
    only INTEGER PRIMARY KEY DEFAULT 1 CHECK (only = 1),
    org_id TEXT NOT NULL REFERENCES organizations
  ) STRICT;
  INSERT INTO home_organization (org_id) SELECT org_id FROM organizations ORDER BY rowid LIMIT 1;
  CREATE TRIGGER home_organization_keeps_row BEFORE DELETE ON home_organization
    BEGIN SELECT RAISE(ABORT, 'the home organization stays'); END;
  CREATE TRIGGER home_organization_keeps_value BEFORE UPDATE ON home_organization
    BEGIN SELECT RAISE(ABORT, 'the home organization stays'); END;
  `,
  // The page that a session was begun by, or a sign-in at a provider, as the SHA-256 of its secret; NULL for other clients.
  `
  ALTER TABLE sessions ADD COLUMN page_hash BLOB;
  ALTER TABLE oauth_states ADD COLUMN page_hash BLOB;
  `,
  // From which pages a user signed in, so that these are not kept waiting by what others try.
  `
  CREATE TABLE known_pages (
    user_id TEXT NOT NULL REFERENCES users,
    page_hash BLOB NOT NULL,
    signed_in_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, page_hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX known_pages_by_page ON known_pages (page_hash);
  `,
  // When it was shown that an address is its account's: of the accounts there are, those that a provider made, and those that
  // were made by accepting an invitation. And who was signed in where a sign-in with a provider was begun.
  `
  ALTER TABLE users ADD COLUMN email_verified_at INTEGER;
  UPDATE users SET email_verified_at = created_at WHERE password_hash IS NULL OR EXISTS (
    SELECT 1 FROM members m JOIN invitations i ON i.org_id = m.org_id
    WHERE m.user_id = users.user_id AND m.joined_at = users.created_at AND i.email = users.email AND i.status = 'accepted'
  );
  ALTER TABLE oauth_states ADD COLUMN user_id TEXT;
  `,
  // A session's beginning, which its end is counted from; when its person last proved who they are; its last use.
  `
  ALTER TABLE sessions ADD COLUMN begun_at INTEGER;
  ALTER TABLE sessions ADD COLUMN proved_at INTEGER;
  ALTER TABLE sessions ADD COLUMN last_used_at INTEGER;
  ALTER TABLE sessions ADD COLUMN last_used_from TEXT;
  ALTER TABLE sessions ADD COLUMN browser TEXT;
  UPDATE sessions SET begun_at = created_at, proved_at = created_at;
  CREATE INDEX sessions_by_user ON sessions (user_id);

  CREATE TABLE passkeys (
    passkey_id TEXT PRIMARY KEY,
    credential_id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users,
    name TEXT NOT NULL,
    use TEXT NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT;
  CREATE INDEX passkeys_by_user ON passkeys (user_id);
  `,
  // What a delivery tells of, in place of a copy of its body; how large the files of an export are.
  `
  ALTER TABLE webhook_deliveries ADD COLUMN ledger_no INTEGER;
  ALTER TABLE exports ADD COLUMN bytes INTEGER;
  `,
  // Whether an organization separates duties (src/contract/rights.ts).
  `
  ALTER TABLE organizations ADD COLUMN separate_duties INTEGER NOT NULL DEFAULT 0;
  `,
  // What was refused, beside the evidence: bounded in number and age (src/service/refusals).
  `
  CREATE TABLE refusals (
    refusal_no INTEGER PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations,
    kind TEXT NOT NULL,
    code TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    kid TEXT NOT NULL,
    operation_id TEXT,
    user_id TEXT,
    address TEXT NOT NULL,
    minute INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    times INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX refusals_by_kind ON refusals (org_id, kind, code, agent_id, kid, address, minute, slot);
  CREATE INDEX refusals_by_no ON refusals (org_id, refusal_no);
  `,
  // Epochs seal the root of the whole log as well (protocol F70). What was signed before lacks it: see CARRIED_ON_FROM.
  `
  DROP TABLE epochs;
  CREATE TABLE epochs (
    org_id TEXT NOT NULL REFERENCES organizations,
    epoch_no INTEGER NOT NULL,
    epoch_id TEXT NOT NULL UNIQUE,
    start_time TEXT NOT NULL,
    end_time TEXT NOT NULL,
    first_seq_no INTEGER NOT NULL,
    last_seq_no INTEGER NOT NULL,
    leaf_count INTEGER NOT NULL,
    root_hash TEXT NOT NULL,
    log_root TEXT NOT NULL,
    prev_epoch_hash TEXT,
    admin_head_hash TEXT,
    service_kid TEXT NOT NULL REFERENCES service_keys,
    signature_by_service TEXT NOT NULL,
    PRIMARY KEY (org_id, epoch_no)
  ) STRICT;
  CREATE UNIQUE INDEX epochs_by_last_seq_no ON epochs (org_id, last_seq_no);
  CREATE TRIGGER epochs_keep_rows BEFORE DELETE ON epochs
    BEGIN SELECT RAISE(ABORT, 'epochs are evidence and are not deleted'); END;
  CREATE TRIGGER epochs_keep_values BEFORE UPDATE ON epochs
    BEGIN SELECT RAISE(ABORT, 'epochs are evidence and are not changed'); END;

  -- Roots of complete subtrees of an organization's log: 2^height leaves, the index counted among those of one height.
  CREATE TABLE log_subtrees (
    org_id TEXT NOT NULL REFERENCES organizations,
    height INTEGER NOT NULL,
    subtree_index INTEGER NOT NULL,
    root BLOB NOT NULL,
    PRIMARY KEY (org_id, height, subtree_index)
  ) STRICT, WITHOUT ROWID;

  -- When an organization's newest manifest was signed, in milliseconds: bundles go, and nothing later may be earlier.
  CREATE TABLE latest_manifest (
    org_id TEXT PRIMARY KEY REFERENCES organizations,
    created_at INTEGER NOT NULL
  ) STRICT;
  `,
  // What members of salted payloads are shown with. A row is never moved nor made longer or shorter: to erase is to
  // overwrite it where it stands, so that no copy is left on a page that a row moved away from.
  `
  CREATE TABLE disclosures (
    disclosures_no INTEGER PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER disclosures_keep_rows BEFORE DELETE ON disclosures
    BEGIN SELECT RAISE(ABORT, 'disclosures are erased where they stand'); END;
  CREATE TRIGGER disclosures_keep_length BEFORE UPDATE ON disclosures
    WHEN NEW.disclosures_no IS NOT OLD.disclosures_no
      OR length(CAST(NEW.text AS BLOB)) <> length(CAST(OLD.text AS BLOB)) OR length(trim(NEW.text)) >= length(trim(OLD.text))
    BEGIN SELECT RAISE(ABORT, 'disclosures are erased where they stand'); END;

  ALTER TABLE operations ADD COLUMN disclosures_no INTEGER REFERENCES disclosures;
  DROP TRIGGER operations_keep_values;
  CREATE TRIGGER operations_keep_values BEFORE UPDATE ON operations
    WHEN NEW.payload IS NOT NULL OR OLD.payload IS NULL
      OR (NEW.org_id, NEW.seq_no, NEW.operation_id, NEW.agent_id, NEW.issued_at, NEW.issued_at_ms, NEW.ttl_ms, NEW.nonce,
          NEW.operation_type, NEW.subject, NEW.action, NEW.payload_hash, NEW.prev_chain_hash, NEW.agent_pubkey_kid,
          NEW.signature, NEW.receipt_id, NEW.chain_hash, NEW.received_at, NEW.service_kid, NEW.service_signature,
          NEW.leaf_hash, NEW.disclosures_no)
      IS NOT
         (OLD.org_id, OLD.seq_no, OLD.operation_id, OLD.agent_id, OLD.issued_at, OLD.issued_at_ms, OLD.ttl_ms, OLD.nonce,
          OLD.operation_type, OLD.subject, OLD.action, OLD.payload_hash, OLD.prev_chain_hash, OLD.agent_pubkey_kid,
          OLD.signature, OLD.receipt_id, OLD.chain_hash, OLD.received_at, OLD.service_kid, OLD.service_signature,
          OLD.leaf_hash, OLD.disclosures_no)
    BEGIN SELECT RAISE(ABORT, 'operations are evidence and are not changed'); END;
  `,
  // The API token that issued another, which ends with it.
  `
  ALTER TABLE api_tokens ADD COLUMN parent_token_id TEXT REFERENCES api_tokens;
  CREATE INDEX api_tokens_by_parent ON api_tokens (parent_token_id);
  `,
  // How payloads are read for search, and searches that an organization keeps. `rules` is null for those of the product.
  `
  CREATE TABLE investigation_rules (
    org_id TEXT PRIMARY KEY REFERENCES organizations,
    rules TEXT,
    changed_at INTEGER NOT NULL,
    changed_by TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE saved_searches (
    search_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations,
    name TEXT NOT NULL,
    search TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    UNIQUE (org_id, name)
  ) STRICT;
  `,
  // How long payloads are kept, what holds them, and sweeps that erase them (docs/retention.md). `covered` are the records of a
  // case that a hold covers, as runs of seq_no. Of a sweep, `position` is how far it has come and `certificate` what it signed.
  `
  CREATE TABLE retention_rules (
    org_id TEXT PRIMARY KEY REFERENCES organizations,
    rules TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    changed_by TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE legal_holds (
    hold_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations,
    selection TEXT NOT NULL,
    salt TEXT NOT NULL,
    covered TEXT,
    reason TEXT NOT NULL,
    placed_by TEXT NOT NULL,
    placed_at INTEGER NOT NULL,
    released_by TEXT,
    released_at INTEGER,
    release_reason TEXT
  ) STRICT;
  CREATE INDEX legal_holds_by_org ON legal_holds (org_id, released_at);
  CREATE TRIGGER legal_holds_keep_rows BEFORE DELETE ON legal_holds
    BEGIN SELECT RAISE(ABORT, 'legal holds are released and not deleted'); END;
  CREATE TRIGGER legal_holds_keep_values BEFORE UPDATE ON legal_holds
    WHEN OLD.released_at IS NOT NULL OR NEW.released_at IS NULL
      OR (NEW.hold_id, NEW.org_id, NEW.selection, NEW.salt, NEW.covered, NEW.reason, NEW.placed_by, NEW.placed_at)
      IS NOT (OLD.hold_id, OLD.org_id, OLD.selection, OLD.salt, OLD.covered, OLD.reason, OLD.placed_by, OLD.placed_at)
    BEGIN SELECT RAISE(ABORT, 'legal holds are released and not changed'); END;

  CREATE TABLE retention_sweeps (
    sweep_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations,
    dry_run INTEGER NOT NULL,
    status TEXT NOT NULL,
    stopped_because TEXT,
    begun_by TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    ended_at INTEGER,
    rules TEXT NOT NULL,
    rules_digest TEXT NOT NULL,
    to_seq_no INTEGER NOT NULL,
    position INTEGER NOT NULL,
    tally TEXT NOT NULL,
    certificate TEXT,
    certificate_digest TEXT,
    failure TEXT
  ) STRICT;
  CREATE INDEX retention_sweeps_by_org ON retention_sweeps (org_id, begun_at);
  `,
  // The person whose own agent it is: that person's decisions are its records.
  `
  ALTER TABLE agents ADD COLUMN user_id TEXT REFERENCES users;
  CREATE UNIQUE INDEX agents_by_person ON agents (org_id, user_id) WHERE user_id IS NOT NULL AND deleted_at IS NULL;
  `,
  // What an organization's people write about records, beside the evidence: tags, notes, bookmarks, and the log of who wrote
  // what. The file of a case has the same first two tables (src/service/cases/annotations-file.ts).
  `
  CREATE TABLE annotations (
    org_id TEXT NOT NULL REFERENCES organizations,
    operation_id TEXT NOT NULL,
    note TEXT NOT NULL,
    bookmarked INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    updated_by TEXT,
    PRIMARY KEY (org_id, operation_id)
  ) STRICT;

  CREATE TABLE tags (
    org_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (org_id, tag, operation_id),
    FOREIGN KEY (org_id, operation_id) REFERENCES annotations
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_by_operation ON tags (org_id, operation_id, place);

  CREATE TABLE annotation_log (
    org_id TEXT NOT NULL REFERENCES organizations,
    entry_no INTEGER NOT NULL,
    operation_id TEXT NOT NULL,
    entry TEXT NOT NULL,
    entry_hash TEXT NOT NULL,
    PRIMARY KEY (org_id, entry_no)
  ) STRICT;
  CREATE INDEX annotation_log_by_operation ON annotation_log (org_id, operation_id, entry_no);
  CREATE TRIGGER annotation_log_keeps_rows BEFORE DELETE ON annotation_log
    BEGIN SELECT RAISE(ABORT, 'entries of the log of annotations are not deleted'); END;
  CREATE TRIGGER annotation_log_keeps_values BEFORE UPDATE ON annotation_log
    BEGIN SELECT RAISE(ABORT, 'entries of the log of annotations are not changed'); END;
  `,
  // Whether a report prints every record; null where nobody said so.
  'ALTER TABLE exports ADD COLUMN details INTEGER;',
  // Bytes of records by agent, and by organization under an empty name, for quotas; see ledger/record-room.ts.
  `
  CREATE TABLE record_bytes (
    org_id TEXT NOT NULL REFERENCES organizations,
    agent_id TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (org_id, agent_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO record_bytes
    SELECT o.org_id, o.agent_id, sum(1024 + coalesce(octet_length(o.payload), 0) + coalesce(octet_length(rtrim(d.text)), 0))
    FROM operations o LEFT JOIN disclosures d ON d.disclosures_no = o.disclosures_no
    GROUP BY o.org_id, o.agent_id;
  INSERT INTO record_bytes SELECT org_id, '', sum(bytes) FROM record_bytes GROUP BY org_id;
  `,
  // Clock corrections are looked for at every start and in every range of time, and there are hardly ever any.
  "CREATE INDEX clock_corrections ON admin_events (org_id, event_no) WHERE action = 'ledger.clock_corrected';",
];

/**
 * The first schema whose ledgers can be carried on. An older one is brought up to date only where nothing was signed in it:
 * what was signed cannot be signed again.
 */
export const CARRIED_ON_FROM = 13;
