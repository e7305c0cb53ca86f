import type { Bits } from './bits.ts';
import { ByteReader, type ByteWriter } from './byte-writer.ts';

/*
 * A list of postings says in which records a term is, in rising order, and where in each. Every entry begins with a varint
 * whose lowest bit tells whether it begins a further record: then the rest is the step from the number of the record before,
 * and otherwise the step from the place before.
 */

/** What a term is, by its first character. */
export const KIND = {
  /** A word of a payload: the number of the word within the record. */
  word: 'w',
  /** A word of a field of the record. */
  fieldWord: 'f',
  /** A path in payloads: for each value there, the number of its first word and how many it has. */
  path: 'p',
  /** The same for a field of the record. */
  field: 'q',
  /** An exact value under a path or field: no places. */
  value: '=',
  /** Numbers under a path: 8 bytes, little-endian, each. */
  number: '#',
  /** Times, likewise. */
  time: '@',
} as const;

/** How many varints follow the head of an entry that begins a record; of any other it is one less, but for none. */
function varintsBehind(kind: string): 0 | 1 | 2 {
  if (kind === KIND.path || kind === KIND.field) return 2;
  return kind === KIND.word || kind === KIND.fieldWord ? 1 : 0;
}

/** How far behind the head of an entry the next one begins. */
function skipRest(kind: string, reader: ByteReader, isNew: boolean): void {
  if (kind === KIND.number || kind === KIND.time) reader.at += 8;
  const varints = varintsBehind(kind);
  for (let left = isNew ? varints : varints - 1; left > 0; left--) reader.varint();
}

/*
 * What follows up to mergePostings reads the lists of questions: a frequent word has some ten million entries in a million records.
 * So each of them is one loop over the bytes, without a call for each number.
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

/** Where a list is among others. */
export interface ListPlace {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/**
 * Writes a list without some records. One walk, which reads of each entry no more than tells where the next begins: an erasure
 * sends every list of a segment through here.
 * @param gone records by how far they are from the list's base
 * @returns how many of the list's records these are; where none is, nothing was written
 */
export function leaveOut(
  kind: string,
  { bytes, from, to }: ListPlace,
  gone: Pick<Bits, 'words'>,
  out: ByteWriter,
): number {
  const { words } = gone;
  const behind = kind === KIND.number || kind === KIND.time ? 8 : 0;
  const varints = kind === KIND.path || kind === KIND.field ? 1 : 0;
  const places = kind === KIND.value || behind > 0 ? 0 : 1;
  let n = 0;
  /** The last record that stays, and where what stays of the list and is not written yet begins. */
  let before = 0;
  let unwritten = from;
  let isOut = false;
  let left = 0;
  for (let at = from; at < to; ) {
    const entry = at;
    let byte = bytes[at++] ?? 0;
    const isNew = (byte & 1) === 1;
    let skipped = varints;
    if (isNew) {
      skipped += places;
      let step = (byte & 0x7f) >>> 1;
      for (let factor = 64; byte >= 0x80; factor *= 128) {
        byte = bytes[at++] ?? 0;
        step += (byte & 0x7f) * factor;
      }
      n += step;
      if (((words[n >>> 5] ?? 0) & (1 << (n & 31))) !== 0) {
        if (!isOut) out.range(bytes, unwritten, entry);
        isOut = true;
        left++;
      } else {
        if (isOut) {
          out.varint((n - before) * 2 + 1);
          unwritten = at;
          isOut = false;
        }
        before = n;
      }
    } else while (byte >= 0x80) byte = bytes[at++] ?? 0;
    for (; skipped > 0; skipped--) while ((bytes[at++] ?? 0) >= 0x80);
    at += behind;
  }
  if (left > 0 && !isOut) out.range(bytes, unwritten, to);
  return left;
}

/** Places of a record are within this distance, so that a record and a place in it make one number. */
export const PLACES = 2 ** 24;

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

/** A list of postings, and what its numbers count from. */
export interface BasedPostings {
  readonly bytes: Uint8Array;
  readonly base: number;
}

/** The records of a list one after the other, for merging. */
class RecordCursor {
  n: number;
  /** Where the present record's bytes behind its head begin and end. */
  from = 0;
  to = 0;
  done = false;
  readonly bytes: Uint8Array;
  readonly #kind: string;
  readonly #reader: ByteReader;

  constructor(kind: string, { bytes, base }: BasedPostings) {
    this.#kind = kind;
    this.bytes = bytes;
    this.n = base;
    this.#reader = new ByteReader(bytes);
    this.next();
  }

  next(): void {
    const reader = this.#reader;
    if (reader.done) {
      this.done = true;
      return;
    }
    this.n += (reader.varint() - 1) / 2;
    this.from = reader.at;
    skipRest(this.#kind, reader, true);
    for (;;) {
      this.to = reader.at;
      if (reader.done) return;
      const head = reader.varint();
      if (head % 2 === 1) {
        reader.at = this.to;
        return;
      }
      skipRest(this.#kind, reader, false);
    }
  }
}

/**
 * Writes several lists of one term as one; no record is in two of them.
 * @returns how many records it has
 */
export function mergePostings(kind: string, lists: readonly BasedPostings[], base: number, out: ByteWriter): number {
  const cursors = lists.map((list) => new RecordCursor(kind, list));
  let before = base;
  let records = 0;
  for (;;) {
    let next: RecordCursor | undefined;
    for (const cursor of cursors) {
      if (!cursor.done && (next === undefined || cursor.n < next.n)) next = cursor;
    }
    if (next === undefined) return records;
    out.varint((next.n - before) * 2 + 1);
    out.range(next.bytes, next.from, next.to);
    before = next.n;
    records++;
    next.next();
  }
}
