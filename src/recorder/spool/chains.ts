import type { Database, Statement } from 'better-sqlite3';
import { NO_LOSS } from './losses.ts';

/** An agent of the spool. */
export interface Chain {
  readonly id: number;
  readonly org_id: string;
  readonly agent_id: string;
  readonly feed: string;
  /** Chain hash of the newest record that was signed here; null where there is none. */
  readonly head: string | null;
  /** Chain hash of the newest record that the service is known to have: the first one waiting has to build on it. */
  readonly confirmed: string | null;
  /** When the service received the newest record that there is a receipt for (RFC 3339). */
  readonly last_receipt_at: string | null;
}

const COLUMNS = 'id, org_id, agent_id, feed, head, confirmed, last_receipt_at';

/** Where each agent's chain ends. */
export class Chains {
  readonly #add: Statement<[string, string, string, string | null, string | null, string]>;
  readonly #byName: Statement<[string, string], Chain>;
  readonly #byId: Statement<[number], Chain>;
  readonly #all: Statement<[], Chain>;
  readonly #setHead: Statement<[string | null, number]>;
  readonly #confirm: Statement<[string | null, string | null, number]>;

  constructor(sqlite: Database) {
    this.#add = sqlite.prepare(
      'INSERT INTO agents (org_id, agent_id, feed, head, confirmed, lost) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#byName = sqlite.prepare(`SELECT ${COLUMNS} FROM agents WHERE org_id = ? AND agent_id = ?`);
    this.#byId = sqlite.prepare(`SELECT ${COLUMNS} FROM agents WHERE id = ?`);
    this.#all = sqlite.prepare(`SELECT ${COLUMNS} FROM agents ORDER BY id`);
    this.#setHead = sqlite.prepare('UPDATE agents SET head = ? WHERE id = ?');
    this.#confirm = sqlite.prepare(
      'UPDATE agents SET confirmed = ?, last_receipt_at = coalesce(?, last_receipt_at) WHERE id = ?',
    );
  }

  /**
   * The chain of an agent; begun where there is none yet.
   * @param head where the service said that it ends, for a chain that begins here
   */
  open(agent: { org_id: string; agent_id: string; feed: string; head: string | null }): Chain {
    const { org_id, agent_id, feed, head } = agent;
    const known = this.#byName.get(org_id, agent_id);
    if (known !== undefined) return known;
    const { lastInsertRowid } = this.#add.run(org_id, agent_id, feed, head, head, NO_LOSS);
    return this.get(Number(lastInsertRowid));
  }

  get(id: number): Chain {
    const chain = this.#byId.get(id);
    if (chain === undefined) throw new Error(`the spool has no agent ${id}`);
    return chain;
  }

  all(): Chain[] {
    return this.#all.all();
  }

  setHead(id: number, head: string | null): void {
    this.#setHead.run(head, id);
  }

  /** @param receivedAt of the newest receipt; null where only the head was asked for */
  confirm(id: number, chainHash: string | null, receivedAt: string | null): void {
    this.#confirm.run(chainHash, receivedAt, id);
  }
}
