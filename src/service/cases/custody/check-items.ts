import type { CheckedEntry } from './check-custody.ts';

/** An item besides the first, as a case has it. */
export interface HeldItem {
  readonly item_no: number;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly added_by: string | null;
}

/** An item that is not what the log says, and the entry that says so. */
export interface ChangedItem {
  readonly item_no: number;
  readonly entry_no: number;
}

/** No item has a longer one, nor a longer digest: whoever made a case file chose what its log says. */
const MAX_NAME = 1024;

/** Holds the items of a case against its custody log, which has the number, name, size, digest and adder of each. */
export class LoggedItems {
  readonly #last = new Map<number, { readonly entry_no: number; readonly added: Omit<HeldItem, 'item_no'> | null }>();
  #next = 1;
  #isWhole = true;

  /** Has to be called with every entry, in order. */
  take({ entry_no, entry, isSound }: CheckedEntry): void {
    if (entry_no !== this.#next || !isSound) this.#isWhole = false;
    this.#next = entry_no + 1;
    if (entry === null || (entry.action !== 'item.add' && entry.action !== 'item.remove')) return;
    const { item_no: itemNo, name, bytes, sha256 } = entry.details;
    if (typeof itemNo !== 'number') return;
    if (!isSound) this.#last.delete(itemNo);
    else if (entry.action === 'item.remove') this.#last.set(itemNo, { entry_no, added: null });
    else if (
      typeof name === 'string' &&
      name.length <= MAX_NAME &&
      typeof bytes === 'number' &&
      typeof sha256 === 'string' &&
      sha256.length <= MAX_NAME
    ) {
      this.#last.set(itemNo, { entry_no, added: { name, bytes, sha256, added_by: entry.by } });
    }
  }

  /**
   * Items that are others than the log says, are there though nothing says that they were added, or are gone though nothing says
   * that they were removed. Where entries are missing or changed, that is said of them, and an item without one is no damage more.
   */
  changed(items: Iterable<HeldItem>): ChangedItem[] {
    const found: ChangedItem[] = [];
    const gone = new Map([...this.#last].filter(([, { added }]) => added !== null));
    for (const { item_no, name, bytes, sha256, added_by } of items) {
      gone.delete(item_no);
      const logged = this.#last.get(item_no);
      if (logged === undefined && !this.#isWhole) continue;
      const added = logged?.added;
      const isSame =
        added?.name === name && added.bytes === bytes && added.sha256 === sha256 && added.added_by === added_by;
      if (!isSame) found.push({ item_no, entry_no: logged?.entry_no ?? this.#next });
    }
    return [...found, ...[...gone].map(([item_no, { entry_no }]) => ({ item_no, entry_no }))];
  }
}
