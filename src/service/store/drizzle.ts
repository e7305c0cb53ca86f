/**
 * Drizzle, loaded as CommonJS. Node parses the whole package.json of a package for every ES module that it loads from it;
 * drizzle's has 180 kB, and with more than a hundred modules that took longer than the rest of a start, in every thread
 * that opens the ledger. In the desktop's bundle this file gives way to the packages (electron.vite.config.ts).
 */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const core = load('drizzle-orm') as typeof import('drizzle-orm');
const sqlite = load('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core');
const driver = load('drizzle-orm/better-sqlite3') as typeof import('drizzle-orm/better-sqlite3');

export type { SQL } from 'drizzle-orm';
export type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
export type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
export type SQLiteTable = import('drizzle-orm/sqlite-core').SQLiteTable;

export const {
  and,
  asc,
  between,
  count,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  gte,
  inArray,
  is,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  min,
  ne,
  notExists,
  notInArray,
  or,
  sql,
  sum,
} = core;
export const {
  blob,
  check,
  customType,
  foreignKey,
  getTableConfig,
  index,
  integer,
  primaryKey,
  SQLiteSyncDialect,
  SQLiteTable,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} = sqlite;
export const { drizzle } = driver;
