import type { Database, Statement } from 'better-sqlite3';
import type { Json } from '../../protocol/light.ts';
import type { StateChange } from '../joining/draft.ts';

/**
 * What the joining of calls has open: one row for each entry, in the order in which they came, and in memory which row it is. An index over
 * their keys, which are random, would have each event write a separate page.
 */
export class OpenEntries {
  readonly #all: Statement<[number], { seq: number; key: string; value: string }>;
  readonly #keys: Statement<[number], { seq: number; key: string }>;
  readonly #any: Statement<[number], { seq: number }>;
  readonly #add: Statement<[number, string, string]>;
  readonly #change: Statement<[string, number]>;
  readonly #drop: Statement<[number]>;
  /** By agent and key. */
  readonly #rows = new Map<number, Map<string, number>>();

  constructor(sqlite: Database) {
    this.#all = sqlite.prepare('SELECT seq, key, value FROM joining WHERE agent = ? ORDER BY seq');
    this.#keys = sqlite.prepare('SELECT seq, key FROM joining WHERE agent = ?');
    this.#any = sqlite.prepare('SELECT seq FROM joining WHERE agent = ? LIMIT 1');
    this.#add = sqlite.prepare('INSERT INTO joining (agent, key, value) VALUES (?, ?, ?)');
    this.#change = sqlite.prepare('UPDATE joining SET value = ? WHERE seq = ?');
    this.#drop = sqlite.prepare('DELETE FROM joining WHERE seq = ?');
  }

  hasAny(agent: number): boolean {
    return this.#any.get(agent) !== undefined;
  }

  /** All of an agent, oldest first. To be asked for again once a transaction with changes of the agent was undone. */
  of(agent: number): StateChange[] {
    const rows = this.#all.all(agent);
    this.#rows.set(agent, new Map(rows.map(({ key, seq }) => [key, seq])));
    return rows.map(({ key, value }) => ({ key, value: JSON.parse(value) as Json }));
  }

  set(agent: number, { key, value }: StateChange): void {
    const rows = this.#rowsOf(agent);
    const seq = rows.get(key);
    if (value === null) {
      if (seq !== undefined) this.#drop.run(seq);
      rows.delete(key);
    } else if (seq === undefined) {
      rows.set(key, Number(this.#add.run(agent, key, JSON.stringify(value)).lastInsertRowid));
    } else if (this.#change.run(JSON.stringify(value), seq).changes !== 1) {
      throw new Error(`the spool has no entry ${key} any more`);
    }
  }

  #rowsOf(agent: number): Map<string, number> {
    const known = this.#rows.get(agent);
    if (known !== undefined) return known;
    const rows = new Map(this.#keys.all(agent).map(({ key, seq }) => [key, seq]));
    this.#rows.set(agent, rows);
    return rows;
  }
}
