import type Database from 'better-sqlite3';

/** Rows in one statement: beyond this the calls into SQLite are no longer what costs. */
const ROWS = 64;

/** Inserts rows of three numbers, many to a statement, leaving out those that are there. To be used within a transaction. */
export class RowInserter {
  readonly #many: Database.Statement;
  readonly #one: Database.Statement;
  #values: number[] = [];

  constructor(database: Database.Database, table: 'postings' | 'issue_times') {
    const insert = (rows: number): Database.Statement =>
      database.prepare(`INSERT OR IGNORE INTO ${table} VALUES ${Array(rows).fill('(?, ?, ?)').join(', ')}`);
    this.#many = insert(ROWS);
    this.#one = insert(1);
  }

  add(first: number, second: number, third: number): void {
    this.#values.push(first, second, third);
    if (this.#values.length < ROWS * 3) return;
    this.#many.run(this.#values);
    this.#values = [];
  }

  /** Inserts what add has kept back. */
  flush(): void {
    for (let at = 0; at < this.#values.length; at += 3) this.#one.run(this.#values.slice(at, at + 3));
    this.#values = [];
  }
}
