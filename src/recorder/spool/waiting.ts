import type { Database, Statement } from 'better-sqlite3';

/** Whether a call begins with a record, and of what kind. */
export const BEGINNING = { none: 0, read: 1, change: 2 } as const;
export type Beginning = (typeof BEGINNING)[keyof typeof BEGINNING];

/** A signed record that the service has not acknowledged. */
export interface WaitingRecord {
  /** Its place among all that were ever kept here. */
  readonly seq: number;
  readonly operation_id: string;
  readonly prev_chain_hash: string | null;
  readonly chain_hash: string;
  /** When it was signed (RFC 3339). */
  readonly issued_at: string;
  readonly begins: Beginning;
  /** The body of POST /v1/operations, as JSON. */
  readonly body: string;
}

export interface WaitingCount {
  readonly waiting: number;
  /** When the first of them was signed; null where none waits. */
  readonly oldest: string | null;
}

/** The records that wait for the service, each agent's in the order of its chain. */
export class Waiting {
  readonly #add: Statement<[number, string, string | null, string, string, Beginning, string]>;
  readonly #first: Statement<[number, number], WaitingRecord>;
  readonly #replace: Statement<[string, string | null, string, string, Beginning, string, number]>;
  readonly #remove: Statement<[number, number]>;
  readonly #last: Statement<[number], { seq: number | null }>;
  readonly #count: Statement<[{ agent: number }], WaitingCount>;
  readonly #sessions: Statement<[string, number, number], { seq: number; characters: number; isOfIt: 0 | 1 | null }>;
  readonly #places: Statement<[number, Beginning, string], { seq: number | null }>;

  constructor(sqlite: Database) {
    const columns = 'operation_id, prev_chain_hash, chain_hash, issued_at, begins, body';
    this.#add = sqlite.prepare(`INSERT INTO records (agent, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
    this.#first = sqlite.prepare(`SELECT seq, ${columns} FROM records WHERE agent = ? ORDER BY seq LIMIT ?`);
    this.#replace = sqlite.prepare(`UPDATE records SET (${columns}) = (?, ?, ?, ?, ?, ?) WHERE seq = ?`);
    this.#remove = sqlite.prepare('DELETE FROM records WHERE agent = ? AND seq <= ?');
    this.#last = sqlite.prepare('SELECT max(seq) AS seq FROM records WHERE agent = ?');
    this.#count = sqlite.prepare(
      `SELECT count(*) AS waiting, (SELECT issued_at FROM records WHERE agent = @agent ORDER BY seq LIMIT 1) AS oldest
       FROM records WHERE agent = @agent`,
    );
    this.#sessions = sqlite.prepare(
      `SELECT seq, length(body) AS characters, coalesce(body ->> '$.disclosures.session[1].id', body ->> '$.payload.session.id') = ? AS isOfIt
       FROM records WHERE agent = ? AND seq > ? ORDER BY seq`,
    );
    this.#places = sqlite.prepare(
      'SELECT max(seq) AS seq FROM records WHERE agent = ? AND begins >= ? AND operation_id IN (SELECT value FROM json_each(?))',
    );
  }

  add(agent: number, record: Omit<WaitingRecord, 'seq'>): number {
    const { operation_id, prev_chain_hash, chain_hash, issued_at, begins, body } = record;
    const added = this.#add.run(agent, operation_id, prev_chain_hash, chain_hash, issued_at, begins, body);
    return Number(added.lastInsertRowid);
  }

  /** The first ones: at least one where any waits, else as many as stay within both limits. */
  first(agent: number, most: { readonly records: number; readonly characters: number }): WaitingRecord[] {
    const found: WaitingRecord[] = [];
    let characters = 0;
    for (const record of this.#first.iterate(agent, most.records)) {
      characters += record.body.length;
      if (found.length > 0 && characters > most.characters) break;
      found.push(record);
    }
    return found;
  }

  /** Puts the same operation in its place, signed again. */
  replace({ seq, operation_id, prev_chain_hash, chain_hash, issued_at, begins, body }: WaitingRecord): void {
    this.#replace.run(operation_id, prev_chain_hash, chain_hash, issued_at, begins, body, seq);
  }

  /** Removes an agent's records up to this one. */
  remove(agent: number, throughSeq: number): void {
    this.#remove.run(agent, throughSeq);
  }

  lastOf(agent: number): number | null {
    return this.#last.get(agent)?.seq ?? null;
  }

  count(agent: number): WaitingCount {
    return this.#count.get({ agent }) ?? { waiting: 0, oldest: null };
  }

  /**
   * How many of an agent's records are of a session, of the next ones after a place.
   * @param most how much is read at once, but for one record
   * @returns also the place of the last one that was looked at; null where there is none
   */
  countOfSession(
    agent: number,
    session: string,
    after: number,
    most: { readonly records: number; readonly characters: number },
  ): { count: number; last: number | null } {
    let [count, records, characters] = [0, 0, 0];
    let last: number | null = null;
    for (const row of this.#sessions.iterate(session, agent, after)) {
      last = row.seq;
      if (row.isOfIt === 1) count++;
      characters += row.characters;
      if (++records >= most.records || characters >= most.characters) break;
    }
    return { count, last };
  }

  /**
   * The place of the last of some operations that begins a call and still waits; null where there is none.
   * @param atLeast which calls count
   */
  lastBeginning(agent: number, operationIds: readonly string[], atLeast: Beginning): number | null {
    return this.#places.get(agent, atLeast, JSON.stringify(operationIds))?.seq ?? null;
  }
}
