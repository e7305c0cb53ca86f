import type { Database, Statement } from 'better-sqlite3';
import { LogFlusher } from '../../node/index.ts';
import type { Json } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';
import type { StateChange } from '../joining/draft.ts';
import { Losses, NO_LOSS } from './losses.ts';
import { openSpoolFile } from './open-spool.ts';
import { Taken } from './taken.ts';
import { Waiting } from './waiting.ts';

/** An agent of the spool. */
interface Chain {
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
class Chains {
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

/**
 * What the joining of calls has open: one row for each entry, in the order in which they came, and in memory which row it is. An index over
 * their keys, which are random, would have each event write a separate page.
 */
class OpenEntries {
  readonly #all: Statement<[number], { seq: number; key: string; value: string }>;
  readonly #keys: Statement<[number], { seq: number; key: string }>;
  readonly #one: Statement<[number, string], { value: string }>;
  readonly #any: Statement<[number], { seq: number }>;
  readonly #add: Statement<[number, string, string]>;
  readonly #change: Statement<[string, number]>;
  readonly #drop: Statement<[number]>;
  /** By agent and key. */
  readonly #rows = new Map<number, Map<string, number>>();

  constructor(sqlite: Database) {
    this.#all = sqlite.prepare('SELECT seq, key, value FROM joining WHERE agent = ? ORDER BY seq');
    this.#keys = sqlite.prepare('SELECT seq, key FROM joining WHERE agent = ?');
    this.#one = sqlite.prepare('SELECT value FROM joining WHERE agent = ? AND key = ?');
    this.#any = sqlite.prepare("SELECT seq FROM joining WHERE agent = ? AND key <> 'losses' LIMIT 1");
    this.#add = sqlite.prepare('INSERT INTO joining (agent, key, value) VALUES (?, ?, ?)');
    this.#change = sqlite.prepare('UPDATE joining SET value = ? WHERE seq = ?');
    this.#drop = sqlite.prepare('DELETE FROM joining WHERE seq = ?');
  }

  /** One of them; undefined where it is not there. */
  get(agent: number, key: string): Json | undefined {
    const row = this.#one.get(agent, key);
    return row === undefined ? undefined : (JSON.parse(row.value) as Json);
  }

  /** Whether calls or sessions are open. */
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

export interface SpoolOptions {
  /** How large the file may become, in bytes; 1 GiB by default. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 1024 ** 3;
/** How much of the bound is left for what must always be kept: open calls, and the record of a loss. */
const RESERVE_BYTES = 64 * 1024;
/** How many free pages there may be before the file is cut back, and how many go at a time. */
const FREE_PAGES = 2048;
const PAGES_AT_A_TIME = 2048;

/**
 * What the recorder keeps until the service has it, in one SQLite file: signed records, where each chain ends, open calls and sessions,
 * which events were taken, and what was lost.
 */
export class Spool {
  readonly #sqlite: Database;
  readonly #flusher: LogFlusher;
  readonly chains: Chains;
  readonly waiting: Waiting;
  readonly taken: Taken;
  readonly losses: Losses;
  /** What the joining of calls has open. */
  readonly open: OpenEntries;
  readonly maxBytes: number;
  readonly #pageSize: number;
  /** What of the bound is free at least, in bytes; nothing is known below 1. */
  #surelyFree = 0;
  readonly #pages: Statement<[], number>;
  readonly #unused: Statement<[], number>;

  /** @throws RecordError FOLDER_UNUSABLE */
  constructor(path: string, { maxBytes = DEFAULT_MAX_BYTES }: SpoolOptions = {}) {
    const sqlite = openSpoolFile(path);
    this.#sqlite = sqlite;
    this.#flusher = new LogFlusher(`${path}-wal`);
    this.maxBytes = maxBytes;
    this.#pageSize = Number(sqlite.pragma('page_size', { simple: true }));
    this.chains = new Chains(sqlite);
    this.waiting = new Waiting(sqlite);
    this.taken = new Taken(sqlite);
    this.losses = new Losses(sqlite);
    this.open = new OpenEntries(sqlite);
    this.#pages = sqlite.prepare<[], number>('PRAGMA page_count').pluck();
    this.#unused = sqlite.prepare<[], number>('PRAGMA freelist_count').pluck();
  }

  /** Everything that is done in it is kept, or nothing. Within another one, it can be undone by itself. On disk it is once `flushed` is. */
  transaction<T>(act: () => T): T {
    return this.#sqlite.transaction(act).immediate();
  }

  /** Resolves once all transactions that have returned are on disk. What is answered or sent after it survives a power cut. */
  flushed(): Promise<void> {
    return this.#flusher.flushed();
  }

  /** How much of the file is in use, in bytes. */
  get usedBytes(): number {
    return ((this.#pages.get() ?? 0) - this.#freePages) * this.#pageSize;
  }

  get #freePages(): number {
    return this.#unused.get() ?? 0;
  }

  /** Whether a record would fit that is not large. */
  get hasRoom(): boolean {
    return this.usedBytes < this.maxBytes - 2 * RESERVE_BYTES;
  }

  /** @throws RecordError SPOOL_FULL where this many bytes more would exceed the bound */
  needRoom(bytes: number): void {
    // Looked at again before so much can have been written: each record comes with less than this of other rows.
    this.#surelyFree -= 4 * bytes + RESERVE_BYTES;
    if (this.#surelyFree > 0) return;
    const used = this.usedBytes;
    this.#surelyFree = this.maxBytes - RESERVE_BYTES - used - 4 * bytes - RESERVE_BYTES;
    if (used + bytes <= this.maxBytes - RESERVE_BYTES) return;
    throw new RecordError('SPOOL_FULL', `the spool has reached its bound of ${this.maxBytes} bytes`);
  }

  /** Gives back to the file system what acknowledged records took. */
  shrink(): void {
    if (this.#freePages > FREE_PAGES) this.#sqlite.pragma(`incremental_vacuum(${PAGES_AT_A_TIME})`);
  }

  async close(): Promise<void> {
    await this.#flusher.close();
    this.#sqlite.close();
  }
}
