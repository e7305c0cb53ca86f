import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../../actions/tools/index.ts';
import { TRANSCRIPTS, type TranscriptItem } from '../../actions/transcripts/index.ts';
import { type ChangedRow, OpencodeStore } from '../../node/index.ts';
import { codeOf, messageOf } from '../../protocol/light.ts';
import type { Followed, Told } from './follow-file.ts';

/** How many rows are read at a time: between two readings others have their turn. */
const AT_A_TIME = 64;
/** Rows are looked at again for this long after their time, in milliseconds: another row may be written with the same one. */
const OVERLAP_MS = 2_000;

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
      // It is not waited for: hooks would wait as long.
      const store = new OpencodeStore(this.path, 0);
      try {
        const rows = store.changed(this.#session, this.#newest - OVERLAP_MS);
        const fresh = rows.filter(({ id, time_updated }) => this.#known.get(id) !== time_updated);
        for (const [index, row] of fresh.entries()) {
          yield this.#told(row, store.row(row));
          if (index % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
        }
      } finally {
        store.close();
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

  #told({ number, id, time_updated }: ChangedRow, text: string): Told {
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
