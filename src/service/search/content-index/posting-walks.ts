import type { Bits } from './bits.ts';
import { ByteReader } from './byte-writer.ts';
import { KIND, PLACES, varintsBehind } from './postings.ts';

/*
 * Walks through lists of postings (postings.ts says how they are written) for questions. A frequent word has some ten million entries
 * in a million records: so entries are read in place, by loops that call nothing for most of them. Nearly every varint has one byte.
 */

/** Calls with the number of each record. @param base what numbers count from */
export function eachRecord(kind: string, bytes: Uint8Array, base: number, visit: (n: number) => void): void {
  const behind = kind === KIND.number || kind === KIND.time ? 8 : 0;
  const varints = varintsBehind(kind);
  const { length } = bytes;
  let n = base;
  for (let at = 0; at < length; ) {
    let byte = bytes[at++] as number;
    let skipped = varints;
    if ((byte & 1) === 1) {
      let step = (byte & 0x7f) >>> 1;
      for (let factor = 64; byte >= 0x80; factor *= 128) {
        byte = bytes[at++] as number;
        step += (byte & 0x7f) * factor;
      }
      n += step;
      visit(n);
    } else {
      while (byte >= 0x80) byte = bytes[at++] as number;
      skipped--;
    }
    for (; skipped > 0; skipped--) while ((bytes[at++] as number) >= 0x80);
    at += behind;
  }
}

/** Adds the number of each record with a word; those beside the words of the set are left out. @param base what numbers count from */
export function addWordRecords(bytes: Uint8Array, base: number, { words: set, skipped }: Bits): void {
  const { length } = bytes;
  let n = base;
  for (let at = 0; at < length; ) {
    let byte = bytes[at++] as number;
    if ((byte & 1) === 0) {
      while (byte >= 0x80) byte = bytes[at++] as number;
      continue;
    }
    n += (byte & 0x7f) >>> 1;
    for (let factor = 64; byte >= 0x80; factor *= 128) {
      byte = bytes[at++] as number;
      n += (byte & 0x7f) * factor;
    }
    const word = (n >>> 5) - skipped;
    set[word] = (set[word] as number) | (1 << (n & 31));
    while ((bytes[at++] as number) >= 0x80);
  }
}

/**
 * How many records with an exact value are among some records.
 * @param met is given them
 */
export function countRecords(bytes: Uint8Array, base: number, { words: among }: Bits, { words: met }: Bits): number {
  const { length } = bytes;
  let count = 0;
  let n = base;
  for (let at = 0; at < length; ) {
    let byte = bytes[at++] as number;
    n += (byte & 0x7f) >>> 1;
    for (let factor = 64; byte >= 0x80; factor *= 128) {
      byte = bytes[at++] as number;
      n += (byte & 0x7f) * factor;
    }
    const bit = 1 << (n & 31);
    if (((among[n >>> 5] as number) & bit) === 0) continue;
    met[n >>> 5] = (met[n >>> 5] as number) | bit;
    count++;
  }
  return count;
}

/** The entries of a list with places, one after the other: of a word, or of a path. */
class PlaceCursor {
  /** The record of the entry that was read last, and the place in it. */
  record: number;
  place = -1;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array, base: number) {
    this.#bytes = bytes;
    this.record = base;
  }

  /** Reads the next entry. @returns false at the end */
  next(): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    if (at >= bytes.length) return false;
    let byte = bytes[at++] as number;
    const isNew = (byte & 1) === 1;
    let rest = (byte & 0x7f) >>> 1;
    for (let factor = 64; byte >= 0x80; factor *= 128) {
      byte = bytes[at++] as number;
      rest += (byte & 0x7f) * factor;
    }
    this.#at = at;
    if (isNew) {
      this.record += rest;
      this.place = this.varint();
    } else this.place += rest;
    return true;
  }

  /**
   * Reads on to the first entry of a word at this place or behind it.
   * @returns false where there is none
   */
  reach(record: number, place: number): boolean {
    const bytes = this.#bytes;
    const { length } = bytes;
    let [n, here, at] = [this.record, this.place, this.#at];
    while (n < record || (n === record && here < place)) {
      if (at >= length) {
        this.#at = at;
        return false;
      }
      let byte = bytes[at++] as number;
      const isNew = (byte & 1) === 1;
      let rest = (byte & 0x7f) >>> 1;
      for (let factor = 64; byte >= 0x80; factor *= 128) {
        byte = bytes[at++] as number;
        rest += (byte & 0x7f) * factor;
      }
      if (isNew) {
        n += rest;
        byte = bytes[at++] as number;
        here = byte & 0x7f;
        for (let factor = 128; byte >= 0x80; factor *= 128) {
          byte = bytes[at++] as number;
          here += (byte & 0x7f) * factor;
        }
      } else here += rest;
    }
    this.record = n;
    this.place = here;
    this.#at = at;
    return true;
  }

  /** Reads what stands behind the place: of a path, how many words the value has. */
  varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] as number;
    let value = byte & 0x7f;
    for (let factor = 128; byte >= 0x80; factor *= 128) {
      byte = bytes[this.#at++] as number;
      value += (byte & 0x7f) * factor;
    }
    return value;
  }
}

