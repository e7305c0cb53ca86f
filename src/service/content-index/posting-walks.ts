import { ByteReader } from './byte-writer.ts';
import { KIND, PLACES, varintsBehind } from './postings.ts';

/*
 * Walks through lists of postings (postings.ts says how they are written) for questions. A frequent word has some ten million entries
 * in a million records: so what is read of each entry is a few bytes, without a list in between.
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

/** Those of some places at which a word is this many places further on. */
export function placesBefore(bytes: Uint8Array, base: number, places: Places, step: number): Places {
  const left = new Float64Array(Math.min(places.length, bytes.length));
  const word = new PlaceCursor(bytes, base);
  let found = 0;
  let at = 0;
  while (at < places.length && word.next()) {
    const wanted = word.record * PLACES + word.place - step;
    while ((places[at] ?? Number.POSITIVE_INFINITY) < wanted) at++;
    if (places[at] === wanted) left[found++] = wanted;
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
    while (words.record < record || (words.record === record && words.place < place)) if (!words.next()) return;
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
