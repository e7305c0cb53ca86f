import { createHash } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';

/** How long, and of how many events, it is remembered that they were taken: whoever sends one again does so within minutes. */
const REMEMBERED_MS = 7 * 86_400_000;
const MOST = 100_000;
/** How many are forgotten at a time, once half as many came: no commit is to wait for a long one. */
const AT_A_TIME = 64;

/** Which events were taken already, and what was made of them. */
export class Taken {
  readonly #find: Statement<[Buffer], { operation_ids: string }>;
  readonly #add: Statement<[Buffer, string, number]>;
  readonly #forget: Statement<[{ most: number; before: number; atATime: number }]>;
  readonly #most: number;
  #added = AT_A_TIME;

  constructor(sqlite: Database, most = MOST) {
    this.#most = most;
    this.#find = sqlite.prepare('SELECT operation_ids FROM taken WHERE event = ?');
    this.#add = sqlite.prepare('INSERT INTO taken (event, operation_ids, taken_at) VALUES (?, ?, ?)');
    this.#forget = sqlite.prepare(
      `DELETE FROM taken WHERE seq IN (SELECT seq FROM taken ORDER BY seq LIMIT @atATime)
       AND (taken_at < @before OR seq <= (SELECT max(seq) FROM taken) - @most)`,
    );
  }

  /** The operations that an event became; null where it was not taken, or too long ago. */
  find(agent: number, eventId: string): string[] | null {
    const row = this.#find.get(nameOf(agent, eventId));
    return row === undefined ? null : (JSON.parse(row.operation_ids) as string[]);
  }

  add(agent: number, eventId: string, operationIds: readonly string[], nowMs: number): void {
    this.#added++;
    this.#add.run(nameOf(agent, eventId), JSON.stringify(operationIds), nowMs);
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
  return createHash('sha256').update(`${agent} ${eventId}`).digest().subarray(0, 16);
}
