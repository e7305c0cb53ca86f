import { equalBytes } from '../bytes.ts';
import type { Receipt } from '../statements/receipt.ts';
import type { FindingPlace } from './report.ts';

/** A receipt that others hold, and what the bundle has in its place. */
export interface Kept {
  readonly receipt: Receipt;
  readonly leaf: Uint8Array;
  readonly where: FindingPlace;
  /** What the bundle has under the same number: nothing so far, the same statement, or another. */
  match: 'none' | 'same' | Receipt;
  /** The bundle's receipt for the same operation, under another number. */
  elsewhere: Receipt | null;
}

/** Receipts that others hold, by what a bundle must not state otherwise: their numbers and their operations. */
export class KeptIndex {
  readonly #bySeqNo = new Map<number, Kept[]>();
  /** By operation_id in lower case: UUIDs are the same in either. */
  readonly #byOperation = new Map<string, Kept[]>();

  add(receipt: Receipt, leaf: Uint8Array, where: FindingPlace): void {
    const kept: Kept = { receipt, leaf, where, match: 'none', elsewhere: null };
    addTo(this.#bySeqNo, receipt.seq_no, kept);
    addTo(this.#byOperation, receipt.operation_id.toLowerCase(), kept);
  }

  /**
   * Notes what the bundle has.
   * @returns what is kept under its number
   */
  match(ear: Receipt, leaf: Uint8Array): readonly Kept[] {
    const keptHere = this.#bySeqNo.get(ear.seq_no) ?? [];
    for (const kept of keptHere) kept.match = equalBytes(kept.leaf, leaf) ? 'same' : ear;
    for (const kept of this.#byOperation.get(ear.operation_id.toLowerCase()) ?? []) {
      if (kept.receipt.seq_no !== ear.seq_no) kept.elsewhere ??= ear;
    }
    return keptHere;
  }

  /** All of them in ascending order of their numbers. */
  list(): readonly Kept[] {
    return [...this.#bySeqNo].sort(([a], [b]) => a - b).flatMap(([, keptHere]) => keptHere);
  }
}

function addTo<K>(lists: Map<K, Kept[]>, key: K, kept: Kept): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [kept]);
  else list.push(kept);
}
