/**
 * What brings a database of a released version to the next, step by step. `user_version` is FIRST_SCHEMA and the steps done; each runs in
 * one transaction with its count, so that a crash leaves the step done or not begun. A step is never changed once released. A new
 * database has the tables of schema.ts at once, so a step is added here together with its change there.
 */
export const MIGRATIONS: readonly string[] = [
  // Witnesses, and what they cosigned.
  `CREATE TABLE witnesses (
  witness_id text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  url text,
  vkeys text NOT NULL,
  added_at integer NOT NULL,
  removed_at integer
) STRICT;
CREATE TABLE cosignatures (
  org_id text NOT NULL,
  size integer NOT NULL,
  witness_id text NOT NULL,
  algorithm text NOT NULL,
  cosigned_at integer NOT NULL,
  received_at integer NOT NULL,
  line text NOT NULL,
  PRIMARY KEY (org_id, size, witness_id, algorithm),
  FOREIGN KEY (org_id) REFERENCES organizations (org_id),
  FOREIGN KEY (witness_id) REFERENCES witnesses (witness_id)
) STRICT;
CREATE TABLE witness_asks (
  witness_id text NOT NULL,
  org_id text NOT NULL,
  attempts integer NOT NULL,
  last_attempt_at integer NOT NULL,
  next_attempt_at integer,
  last_error text,
  told_size integer,
  PRIMARY KEY (witness_id, org_id),
  FOREIGN KEY (witness_id) REFERENCES witnesses (witness_id),
  FOREIGN KEY (org_id) REFERENCES organizations (org_id)
) STRICT;
CREATE INDEX cosignatures_by_witness ON cosignatures (org_id, witness_id, size);
CREATE TRIGGER cosignatures_keep_rows BEFORE DELETE ON cosignatures BEGIN SELECT RAISE(ABORT, 'cosignatures are evidence and are not deleted'); END;
CREATE TRIGGER cosignatures_keep_values BEFORE UPDATE ON cosignatures  BEGIN SELECT RAISE(ABORT, 'cosignatures are evidence and are not changed'); END;`,
  // Time stamps.
  `CREATE TABLE time_stamps (
  org_id text NOT NULL,
  digest text NOT NULL,
  first_digest text NOT NULL,
  size integer NOT NULL,
  tokens integer NOT NULL,
  existed_before integer NOT NULL,
  authority text NOT NULL,
  added_at integer NOT NULL,
  file text NOT NULL,
  PRIMARY KEY (org_id, digest),
  FOREIGN KEY (org_id) REFERENCES organizations (org_id)
) STRICT;
CREATE INDEX time_stamps_by_size ON time_stamps (org_id, size);
CREATE TRIGGER time_stamps_keep_rows BEFORE DELETE ON time_stamps BEGIN SELECT RAISE(ABORT, 'time stamps are evidence and are not deleted'); END;
CREATE TRIGGER time_stamps_keep_values BEFORE UPDATE ON time_stamps  BEGIN SELECT RAISE(ABORT, 'time stamps are evidence and are not changed'); END;`,
];

/** The first version that can be carried on: numbers below it are those of what was never released. */
export const FIRST_SCHEMA = 40;

/** The schema of this version. */
export const SCHEMA_VERSION = FIRST_SCHEMA + MIGRATIONS.length;
