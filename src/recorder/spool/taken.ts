import { hash } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';
import { EventPlaces } from './event-places.ts';

/** How long, and of how many events, it is remembered that they were taken: whoever sends one again does so within minutes. */
const REMEMBERED_MS = 7 * 86_400_000;
const MOST = 100_000;
/** How many are forgotten at a time, once half as many came: no commit is to wait for a long one. */
const AT_A_TIME = 64;

/** Which events were taken already, and what was made of them. */
export class Taken {
  readonly #at: Statement<[number], { event: Buffer; operation_ids: string }>;
  readonly #all: Statement<[], { seq: number; event: Buffer }>;
  readonly #extent: Statement<[], { count: number; first: number | null }>;
  readonly #add: Statement<[Buffer, string, number]>;
  readonly #forget: Statement<[{ most: number; before: number; atATime: number }]>;
  readonly #most: number;
  /** Read from the file when it is first asked for, and once it is full: by then most of what it knows is forgotten. */
  #places: EventPlaces | null = null;
  #added = AT_A_TIME;

  constructor(sqlite: Database, most = MOST) {
    this.#most = most;
    this.#at = sqlite.prepare('SELECT event, operation_ids FROM taken WHERE seq = ?');
    this.#all = sqlite.prepare('SELECT seq, event FROM taken');
    this.#extent = sqlite.prepare('SELECT count(*) AS count, min(seq) AS first FROM taken');
    this.#add = sqlite.prepare('INSERT INTO taken (event, operation_ids, taken_at) VALUES (?, ?, ?)');
    this.#forget = sqlite.prepare(
      `DELETE FROM taken WHERE seq IN (SELECT seq FROM taken ORDER BY seq LIMIT @atATime)
       AND (taken_at < @before OR seq <= (SELECT max(seq) FROM taken) - @most)`,
    );
  }

  /** The operations that an event became; null where it was not taken, or too long ago. */
  find(agent: number, eventId: string): string[] | null {
    const name = nameOf(agent, eventId);
    for (const seq of this.#known().of(name)) {
      const row = this.#at.get(seq);
      // What is forgotten, or was undone, left its place to nothing or to another event.
      if (row?.event.equals(name)) return JSON.parse(row.operation_ids) as string[];
    }
    return null;
  }

  add(agent: number, eventId: string, operationIds: readonly string[], nowMs: number): void {
    this.#added++;
    const name = nameOf(agent, eventId);
    const places = this.#known();
    const { lastInsertRowid } = this.#add.run(name, JSON.stringify(operationIds), nowMs);
    places.add(name, Number(lastInsertRowid));
  }

  #known(): EventPlaces {
    if (this.#places !== null && !this.#places.isFull) return this.#places;
    const { count, first } = this.#extent.get() ?? { count: 0, first: null };
    const places = new EventPlaces(count, (first ?? 1) - 1);
    for (const { seq, event } of this.#all.iterate()) places.add(event, seq);
    this.#places = places;
    return places;
  }

  /** Forgets a few of those that nobody will send again, where enough came since it last did. */
  forgetSome(nowMs: number): void {
    if (this.#added < AT_A_TIME / 2) return;
    this.#added = 0;
    this.#forget.run({ most: this.#most, before: nowMs - REMEMBERED_MS, atATime: AT_A_TIME });
  }
}

/** Ids of events are of any length: kept as the first 16 bytes of a digest. */
function nameOf(agent: number, eventId: string): Buffer {
  return hash('sha256', `${agent} ${eventId}`, 'buffer').subarray(0, 16);
}
