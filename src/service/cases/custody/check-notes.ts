import { nodeCrypto } from '../../../node/index.ts';
import { canonicalize } from '../../../protocol/index.ts';
import type { CheckedEntry } from './check-custody.ts';

/** What is written about a record, as the custody log has it. */
interface Noted {
  readonly entry_no: number;
  /** Of tags, note, bookmark and who wrote them; null where all of it was taken away. */
  readonly digest: string | null;
}

/** Entries from before there were bookmarks do not name one. */
function digestOf(tags: unknown, note: unknown, bookmarked: unknown, by: string | null): string {
  const isText = typeof note === 'string';
  const text = canonicalize([Array.isArray(tags) ? tags : null, isText ? note : null, bookmarked === true, by]);
  return Buffer.from(nodeCrypto.sha256(Buffer.from(text))).toString('base64');
}

/** No record has a longer one: whoever made a case file chose what its log names. */
export const MAX_OPERATION_ID = 256;

/** Tags, note and bookmark of a record, and who wrote them. */
export interface WrittenNote {
  readonly tags: readonly string[];
  readonly note: string;
  readonly bookmarked: boolean;
  /** Address of who was signed in; null where nobody was. */
  readonly by: string | null;
}

/** Holds tags, notes and bookmarks against the custody log, whose entries have their whole text. */
export class NotedRecords {
  readonly #last = new Map<string, Noted>();
  readonly #compared = new Set<string>();

  /** Has to be called with every entry, in order. */
  take({ entry, isSound }: CheckedEntry): void {
    if (entry === null) return;
    const { action, details, entry_no, by } = entry;
    const { operation_id: operationId, tags, note, bookmarked } = details;
    if (typeof operationId !== 'string' || operationId.length > MAX_OPERATION_ID) return;
    // What was changed itself says nothing about what the note was.
    if (!isSound) {
      this.#last.delete(operationId);
      return;
    }
    if (action === 'annotation.remove') this.#last.set(operationId, { entry_no, digest: null });
    if (action !== 'annotation.set') return;
    const isEmpty = Array.isArray(tags) && tags.length === 0 && note === '' && bookmarked !== true;
    this.#last.set(operationId, { entry_no, digest: isEmpty ? null : digestOf(tags, note, bookmarked, by) });
  }

  /** The records that the entries name. */
  get operationIds(): Iterable<string> {
    return this.#last.keys();
  }

  /**
   * Holds what is written about a record against the log.
   * @returns the entry that says something else; null where the log says the same, or nothing: notes are older than the log
   */
  differsFrom(operationId: string, { tags, note, bookmarked, by }: WrittenNote): number | null {
    const noted = this.#last.get(operationId);
    if (noted === undefined) return null;
    this.#compared.add(operationId);
    return noted.digest === digestOf(tags, note, bookmarked, by) ? null : noted.entry_no;
  }

  /** Entries whose tags and notes are gone, though no entry took them away. Only after all that are there were compared. */
  missing(): number[] {
    return [...this.#last].flatMap(([operationId, { entry_no, digest }]) =>
      digest === null || this.#compared.has(operationId) ? [] : [entry_no],
    );
  }
}
