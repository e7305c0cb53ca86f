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

/** Places of a record are within this distance, so that a record and a place in it make one number. */
export const PLACES = 2 ** 24;

/** How many varints follow the head of an entry that begins a record; of any other it is one less, but for none. */
export function varintsBehind(kind: string): 0 | 1 | 2 {
  if (kind === KIND.path || kind === KIND.field) return 2;
  return kind === KIND.word || kind === KIND.fieldWord ? 1 : 0;
}

/** How far behind the head of an entry the next one begins. */
function skipRest(kind: string, reader: ByteReader, isNew: boolean): void {
  if (kind === KIND.number || kind === KIND.time) reader.at += 8;
  const varints = varintsBehind(kind);
  for (let left = isNew ? varints : varints - 1; left > 0; left--) reader.varint();
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

/** A list of postings, and what its numbers count from. */
export interface BasedPostings {
  readonly bytes: Uint8Array;
  readonly base: number;
}

/** The same with how many records it has. */
interface CountedPostings extends BasedPostings {
  readonly records: number;
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

/** Writes a list whose numbers count from something else: only its first step is another. @returns how many records it has */
function rebase({ bytes, base: before, records }: CountedPostings, base: number, out: ByteWriter): number {
  if (bytes.length === 0) return 0;
  const reader = new ByteReader(bytes);
  out.varint(reader.varint() + 2 * (before - base));
  out.range(bytes, reader.at, bytes.length);
  return records;
}

/**
 * Writes several lists of one term as one; no record is in two of them.
 * @returns how many records it has
 */
export function mergePostings(kind: string, lists: readonly CountedPostings[], base: number, out: ByteWriter): number {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return rebase(only, base, out);
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
