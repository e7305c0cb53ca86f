import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { firstPlace } from '../../../protocol/index.ts';
import type { BasedPostings } from './postings.ts';
import { type Block, ContentDamaged, checkPart, Directory, type Part, SEGMENT_MAGIC } from './segment-format.ts';
import { TermReader } from './term-reader.ts';

/** Parts of blocks that stay in memory, for each open segment, and how long such a part may be. */
const KEPT_PARTS = 4;
const KEPT_BYTES = 128 * 1024;

const END = 16 + SEGMENT_MAGIC.length;

export interface TermEntry {
  readonly term: string;
  readonly records: number;
}

/** Terms and their postings, wherever these are. */
export interface FoundTerm extends BasedPostings, TermEntry {}

/** A block with its bytes. */
export interface RawBlock {
  readonly first: string;
  readonly terms: Uint8Array;
  readonly postings: Uint8Array;
  /** Their checksums, which were compared. */
  readonly crcs: { readonly terms: number; readonly postings: number };
}

/** The file of a segment, open for reading. It never changes. */
export class SegmentFile {
  readonly base: number;
  readonly #file: number;
  readonly #directory: Directory;
  #paths: readonly string[] | null = null;
  /** By where they are. */
  readonly #kept = new Map<number, Uint8Array>();

  /** @throws ContentDamaged; an error of the file system where it cannot be opened */
  constructor(path: string, base: number) {
    this.base = base;
    this.#file = openSync(path, 'r');
    try {
      this.#directory = this.#readDirectory();
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  #readDirectory(): Directory {
    const { size } = fstatSync(this.#file);
    if (size < SEGMENT_MAGIC.length + END) throw new ContentDamaged('a segment is cut off');
    const end = this.#bytes(size - END, END);
    if (end.toString('latin1', 16) !== SEGMENT_MAGIC) throw new ContentDamaged('a segment is cut off');
    const part = { at: end.readUIntLE(0, 6), length: end.readUInt32LE(8), crc: end.readUInt32LE(12) };
    if (part.at + part.length > size) throw new ContentDamaged('a segment is damaged');
    return new Directory(this.#part(part));
  }

  #bytes(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const read = readSync(this.#file, bytes, done, length - done, at + done);
      if (read === 0) throw new ContentDamaged('a segment is cut off');
      done += read;
    }
    return bytes;
  }

  #part(part: Part): Uint8Array {
    return checkPart(this.#bytes(part.at, part.length), part);
  }

  /** A part of a block. Those that were read last stay: terms that are asked for together are near one another. */
  #ofBlock(part: Part): Uint8Array {
    let bytes = this.#kept.get(part.at);
    if (bytes !== undefined) return bytes;
    bytes = this.#part(part);
    if (part.length > KEPT_BYTES) return bytes;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= KEPT_PARTS) this.#kept.delete(oldest);
    this.#kept.set(part.at, bytes);
    return bytes;
  }

  /** @returns null where the segment has no such column */
  column(name: string): Uint8Array | null {
    const part = this.#directory.columns[name];
    return part === undefined ? null : this.#part(part);
  }

  /** The block in which a term is, if it is there. */
  #blockAt(term: string): number {
    const directory = this.#directory;
    return Math.max(0, firstPlace(directory.size, (place) => directory.first(place) > term) - 1);
  }

  /** The postings of a term; null where it is not there. */
  find(term: string): FoundTerm | null {
    if (this.#directory.size === 0) return null;
    const block = this.#directory.block(this.#blockAt(term));
    const terms = new TermReader(this.#ofBlock(block.terms));
    while (terms.next()) {
      const order = terms.compare(term);
      if (order === 0) return this.#found(terms, this.#ofBlock(block.postings));
      if (order > 0) return null;
    }
    return null;
  }

  #found(terms: TermReader, postings: Uint8Array): FoundTerm {
    const bytes = postings.subarray(terms.at, terms.at + terms.size);
    return { term: terms.text(), records: terms.records, bytes, base: this.base };
  }

  /** Terms that begin with a text, in order, without their postings. */
  *terms(prefix: string): Generator<TermEntry> {
    for (const { terms } of this.#from(prefix)) yield { term: terms.text(), records: terms.records };
  }

  /** A reader of the terms of a block, at each term that begins with a text. */
  *#from(prefix: string): Generator<{ readonly block: Block; readonly terms: TermReader }> {
    for (let at = this.#blockAt(prefix); at < this.#directory.size; at++) {
      const block = this.#directory.block(at);
      if (block.first > prefix && !block.first.startsWith(prefix)) return;
      const terms = new TermReader(this.#part(block.terms));
      const found = { block, terms };
      while (terms.next()) {
        if (terms.startsWith(prefix)) yield found;
        else if (terms.compare(prefix) > 0) return;
      }
    }
  }

  /** Those of the terms that begin with a text which fit, with their postings. */
  *postings(prefix: string, fits: (term: TermReader) => boolean = () => true): Generator<FoundTerm> {
    let of: Block | null = null;
    let bytes: Uint8Array = new Uint8Array();
    for (const { block, terms } of this.#from(prefix)) {
      if (!fits(terms)) continue;
      if (block !== of) bytes = this.#part(block.postings);
      of = block;
      yield this.#found(terms, bytes);
    }
  }

  /** The blocks as they stand, in order. */
  *blocks(): Generator<RawBlock> {
    for (let at = 0; at < this.#directory.size; at++) {
      const { first, terms, postings } = this.#directory.block(at);
      const crcs = { terms: terms.crc, postings: postings.crc };
      yield { first, terms: this.#part(terms), postings: this.#part(postings), crcs };
    }
  }

  /** Every term in order, with its postings. */
  all(): Generator<FoundTerm> {
    return this.postings('');
  }

  /** Every term that begins with a kind's character, kept: for paths, which every query looks through. */
  paths(kind: string): readonly string[] {
    this.#paths ??= Array.from(this.terms(kind), ({ term }) => term);
    return this.#paths;
  }

  close(): void {
    closeSync(this.#file);
  }
}
