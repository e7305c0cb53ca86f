import { canonicalize } from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';
import type { CheckedEntry } from './check-custody.ts';

/** What a record's tags and note are, as the custody log has them. */
interface Noted {
  readonly entry_no: number;
  /** Of tags and note; null where they were taken away. */
  readonly digest: string | null;
}

function digestOf(tags: unknown, note: unknown): string {
  const text = canonicalize([Array.isArray(tags) ? tags : null, typeof note === 'string' ? note : null]);
  return Buffer.from(nodeCrypto.sha256(Buffer.from(text))).toString('base64');
}

/** Holds tags and notes against the custody log, whose entries have their whole text. */
export class NotedRecords {
  readonly #last = new Map<string, Noted>();

  /** To be told of every entry, in order. */
  take({ entry, isSound }: CheckedEntry): void {
    if (entry === null) return;
    const { action, details, entry_no } = entry;
    const { operation_id: operationId, tags, note } = details;
    if (typeof operationId !== 'string') return;
    // What was changed itself says nothing about what the note was.
    if (!isSound) {
      this.#last.delete(operationId);
      return;
    }
    if (action === 'annotation.remove') this.#last.set(operationId, { entry_no, digest: null });
    if (action !== 'annotation.set') return;
    const isEmpty = Array.isArray(tags) && tags.length === 0 && note === '';
    this.#last.set(operationId, { entry_no, digest: isEmpty ? null : digestOf(tags, note) });
  }

  /**
   * Takes a record's tags and note as they are.
   * @returns the entry that says something else; null where the log says the same, or nothing: notes are older than the log
   */
  differsFrom(operationId: string, tags: readonly string[], note: string): number | null {
    const noted = this.#last.get(operationId);
    if (noted === undefined) return null;
    this.#last.delete(operationId);
    return noted.digest === digestOf(tags, note) ? null : noted.entry_no;
  }

  /** Entries whose tags and notes are gone, though no entry took them away. Only after all that are there were taken. */
  missing(): number[] {
    return [...this.#last.values()].filter(({ digest }) => digest !== null).map(({ entry_no }) => entry_no);
  }
}
