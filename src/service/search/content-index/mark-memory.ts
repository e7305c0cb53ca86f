import { MARKS, type Mark, type MarkMemory } from '../../../actions/index.ts';
import type { Catalog } from './catalog.ts';
import type { TermNames } from './term-names.ts';

/** What marks remember of a shelf's records, in the catalog: under digests in place of names, so that no text of a payload is there. */
export class ShelfMemory implements MarkMemory {
  readonly #catalog: Catalog;
  readonly #shelf: number;
  readonly #names: TermNames;
  /** What was set since the last `keep`; null for what was deleted. */
  readonly #changed = new Map<number, string | null>();

  constructor(catalog: Catalog, shelf: number, names: TermNames) {
    this.#catalog = catalog;
    this.#shelf = shelf;
    this.#names = names;
  }

  get(key: string): string | undefined {
    const digest = this.#names.digest(key);
    const changed = this.#changed.get(digest);
    if (changed !== undefined) return changed ?? undefined;
    const sql = 'SELECT value FROM memory WHERE shelf = ? AND key = ?';
    return this.#catalog.statement(sql).pluck().get(this.#shelf, digest) as string | undefined;
  }

  set(key: string, value: string): void {
    this.#changed.set(this.#names.digest(key), value);
  }

  delete(key: string): void {
    this.#changed.set(this.#names.digest(key), null);
  }

  /** Writes what was changed, within the transaction that lists the records' segment. */
  keep(): void {
    const set = this.#catalog.statement('INSERT OR REPLACE INTO memory (shelf, key, value) VALUES (?, ?, ?)');
    const remove = this.#catalog.statement('DELETE FROM memory WHERE shelf = ? AND key = ?');
    for (const [key, value] of this.#changed) {
      if (value === null) remove.run(this.#shelf, key);
      else set.run(this.#shelf, key, value);
    }
    this.#changed.clear();
  }
}

/** Marks as bits, in the order of MARKS. */
export function markBits(marks: readonly Mark[]): number {
  return marks.reduce((bits, mark) => bits | (1 << MARKS.indexOf(mark)), 0);
}

export function marksOfBits(bits: number): Mark[] {
  return MARKS.filter((_, index) => (bits & (1 << index)) !== 0);
}
