import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ByteWriter } from './byte-writer.ts';
import type { RawBlock } from './segment-file.ts';
import {
  type Block,
  encodeDirectory,
  type Part,
  POSTING_BYTES,
  SEGMENT_MAGIC,
  TERM_BYTES,
  TermWriter,
} from './segment-format.ts';

/** Bytes that are written at once. */
const CHUNK = 1024 * 1024;

/** Writes the file of a segment, once, from beginning to end. It is not a segment before `finish`. */
export class SegmentWriter {
  readonly #file: number;
  readonly #pending = new ByteWriter(POSTING_BYTES);
  readonly #terms = new TermWriter();
  readonly #postings = new ByteWriter(TERM_BYTES);
  readonly #blocks: Block[] = [];
  readonly #columns: Record<string, Part> = {};
  #written = 0;
  #first: string | null = null;

  /** @param path where nothing is yet */
  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600);
    this.#raw(Buffer.from(SEGMENT_MAGIC));
  }

  #raw(bytes: Uint8Array, crc = crc32(bytes)): Part {
    const at = this.#written + this.#pending.length;
    this.#pending.raw(bytes);
    if (this.#pending.length >= CHUNK) this.#flush();
    return { at, length: bytes.length, crc };
  }

  #flush(): void {
    const bytes = this.#pending.view();
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#written += bytes.length;
    this.#pending.clear();
  }

  /** Adds a term, which comes after all before it in the order of UTF-16 units. @param postings all, or part of some */
  add(term: string, records: number, postings: ArrayLike<number>, from = 0, to = postings.length): void {
    this.#first ??= term;
    this.#terms.add(term, records, to - from);
    this.#postings.range(postings, from, to);
    if (this.#terms.out.length >= TERM_BYTES || this.#postings.length >= POSTING_BYTES) this.#endBlock();
  }

  /** Adds a block of another segment with the same base as it stands. */
  block({ first, terms, postings, crcs }: RawBlock): void {
    this.#endBlock();
    this.#blocks.push({ first, terms: this.#raw(terms, crcs.terms), postings: this.#raw(postings, crcs.postings) });
  }

  #endBlock(): void {
    if (this.#first === null) return;
    const terms = this.#raw(this.#terms.out.view());
    const postings = this.#raw(this.#postings.view());
    this.#blocks.push({ first: this.#first, terms, postings });
    this.#first = null;
    this.#terms.clear();
    this.#postings.clear();
  }

  column(name: string, bytes: Uint8Array): void {
    this.#endBlock();
    this.#columns[name] = this.#raw(bytes);
  }

  /** @returns the length of the file */
  finish(): number {
    this.#endBlock();
    const directory = this.#raw(encodeDirectory({ blocks: this.#blocks, columns: this.#columns }));
    const end = Buffer.alloc(16 + SEGMENT_MAGIC.length);
    end.writeUIntLE(directory.at, 0, 6);
    end.writeUInt32LE(directory.length, 8);
    end.writeUInt32LE(directory.crc, 12);
    end.write(SEGMENT_MAGIC, 16);
    this.#raw(end);
    this.#flush();
    this.close();
    return this.#written;
  }

  #closed = false;

  close(): void {
    if (!this.#closed) closeSync(this.#file);
    this.#closed = true;
  }
}
