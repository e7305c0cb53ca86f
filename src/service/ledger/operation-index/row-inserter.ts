import type Database from 'better-sqlite3';

/** Rows in one statement: beyond this the calls into SQLite are no longer what costs. */
const ROWS = 64;
const COLUMNS = 3;

/** Inserts rows of segment, key and sequence number, many to a statement, leaving out those that are there. To be used within a transaction. */
export class RowInserter {
  readonly #many: Database.Statement;
  readonly #one: Database.Statement;
  #values: number[] = [];

  constructor(database: Database.Database, table: 'names' | 'agents') {
    const row = '(?, ?, ?)';
    const insert = (rows: number): Database.Statement =>
      database.prepare(`INSERT OR IGNORE INTO ${table} VALUES ${Array(rows).fill(row).join(', ')}`);
    this.#many = insert(ROWS);
    this.#one = insert(1);
  }

  add(segment: number, key: number, seqNo: number): void {
    this.#values.push(segment, key, seqNo);
    if (this.#values.length < ROWS * COLUMNS) return;
    this.#many.run(this.#values);
    this.#values = [];
  }

  /** Inserts what add has kept back. */
  flush(): void {
    for (let at = 0; at < this.#values.length; at += COLUMNS) {
      this.#one.run(this.#values.slice(at, at + COLUMNS));
    }
    this.#values = [];
  }
}
