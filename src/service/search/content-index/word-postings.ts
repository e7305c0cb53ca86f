import { ByteWriter } from './byte-writer.ts';
import { Numbers, orderOf } from './growing-numbers.ts';
import { PLACES } from './postings.ts';
import type { SegmentWriter } from './segment-writer.ts';

/** How many slots are looked at for a word before a `Map` has it: whoever sends words that share a slot makes nothing slower than that. */
const PROBES = 16;

/**
 * Gathers the words of records: each word has a number, and each place of a word is a row, in the order in which they come. Rows are put in the
 * order of words once, when all are there: a text and a list of each word's own would cost more than all else of a segment.
 */
export class WordPostings {
  /** By slot the number of a word plus one; 0 is free. As many as a power of two. */
  #slots = new Uint32Array(4096);
  /** Words for which no slot was free where they are looked for. */
  #others = new Map<string, number>();
  /** By the number of a word: its hash, and where its UTF-16 units begin. */
  readonly #hashes = new Numbers();
  readonly #begins = new Numbers();
  readonly #units = new Numbers();
  /** By row: the number of the word, and which word of its record it is. */
  readonly #words = new Numbers();
  readonly #places = new Numbers();
  /** Of each record how far it is from the base, and its first row. */
  readonly #records = new Numbers();
  readonly #rows = new Numbers();

  constructor() {
    this.#begins.push(0);
  }

  /** Begins a record. @param n how far it is from the segment's base, more than the one before */
  record(n: number): void {
    this.#records.push(n);
    this.#rows.push(this.#words.length);
  }

  /** Adds a word of that record, which is in a text from `start` to `end`. @param place greater than the one before */
  add(text: string, start: number, end: number, place: number): void {
    this.#words.push(this.#numberOf(text, start, end));
    this.#places.push(place);
  }

  #numberOf(text: string, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b) ^ (hash >>> 13);
    hash = (hash ^ (hash >>> 16)) >>> 0;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask, left = PROBES; left > 0; slot = (slot + 1) & mask, left--) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) return this.#new(hash, text, start, end);
      if (this.#hashes.at(number) === hash && this.#isIn(number, text, start, end)) return number;
    }
    return this.#others.get(text.slice(start, end)) ?? this.#new(hash, text, start, end);
  }

  #isIn(number: number, text: string, start: number, end: number): boolean {
    const begin = this.#begins.at(number);
    if (this.#begins.at(number + 1) - begin !== end - start) return false;
    for (let at = start; at < end; at++) {
      if (this.#units.at(begin + at - start) !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  #new(hash: number, text: string, start: number, end: number): number {
    const number = this.#hashes.length;
    for (let at = start; at < end; at++) this.#units.push(text.charCodeAt(at));
    this.#hashes.push(hash);
    this.#begins.push(this.#units.length);
    if (number * 2 < this.#slots.length) this.#keep(number);
    else {
      this.#slots = new Uint32Array(this.#slots.length * 2);
      this.#others = new Map();
      for (let one = 0; one <= number; one++) this.#keep(one);
    }
    return number;
  }

  /** Puts a word where it is looked for. */
  #keep(number: number): void {
    const mask = this.#slots.length - 1;
    for (let slot = this.#hashes.at(number) & mask, left = PROBES; left > 0; slot = (slot + 1) & mask, left--) {
      if (this.#slots[slot] !== 0) continue;
      this.#slots[slot] = number + 1;
      return;
    }
    this.#others.set(this.#textOf(number), number);
  }

  #textOf(number: number): string {
    return this.#units.textOf(this.#begins.at(number), this.#begins.at(number + 1));
  }

  /** Writes a term for each word, in the order of words. @param kind what terms begin with */
  write(kind: string, writer: SegmentWriter): void {
    const count = this.#hashes.length;
    const { order, ends } = orderOf(this.#words, count);
    /** By row the record and the place in one number, which is exact up to 2^29 records from the base. */
    const rows = new Float64Array(this.#words.length);
    this.#rows.push(this.#words.length);
    for (let record = 0; record < this.#records.length; record++) {
      const n = this.#records.at(record) * PLACES;
      for (let row = this.#rows.at(record); row < this.#rows.at(record + 1); row++)
        rows[row] = n + this.#places.at(row);
    }
    const numbers = new Map(Array.from({ length: count }, (_, number) => [this.#textOf(number), number]));
    const out = new ByteWriter();
    for (const word of [...numbers.keys()].sort()) {
      const number = numbers.get(word) ?? 0;
      out.clear();
      let [records, n, before] = [0, 0, 0];
      for (let row = number === 0 ? 0 : (ends[number - 1] ?? 0); row < (ends[number] ?? 0); row++) {
        const place = rows[order[row] ?? 0] ?? 0;
        if (records > 0 && place - n < PLACES) out.varint((place - before) * 2);
        else {
          const next = place - (place % PLACES);
          out.varint(((next - n) / PLACES) * 2 + 1);
          out.varint(place - next);
          n = next;
          records++;
        }
        before = place;
      }
      writer.add(kind + word, records, out.view());
    }
  }
}
