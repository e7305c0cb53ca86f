import type Database from 'better-sqlite3';
import { type OpenStore, type Store, storeOn } from './open.ts';

/** @throws Error where a statement writes */
function readsOnly<T extends Database.Statement>(statement: T): T {
  if (statement.readonly) return statement;
  throw new Error(`a write outside the writer: ${statement.source}`);
}

/**
 * The store that everything but the writer works with: the same connection, so that a reader within a commit sees what the
 * commit has changed (but for one that is held, on another), but no statement that writes can be prepared on it. Checked once per
 * statement, not per execution.
 */
export function readOnlyView({ sqlite, clock }: OpenStore): Store {
  const view: Database.Database = Object.create(sqlite, {
    prepare: { value: (text: string) => readsOnly(sqlite.prepare(text)) },
    pragma: {
      value: (source: string, options?: Database.PragmaOptions) => {
        readsOnly(sqlite.prepare(`PRAGMA ${source}`));
        return sqlite.pragma(source, options);
      },
    },
    exec: {
      value: (text: string) => {
        throw new Error(`a script outside the writer: ${text}`);
      },
    },
  });
  const { db, statement } = storeOn(view, clock);
  return { sqlite: view, db, statement, clock };
}
