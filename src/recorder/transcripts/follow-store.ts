import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { sha256Hex } from '../../actions/tools/index.ts';
import { TRANSCRIPTS, type TranscriptItem } from '../../actions/transcripts/index.ts';
import { codeOf, messageOf } from '../../protocol/light.ts';
import type { Followed, Told } from './follow-file.ts';

/** How many rows are read at a time: between two readings others have their turn. */
const AT_A_TIME = 64;
/** Rows are looked at again for this long after their time, in milliseconds: another row may be written with the same one. */
const OVERLAP_MS = 2_000;

/** What changed of a session since a time, its messages before their parts, numbered by their order, which stays when a row is rewritten. */
const CHANGED = `
  SELECT rows.kind, rows.number, rows.id, rows.time_updated FROM (
    SELECT 'session' AS kind, 1 AS number, id, time_created AS time_updated FROM session WHERE id = @session
    UNION ALL
    SELECT 'message', row_number() OVER (ORDER BY id), id, time_updated FROM message WHERE session_id = @session
    UNION ALL
    SELECT 'part', row_number() OVER (ORDER BY id), id, time_updated FROM part WHERE session_id = @session
  ) AS rows WHERE rows.time_updated >= @since
  ORDER BY CASE rows.kind WHEN 'session' THEN 0 WHEN 'message' THEN 1 ELSE 2 END, rows.number`;

interface Changed {
  readonly kind: 'session' | 'message' | 'part';
  readonly number: number;
  readonly id: string;
  readonly time_updated: number;
}

/** One session of opencode's store, read as it grows. The store is not written to. */
export class FollowedStore implements Followed {
  readonly path: string;
  readonly #session: string;
  readonly #reader = TRANSCRIPTS.opencode.open();
  /** The times of rows that were read, as long as they are looked at again. */
  readonly #known = new Map<string, number>();
  #newest = 0;
  #size = 0;
  #isUnknown = false;
  readonly changed = 0;

  constructor(path: string, session: string) {
    this.path = path;
    this.#session = session;
  }

  get size(): number {
    return this.#size;
  }

  /** Rows that were written since it was last read; a call that runs is left for the next time. */
  async *more(): AsyncGenerator<Told> {
    if (!existsSync(this.path)) return;
    try {
      const sqlite = new Database(this.path, { readonly: true, fileMustExist: true });
      try {
        const since = this.#newest - OVERLAP_MS;
        const rows = sqlite.prepare<object, Changed>(CHANGED).all({ session: this.#session, since });
        const fresh = rows.filter(({ id, time_updated }) => this.#known.get(id) !== time_updated);
        for (const [index, row] of fresh.entries()) {
          yield this.#told(sqlite, row);
          if (index % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
        }
      } finally {
        sqlite.close();
      }
      for (const [id, at] of this.#known) if (at < this.#newest - OVERLAP_MS) this.#known.delete(id);
    } catch (error) {
      const code = codeOf(error) ?? '';
      if (!code.startsWith('SQLITE_')) throw error;
      // The program writes it at this moment.
      if (code.startsWith('SQLITE_BUSY') || this.#isUnknown) return;
      this.#isUnknown = true;
      this.#size++;
      const reason = `the store has another form than the one that is known: ${messageOf(error)}`;
      yield { items: [{ kind: 'unread', line: 0, reason }], sha256: sha256Hex(reason) };
    }
  }

  /** Calls that run have no end, which their hooks tell. */
  unended(): Told {
    return { items: [], sha256: sha256Hex('') };
  }

  #told(sqlite: Database.Database, { kind, number, id, time_updated }: Changed): Told {
    const row = sqlite.prepare<[string], object>(`SELECT * FROM ${kind} WHERE id = ?`).get(id) ?? {};
    const text = JSON.stringify({ ...row, table: kind });
    this.#known.set(id, time_updated);
    this.#newest = Math.max(this.#newest, time_updated);
    this.#size += text.length;
    const items = this.#reader.take({ line: number, text }).filter(isOver);
    return { items, sha256: sha256Hex(text) };
  }
}

function isOver(item: TranscriptItem): boolean {
  return item.kind !== 'call' || item.end_line !== null;
}
