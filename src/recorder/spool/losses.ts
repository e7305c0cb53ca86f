import type { Database, Statement } from 'better-sqlite3';
import { codeOf } from '../../protocol/light.ts';

/** Events that could not be kept, and that no record tells of yet. */
export interface Loss {
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly reason: string;
}

/** Every text of the column has this length: an update then needs no page that the file does not have. */
const WIDTH = 640;
const MAX_REASON = 256;

/** What the column begins with. */
export const NO_LOSS = ''.padEnd(WIDTH);

/** What was lost of each agent: on disk, or in memory as long as not even that can be written. */
export class Losses {
  readonly #read: Statement<[number], { lost: string }>;
  readonly #write: Statement<[string, number]>;
  readonly #unwritten = new Map<number, Loss>();
  /** Agents of which nothing is lost, by the file: each event asks. */
  readonly #without = new Set<number>();

  constructor(sqlite: Database) {
    this.#read = sqlite.prepare('SELECT lost FROM agents WHERE id = ?');
    this.#write = sqlite.prepare('UPDATE agents SET lost = ? WHERE id = ?');
  }

  /** What was lost and not recorded; null where nothing was. */
  of(agent: number): Loss | null {
    const unwritten = this.#unwritten.get(agent);
    if (unwritten !== undefined) return unwritten;
    if (this.#without.has(agent)) return null;
    const text = this.#read.get(agent)?.lost.trim() ?? '';
    if (text !== '') return JSON.parse(text) as Loss;
    this.#without.add(agent);
    return null;
  }

  /** Counts what was lost, in its own transaction. */
  add(agent: number, count: number, at: string, reason: string): void {
    const known = this.of(agent);
    const first = known?.first_at ?? at;
    this.#keep(agent, { count: (known?.count ?? 0) + count, first_at: first, last_at: at, reason });
  }

  /** Takes off what a record says now: to be called in the transaction that keeps the record. */
  recorded(agent: number, { count, last_at: through }: Loss): void {
    const known = this.of(agent);
    if (known === null) return;
    const left = known.count - count;
    this.#write.run(left > 0 ? textOf({ ...known, count: left, first_at: through }) : NO_LOSS, agent);
  }

  /** The transaction with `recorded` is on disk: nothing of it is in memory alone any more. */
  written(agent: number): void {
    this.#unwritten.delete(agent);
  }

  #keep(agent: number, loss: Loss): void {
    this.#without.delete(agent);
    try {
      this.#write.run(textOf(loss), agent);
      this.#unwritten.delete(agent);
    } catch (error) {
      if (codeOf(error) === null) throw error;
      // Whatever keeps SQLite from writing: the count must not be lost as well, as long as this process lives.
      this.#unwritten.set(agent, loss);
    }
  }
}

function textOf(loss: Loss): string {
  return JSON.stringify({ ...loss, reason: loss.reason.slice(0, MAX_REASON) }).padEnd(WIDTH);
}
