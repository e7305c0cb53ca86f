/** Tables of the index of a case for what was found and signed by nobody. Signed records are never in them, nor these in theirs. */
export const FOUND_TABLES = `
CREATE TABLE found_files (
  file_id INTEGER PRIMARY KEY, item_no INTEGER NOT NULL, file_no INTEGER NOT NULL, found_at TEXT NOT NULL, bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL, modified_ms INTEGER, changed INTEGER NOT NULL, kind TEXT, program TEXT, sessions INTEGER NOT NULL DEFAULT 0,
  actions INTEGER NOT NULL DEFAULT 0, events INTEGER NOT NULL DEFAULT 0, repeated INTEGER NOT NULL DEFAULT 0,
  signs INTEGER NOT NULL DEFAULT 0, unread INTEGER NOT NULL DEFAULT 0, offset_ms INTEGER, offset_from INTEGER
) STRICT;
CREATE TABLE found (
  n INTEGER PRIMARY KEY, seq_no INTEGER NOT NULL, operation_id TEXT NOT NULL, agent_id TEXT NOT NULL, operation_type TEXT NOT NULL,
  subject TEXT NOT NULL, action TEXT NOT NULL, issued_at_ms INTEGER NOT NULL, file_id INTEGER NOT NULL, line INTEGER NOT NULL,
  end_line INTEGER NOT NULL, session TEXT, call_id TEXT
) STRICT;
CREATE TABLE found_notes (
  note_no INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, line INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL
) STRICT;
CREATE TABLE log_events (
  event_no INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL
) STRICT;
CREATE TABLE corroborations (
  n INTEGER NOT NULL, event_no INTEGER NOT NULL, fits_by TEXT NOT NULL, PRIMARY KEY (n, event_no)
) STRICT, WITHOUT ROWID;
CREATE TABLE differences (
  difference_no INTEGER PRIMARY KEY, state TEXT NOT NULL, found_n INTEGER, ledger_n INTEGER, members TEXT NOT NULL,
  session TEXT NOT NULL, call_id TEXT
) STRICT;
`;

/** Made once all rows are there. */
export const FOUND_INDEXES = `
CREATE INDEX found_operation ON found (operation_id);
CREATE INDEX found_file ON found (file_id, line);
CREATE INDEX found_session ON found (session, call_id);
CREATE INDEX found_notes_file ON found_notes (file_id, line);
`;

/** Tables that are filled while the files are read, and gone before the index is one. */
export const STAGING_TABLES = `
CREATE TEMP TABLE staged (
  ordinal INTEGER PRIMARY KEY, name TEXT UNIQUE, digest BLOB NOT NULL, operation_id TEXT NOT NULL, agent_id TEXT NOT NULL,
  operation_type TEXT NOT NULL, subject TEXT NOT NULL, action TEXT NOT NULL, at INTEGER NOT NULL, file_id INTEGER NOT NULL,
  line INTEGER NOT NULL, end_line INTEGER NOT NULL, session TEXT, call_id TEXT, text BLOB NOT NULL
) STRICT;
CREATE TEMP TABLE staged_calls (
  session TEXT NOT NULL, call_id TEXT, n INTEGER NOT NULL, at INTEGER NOT NULL, action_id TEXT, account TEXT NOT NULL
) STRICT;
`;
