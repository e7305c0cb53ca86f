import type Database from 'better-sqlite3';

/** Rows in one statement: beyond this the calls into SQLite are no longer what costs. */
const ROWS = 64;

/** Inserts rows of numbers into a table, many to a statement, leaving out those that are there. To be used within a transaction. */
export class RowInserter {
  readonly #many: Database.Statement;
  readonly #one: Database.Statement;
  readonly #columns: number;
  #values: number[] = [];

  constructor(database: Database.Database, table: 'names' | 'postings', columns: number) {
    const row = `(${Array(columns).fill('?').join(', ')})`;
    const insert = (rows: number): Database.Statement =>
      database.prepare(`INSERT OR IGNORE INTO ${table} VALUES ${Array(rows).fill(row).join(', ')}`);
    this.#columns = columns;
    this.#many = insert(ROWS);
    this.#one = insert(1);
  }

  /** @param row as many numbers as the table has columns */
  add(row: readonly number[]): void {
    for (const value of row) this.#values.push(value);
    if (this.#values.length < ROWS * this.#columns) return;
    this.#many.run(this.#values);
    this.#values = [];
  }

  /** Inserts what add has kept back. */
  flush(): void {
    for (let at = 0; at < this.#values.length; at += this.#columns) {
      this.#one.run(this.#values.slice(at, at + this.#columns));
    }
    this.#values = [];
  }
}
