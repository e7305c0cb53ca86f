import { ByteReader } from './byte-writer.ts';
import { KIND, PLACES, varintsBehind } from './postings.ts';

/*
 * Walks through lists of postings (postings.ts says how they are written) for questions. A frequent word has some ten million entries
 * in a million records: so each walk is one loop over the bytes, without a call for each number.
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

/** Places in rising order, each as record × PLACES + place. */
export type Places = Float64Array;

/** All places of a word. */
export function wordPlaces(bytes: Uint8Array, base: number): Places {
  const { length } = bytes;
  // An entry has a byte at least.
  const places = new Float64Array(length);
  let found = 0;
  let record = base * PLACES;
  let place = 0;
  for (let at = 0; at < length; ) {
    let byte = bytes[at++] as number;
    const isNew = (byte & 1) === 1;
    let rest = (byte & 0x7f) >>> 1;
    for (let factor = 64; byte >= 0x80; factor *= 128) {
      byte = bytes[at++] as number;
      rest += (byte & 0x7f) * factor;
    }
    if (isNew) {
      record += rest * PLACES;
      byte = bytes[at++] as number;
      place = byte & 0x7f;
      for (let factor = 128; byte >= 0x80; factor *= 128) {
        byte = bytes[at++] as number;
        place += (byte & 0x7f) * factor;
      }
    } else place += rest;
    places[found++] = record + place;
  }
  return places.subarray(0, found);
}

/** Those of some places at which a word is this many places further on. */
export function placesBefore(bytes: Uint8Array, base: number, places: Places, step: number): Places {
  const { length } = bytes;
  const left = new Float64Array(Math.min(places.length, length));
  let found = 0;
  let record = base * PLACES - step;
  let place = 0;
  let at = 0;
  let next = places[0] ?? Number.POSITIVE_INFINITY;
  for (let from = 0; from < length && next !== Number.POSITIVE_INFINITY; ) {
    let byte = bytes[from++] as number;
    const isNew = (byte & 1) === 1;
    let rest = (byte & 0x7f) >>> 1;
    for (let factor = 64; byte >= 0x80; factor *= 128) {
      byte = bytes[from++] as number;
      rest += (byte & 0x7f) * factor;
    }
    if (isNew) {
      record += rest * PLACES;
      byte = bytes[from++] as number;
      place = byte & 0x7f;
      for (let factor = 128; byte >= 0x80; factor *= 128) {
        byte = bytes[from++] as number;
        place += (byte & 0x7f) * factor;
      }
    } else place += rest;
    const wanted = record + place;
    while (next < wanted) next = places[++at] ?? Number.POSITIVE_INFINITY;
    if (next === wanted) left[found++] = wanted;
  }
  return left.subarray(0, found);
}

/** Calls with each record in which a word is within a value under a path. Both lists count from the same base. */
export function eachRecordWithWord(path: Uint8Array, word: Uint8Array, base: number, visit: (n: number) => void): void {
  const { length } = path;
  const words = word.length;
  let n = base;
  let begin = 0;
  /** The record, and the place in it, of the word's entry that was read last. */
  let record = base;
  let place = -1;
  let at = 0;
  for (let from = 0; from < length; ) {
    let byte = path[from++] as number;
    const isNew = (byte & 1) === 1;
    let rest = (byte & 0x7f) >>> 1;
    for (let factor = 64; byte >= 0x80; factor *= 128) {
      byte = path[from++] as number;
      rest += (byte & 0x7f) * factor;
    }
    if (isNew) {
      n += rest;
      byte = path[from++] as number;
      begin = byte & 0x7f;
      for (let factor = 128; byte >= 0x80; factor *= 128) {
        byte = path[from++] as number;
        begin += (byte & 0x7f) * factor;
      }
    } else begin += rest;
    byte = path[from++] as number;
    let end = begin + (byte & 0x7f);
    for (let factor = 128; byte >= 0x80; factor *= 128) {
      byte = path[from++] as number;
      end += (byte & 0x7f) * factor;
    }
    // The word's entries up to the value.
    while (record < n || (record === n && place < begin)) {
      if (at >= words) return;
      byte = word[at++] as number;
      const isNext = (byte & 1) === 1;
      if (!isNext && record < n) {
        // Of a record before the value's: where in it does not matter.
        while (byte >= 0x80) byte = word[at++] as number;
        continue;
      }
      rest = (byte & 0x7f) >>> 1;
      for (let factor = 64; byte >= 0x80; factor *= 128) {
        byte = word[at++] as number;
        rest += (byte & 0x7f) * factor;
      }
      if (isNext) {
        record += rest;
        byte = word[at++] as number;
        place = byte & 0x7f;
        for (let factor = 128; byte >= 0x80; factor *= 128) {
          byte = word[at++] as number;
          place += (byte & 0x7f) * factor;
        }
      } else place += rest;
    }
    if (record === n && place < end) visit(n);
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
  const { length } = bytes;
  let n = base;
  let begin = 0;
  let at = 0;
  let next = places[0] ?? Number.POSITIVE_INFINITY;
  for (let from = 0; from < length && next !== Number.POSITIVE_INFINITY; ) {
    let byte = bytes[from++] as number;
    const isNew = (byte & 1) === 1;
    let rest = (byte & 0x7f) >>> 1;
    for (let factor = 64; byte >= 0x80; factor *= 128) {
      byte = bytes[from++] as number;
      rest += (byte & 0x7f) * factor;
    }
    if (isNew) {
      n += rest;
      byte = bytes[from++] as number;
      begin = byte & 0x7f;
      for (let factor = 128; byte >= 0x80; factor *= 128) {
        byte = bytes[from++] as number;
        begin += (byte & 0x7f) * factor;
      }
    } else begin += rest;
    byte = bytes[from++] as number;
    let words = byte & 0x7f;
    for (let factor = 128; byte >= 0x80; factor *= 128) {
      byte = bytes[from++] as number;
      words += (byte & 0x7f) * factor;
    }
    const start = n * PLACES + begin;
    while (next < start) next = places[++at] ?? Number.POSITIVE_INFINITY;
    if (next > start + words - count) continue;
    visit(n);
    // Once is enough for a record.
    const beyond = (n + 1) * PLACES;
    while (next < beyond) next = places[++at] ?? Number.POSITIVE_INFINITY;
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
