import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { foldedWords, prepareRules, textOfValue } from '../../../src/actions/index.ts';
import { Bits } from '../../../src/service/search/content-index/bits.ts';
import { readRecord } from '../../../src/service/search/content-index/record-content.ts';
import type { ContentEngine, Sought } from './engine.ts';
import type { MadeRecords } from './records.ts';

/** Records of one transaction. */
const BATCH = 2048;

/**
 * SQLite's FTS5 without content: a column of all words, and one in which each word bears the number of the member it is in. What
 * is erased is deleted with its old text, under secure-delete of FTS5 and of SQLite.
 */
export class Fts5Engine implements ContentEngine {
  readonly #path: string;
  readonly #records: MadeRecords;
  readonly #sqlite: Database.Database;
  readonly #members = new Map<string, number>();
  readonly #rules;

  constructor(folder: string, records: MadeRecords) {
    this.#path = join(folder, 'fts5.sqlite');
    this.#records = records;
    this.#rules = prepareRules(records.rules());
    this.#sqlite = new Database(this.#path);
    this.#sqlite.pragma('journal_mode = WAL');
    this.#sqlite.pragma('synchronous = NORMAL');
    this.#sqlite.pragma('secure_delete = ON');
    this.#sqlite.pragma('cache_size = -16384');
    this.#sqlite.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS contents USING fts5(words, members, content='', detail=full, tokenize="ascii tokenchars '_'");
       INSERT INTO contents (contents, rank) VALUES ('secure-delete', 1)`,
    );
  }

  #member(path: readonly string[]): number {
    const name = JSON.stringify(path);
    const known = this.#members.get(name) ?? this.#members.size;
    this.#members.set(name, known);
    return known;
  }

  #columns(n: number): [string, string] {
    const words: string[] = [];
    const members: string[] = [];
    for (const { path, value } of readRecord(this.#records.record(n), this.#rules).read.leaves) {
      const member = this.#member(path);
      for (const word of foldedWords(textOfValue(value))) {
        words.push(word);
        members.push(`${member}_${word}`);
      }
      // No phrase goes from one value into the next.
      words.push('_');
      members.push('_');
    }
    return [words.join(' '), members.join(' ')];
  }

  build(): void {
    const insert = this.#sqlite.prepare('INSERT INTO contents (rowid, words, members) VALUES (?, ?, ?)');
    for (let first = 1; first <= this.#records.last(); first += BATCH) {
      this.#sqlite.transaction(() => {
        for (let n = first; n < first + BATCH && n <= this.#records.last(); n++) insert.run(n, ...this.#columns(n));
      })();
    }
    this.#sqlite.pragma('wal_checkpoint(TRUNCATE)');
  }

  /** Members are numbered in the order in which they come: the same again from the first record, since all have the same. */
  open(): void {
    this.#columns(1);
  }

  find({ words, path }: Sought): number {
    const phrase =
      path === null
        ? `words : "${words.join(' ')}"`
        : `members : "${words.map((word) => `${this.#member(path)}_${word}`).join(' ')}"`;
    const bits = new Bits(this.#records.last() + 1);
    const found = this.#sqlite.prepare('SELECT rowid FROM contents WHERE contents MATCH ?').pluck().all(phrase);
    for (const n of found as number[]) bits.add(n);
    return bits.count();
  }

  erase(n: number): void {
    this.#sqlite
      .prepare("INSERT INTO contents (contents, rowid, words, members) VALUES ('delete', ?, ?, ?)")
      .run(n, ...this.#columns(n));
    this.#sqlite.pragma('wal_checkpoint(TRUNCATE)');
  }

  files(): string[] {
    return [this.#path, `${this.#path}-wal`].filter((path) => existsSync(path));
  }

  close(): void {
    this.#sqlite.close();
  }
}
