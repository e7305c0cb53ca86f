import Database from 'better-sqlite3';
import { openStore } from '../../src/service/store/open.ts';
import type { AroundCommit } from '../../src/service/store/writer.ts';

/** Tables of a database, without those of SQLite itself. */
function tablesOf(sqlite: Database.Database): string[] {
  return sqlite
    .prepare(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all() as string[];
}

interface Column {
  readonly name: string;
  /** Place in the primary key, from 1 on; 0 for none. */
  readonly pk: number;
}

function columnsOf(sqlite: Database.Database, table: string): Column[] {
  return sqlite.pragma(`table_info(${table})`) as Column[];
}

/** TEMP triggers that note each change of a table's rows as the SQL statement that makes it again. */
function triggersOf(sqlite: Database.Database, table: string): string {
  const columns = columnsOf(sqlite, table);
  const key = columns.filter(({ pk }) => pk > 0);
  const joined = (parts: readonly string[], between: string): string => parts.join(` || '${between}' || `);
  const set = ({ name }: Column): string => `'${name} = ' || quote(NEW.${name})`;
  const named = joined(
    key.map(({ name }) => `'${name} = ' || quote(OLD.${name})`),
    ' AND ',
  );
  const values = joined(
    columns.map(({ name }) => `quote(NEW.${name})`),
    ', ',
  );
  const again = {
    INSERT: `'INSERT INTO ${table} VALUES (' || ${values} || ')'`,
    UPDATE: `'UPDATE ${table} SET ' || ${joined(columns.map(set), ', ')} || ' WHERE ' || ${named}`,
    DELETE: `'DELETE FROM ${table} WHERE ' || ${named}`,
  };
  return Object.entries(again)
    .map(
      ([act, statement]) =>
        `CREATE TEMP TRIGGER captured_${act}_${table} AFTER ${act} ON main.${table}
         BEGIN INSERT INTO captured (statement) VALUES (${statement}); END;`,
    )
    .join('\n');
}

/** What a writer commits, as row images in the order of the commits. Not what is written past it. */
export class CapturedChanges {
  /** SQL statements, one for each row that was inserted, updated or deleted. */
  readonly statements: string[] = [];
  /** Changes by the writer's connection, but in no commit of the writer. */
  readonly outside: string[] = [];
  readonly #prepared = new WeakSet<Database.Database>();

  /** To be put around the commits of a writer. */
  readonly around: AroundCommit = (sqlite, commit) => {
    this.#prepare(sqlite);
    this.outside.push(...this.#taken(sqlite));
    const result = commit();
    this.statements.push(...this.#taken(sqlite));
    return result;
  };

  /**
   * To be put around the commits of a writer: each is tried and undone, its rows are kept elsewhere, and only then applied.
   * @param keep takes the rows of one commit, and is waited for
   */
  keptFirst(keep: (statements: readonly string[]) => Promise<void>): AroundCommit {
    return async (sqlite, commit) => {
      this.#prepare(sqlite);
      this.outside.push(...this.#taken(sqlite));
      const tried = (() => {
        sqlite.exec('BEGIN IMMEDIATE');
        try {
          return { result: commit(), rows: this.#taken(sqlite) };
        } finally {
          sqlite.exec('ROLLBACK');
        }
      })();
      if (tried.rows.length === 0) return tried.result;
      await keep(tried.rows);
      sqlite.transaction(() => {
        sqlite.pragma('defer_foreign_keys = ON');
        for (const statement of tried.rows) sqlite.exec(statement);
        this.#taken(sqlite);
      })();
      this.statements.push(...tried.rows);
      return tried.result;
    };
  }

  #prepare(sqlite: Database.Database): void {
    if (this.#prepared.has(sqlite)) return;
    this.#prepared.add(sqlite);
    sqlite.exec('CREATE TEMP TABLE captured (no INTEGER PRIMARY KEY, statement TEXT NOT NULL)');
    for (const table of tablesOf(sqlite)) sqlite.exec(triggersOf(sqlite, table));
  }

  #taken(sqlite: Database.Database): string[] {
    const statements = sqlite.prepare('SELECT statement FROM temp.captured ORDER BY no').pluck().all() as string[];
    if (statements.length > 0) sqlite.exec('DELETE FROM temp.captured');
    return statements;
  }

  /** Makes a ledger of what was captured, in a new file. */
  replayInto(path: string): void {
    const { sqlite, close } = openStore(path);
    sqlite.pragma('foreign_keys = OFF');
    sqlite.transaction(() => {
      for (const statement of this.statements) sqlite.exec(statement);
    })();
    close();
  }
}

/** All rows of all tables of a ledger that nobody has open, by table, in the order of their keys. */
export function rowsOf(path: string): Record<string, unknown[]> {
  const sqlite = new Database(path, { readonly: true });
  try {
    const rows = tablesOf(sqlite).map((table) => {
      const key = columnsOf(sqlite, table).filter(({ pk }) => pk > 0);
      const order = key.map(({ name }) => name).join(', ');
      return [table, sqlite.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).all()];
    });
    return Object.fromEntries(rows);
  } finally {
    sqlite.close();
  }
}