/** Places in rising order, each as record × PLACES + place. */
export type Places = Float64Array;

/** All places of a word. */
export function wordPlaces(bytes: Uint8Array, base: number): Places {
  // An entry has a byte at least.
  const places = new Float64Array(bytes.length);
  const word = new PlaceCursor(bytes, base);
  let found = 0;
  while (word.next()) places[found++] = word.record * PLACES + word.place;
  return places.subarray(0, found);
}

/** Places of a word at which another is this many places further on: both lists may be long, so neither is written out. */
export function pairPlaces(word: Uint8Array, other: Uint8Array, base: number, step: number): Places {
  const places = new Float64Array(Math.min(word.length, other.length));
  let found = 0;
  let [n, here] = [base, 0];
  let [otherN, there] = [base, -1];
  for (let [at, otherAt] = [0, 0]; at < word.length; ) {
    let byte = word[at++] as number;
    const isNew = (byte & 1) === 1;
    let rest = (byte & 0x7f) >>> 1;
    for (let factor = 64; byte >= 0x80; factor *= 128) {
      byte = word[at++] as number;
      rest += (byte & 0x7f) * factor;
    }
    if (isNew) {
      n += rest;
      byte = word[at++] as number;
      here = byte & 0x7f;
      for (let factor = 128; byte >= 0x80; factor *= 128) {
        byte = word[at++] as number;
        here += (byte & 0x7f) * factor;
      }
    } else here += rest;
    const wanted = here + step;
    while (otherN < n || (otherN === n && there < wanted)) {
      if (otherAt >= other.length) return places.subarray(0, found);
      byte = other[otherAt++] as number;
      const otherIsNew = (byte & 1) === 1;
      rest = (byte & 0x7f) >>> 1;
      for (let factor = 64; byte >= 0x80; factor *= 128) {
        byte = other[otherAt++] as number;
        rest += (byte & 0x7f) * factor;
      }
      if (otherIsNew) {
        otherN += rest;
        byte = other[otherAt++] as number;
        there = byte & 0x7f;
        for (let factor = 128; byte >= 0x80; factor *= 128) {
          byte = other[otherAt++] as number;
          there += (byte & 0x7f) * factor;
        }
      } else there += rest;
    }
    if (otherN === n && there === wanted) places[found++] = n * PLACES + here;
  }
  return places.subarray(0, found);
}

/** Those of some places at which a word is this many places further on. */
export function placesBefore(bytes: Uint8Array, base: number, places: Places, step: number): Places {
  const left = new Float64Array(Math.min(places.length, bytes.length));
  const word = new PlaceCursor(bytes, base);
  let found = 0;
  for (const place of places) {
    const record = Math.floor(place / PLACES);
    const wanted = place - record * PLACES + step;
    if (!word.reach(record, wanted)) break;
    if (word.record === record && word.place === wanted) left[found++] = place;
  }
  return left.subarray(0, found);
}

/** Calls with each record in which a word is within a value under a path. Both lists count from the same base. */
export function eachRecordWithWord(path: Uint8Array, word: Uint8Array, base: number, visit: (n: number) => void): void {
  const values = new PlaceCursor(path, base);
  const words = new PlaceCursor(word, base);
  while (values.next()) {
    const { record, place } = values;
    const end = place + values.varint();
    if (!words.reach(record, place)) return;
    if (words.record === record && words.place < end) visit(record);
  }
}

/** Calls with each record in which one of some places begins this many words within one value under a path. */
export function eachRecordWithin(
  bytes: Uint8Array,
  base: number,
  places: Places,
  count: number,
  visit: (n: number) => void,
): void {
  const values = new PlaceCursor(bytes, base);
  let at = 0;
  while (at < places.length && values.next()) {
    const start = values.record * PLACES + values.place;
    const last = start + values.varint() - count;
    while ((places[at] ?? Number.POSITIVE_INFINITY) < start) at++;
    if ((places[at] ?? Number.POSITIVE_INFINITY) <= last) visit(values.record);
  }
}

/** Calls with each number under a path. */
export function eachNumber(bytes: Uint8Array, base: number, visit: (n: number, value: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new ByteReader(bytes);
  let n = base;
  while (!reader.done) {
    const head = reader.varint();
    if (head % 2 === 1) n += (head - 1) / 2;
    visit(n, view.getFloat64(reader.at, true));
    reader.at += 8;
  }
}
