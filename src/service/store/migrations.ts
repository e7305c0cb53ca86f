/**
 * What brings a database of a released version to the next, step by step. `user_version` is FIRST_SCHEMA and the steps done; each runs in
 * one transaction with its count, so that a crash leaves the step done or not begun. A step is never changed once released. A new
 * database has the tables of schema.ts at once, so a step is added here together with its change there.
 */
export const MIGRATIONS: readonly string[] = [];

/** The first version that can be carried on: numbers below it are those of what was never released. */
export const FIRST_SCHEMA = 40;

/** The schema of this version. */
export const SCHEMA_VERSION = FIRST_SCHEMA + MIGRATIONS.length;
