import { equalBytes } from '../bytes.ts';
import type { Receipt } from '../statements/receipt.ts';
import type { FindingPlace } from './report.ts';

/** A receipt that others hold, and what the bundle has in its place. */
export interface Kept {
  readonly receipt: Receipt;
  readonly leaf: Uint8Array;
  readonly where: FindingPlace;
  /** The file's place among what was given, from 1. */
  readonly file: number;
  /** What the bundle has under the same number: nothing so far, the same statement, or another. */
  match: 'none' | 'same' | Receipt;
  /** The bundle's copy of the same statement, where its signature is written otherwise. */
  copy: Receipt | null;
  /** The bundle's receipt for the same operation, under another number. */
  elsewhere: Receipt | null;
}

/** Receipts that others hold, by what a bundle must not state otherwise: their numbers and their operations. */
export class KeptIndex {
  readonly #bySeqNo = new Map<number, Kept[]>();
  /** By operation_id in lower case: UUIDs are the same in either. */
  readonly #byOperation = new Map<string, Kept[]>();

  add(receipt: Receipt, leaf: Uint8Array, where: FindingPlace, file: number): void {
    const kept: Kept = { receipt, leaf, where, file, match: 'none', copy: null, elsewhere: null };
    addTo(this.#bySeqNo, receipt.seq_no, kept);
    addTo(this.#byOperation, receipt.operation_id.toLowerCase(), kept);
  }

  /**
   * Notes what the bundle has.
   * @returns what is kept under its number
   */
  match(ear: Receipt, leaf: Uint8Array): readonly Kept[] {
    const keptHere = this.at(ear.seq_no);
    for (const kept of keptHere) {
      kept.match = equalBytes(kept.leaf, leaf) ? 'same' : ear;
      const isCopy = kept.match === 'same' && kept.receipt.service_signature !== ear.service_signature;
      if (isCopy) kept.copy = ear;
    }
    for (const kept of this.#byOperation.get(ear.operation_id.toLowerCase()) ?? []) {
      if (kept.receipt.seq_no !== ear.seq_no) kept.elsewhere ??= ear;
    }
    return keptHere;
  }

  /** What is kept under a number, in the order in which it was given. */
  at(seqNo: number): readonly Kept[] {
    return this.#bySeqNo.get(seqNo) ?? [];
  }

  /** All of them in ascending order of their numbers. */
  list(): readonly Kept[] {
    return [...this.#bySeqNo].sort(([a], [b]) => a - b).flatMap(([, keptHere]) => keptHere);
  }

  /** Those that differ from another one of their number or their operation, where the bundle has nothing there. */
  *rivals(): Generator<Kept> {
    const told = new Set<Kept>();
    for (const lists of [this.#bySeqNo, this.#byOperation]) {
      for (const list of lists.values()) {
        const [first] = list;
        if (first === undefined || list.every(({ leaf }) => equalBytes(leaf, first.leaf))) continue;
        for (const kept of list) {
          if (kept.match !== 'none' || kept.elsewhere !== null || told.has(kept)) continue;
          told.add(kept);
          yield kept;
        }
      }
    }
  }
}

function addTo<K>(lists: Map<K, Kept[]>, key: K, kept: Kept): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [kept]);
  else list.push(kept);
}
