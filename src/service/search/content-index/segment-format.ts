import { crc32 } from 'node:zlib';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { textOfBytes } from './term-reader.ts';

/** Begins and ends the file of a segment; changes with anything that is written into one. */
export const SEGMENT_MAGIC = 'CsContent1\n';

/** The size of a block in bytes, approximately: of terms, or of postings. */
export const TERM_BYTES = 4096;
export const POSTING_BYTES = 65_536;

/** Part of a file, with what shows whether it is whole. */
export interface Part {
  readonly at: number;
  readonly length: number;
  readonly crc: number;
}

/** Terms that follow one another, and apart from them their postings, which most readers of terms don't need. */
export interface Block {
  readonly first: string;
  readonly terms: Part;
  readonly postings: Part;
}

/** What stands where in a segment: the last thing in its file. */
export interface Listed {
  readonly blocks: readonly Block[];
  readonly columns: Readonly<Record<string, Part>>;
}

/** By which a ContentDamaged is known on another thread. */
export const DAMAGED_CODE = 'CONTENT_DAMAGED';

/** A part of the index does not say what was written into it: the index is thrown away and made again. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged';
  readonly code = DAMAGED_CODE;
}

export function checkPart(bytes: Uint8Array, { length, crc }: Part): Uint8Array {
  if (bytes.length !== length || crc32(bytes) !== crc) throw new ContentDamaged('a part of a segment is damaged');
  return bytes;
}

function sharedUnits(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  // A pair of surrogates stays together: half of one has no UTF-8.
  const code = shared > 0 ? a.charCodeAt(shared - 1) : 0;
  return code >= 0xd800 && code < 0xdc00 ? shared - 1 : shared;
}

/** Writes the terms of a block: each as what it adds to the one before. */
export class TermWriter {
  readonly out = new ByteWriter(2 * TERM_BYTES);
  #before = '';

  add(term: string, records: number, postings: number): void {
    const shared = sharedUnits(this.#before, term);
    this.out.varint(shared);
    this.out.text(term, shared);
    this.out.varint(records);
    this.out.varint(postings);
    this.#before = term;
  }

  clear(): void {
    this.out.clear();
    this.#before = '';
  }
}

/** The first entry of a block that fits, told by its kind and where its postings are: no term is made for that. @returns -1 where none does */
export function findEntry(bytes: Uint8Array, fits: (kind: string, from: number, to: number) => boolean): number {
  const reader = new ByteReader(bytes);
  let kind = '';
  let at = 0;
  for (let entry = 0; !reader.done; entry++) {
    const shared = reader.varint();
    const suffix = reader.varint();
    if (shared === 0) kind = String.fromCharCode(bytes[reader.at] ?? 0);
    reader.at += suffix;
    reader.varint();
    const length = reader.varint();
    if (fits(kind, at, at + length)) return entry;
    at += length;
  }
  return -1;
}

/** Of its two parts. */
const NUMBERS_OF_BLOCK = 6;

function partOf(reader: ByteReader): Part {
  return { at: reader.varint(), length: reader.varint(), crc: reader.varint() };
}

function writePart(out: ByteWriter, { at, length, crc }: Part): void {
  for (const value of [at, length, crc]) out.varint(value);
}

function readText(reader: ByteReader): string {
  const length = reader.varint();
  reader.at += length;
  return textOfBytes(reader.bytes.subarray(reader.at - length, reader.at));
}

export function encodeDirectory({ blocks, columns }: Listed): Uint8Array {
  const out = new ByteWriter(64 * (blocks.length + 8));
  out.varint(blocks.length);
  for (const { first, terms, postings } of blocks) {
    out.text(first);
    writePart(out, terms);
    writePart(out, postings);
  }
  const named = Object.entries(columns);
  out.varint(named.length);
  for (const [name, part] of named) {
    out.text(name);
    writePart(out, part);
  }
  return out.copy();
}

/**
 * The same as it is read. It stays in memory for every open segment, of which a large index has many with thousands of blocks each: so its
 * bytes do, and a block is read from them when it is asked for.
 */
export class Directory {
  readonly columns: Readonly<Record<string, Part>>;
  readonly #bytes: Uint8Array;
  /** Where each block begins. */
  readonly #starts: Uint32Array;

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes);
    this.#bytes = bytes;
    this.#starts = new Uint32Array(reader.varint());
    for (let place = 0; place < this.#starts.length; place++) {
      this.#starts[place] = reader.at;
      const length = reader.varint();
      reader.at += length;
      for (let number = 0; number < NUMBERS_OF_BLOCK; number++) reader.varint();
    }
    const columns = Array.from({ length: reader.varint() }, () => [readText(reader), partOf(reader)] as const);
    this.columns = Object.fromEntries(columns);
  }

  /** How many blocks there are. */
  get size(): number {
    return this.#starts.length;
  }

  /** The first term of a block. @param place below the number of blocks */
  first(place: number): string {
    return readText(this.#readerAt(place));
  }

  block(place: number): Block {
    const reader = this.#readerAt(place);
    return { first: readText(reader), terms: partOf(reader), postings: partOf(reader) };
  }

  #readerAt(place: number): ByteReader {
    return new ByteReader(this.#bytes, this.#starts[place]);
  }
}
