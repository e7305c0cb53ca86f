import { ExtractError } from './extract-error.ts';
import { latin1, member, type PdfDictionary, PdfReader, type PdfValue, SyntaxProblem } from './pdf-syntax.ts';

/** How much is read of the end of the file, to find where its table of objects is. */
const TAIL = 64;

/** How much is read of one object at first, and at most. Nearly all take a few hundred bytes. */
const FIRST_PIECE = 2 * 1024;
const MAX_OBJECT = 64 * 1024;

/** More objects no report has: each page takes two or three. */
const MAX_OBJECTS = 500_000;

/** Members of a trailer that say nothing of further tables of objects. */
const TRAILER = new Set(['Size', 'Root', 'Info', 'ID']);

const ENTRY = 20;

/** An object of the file, with the place of its stream where it has one. */
export interface PdfObject {
  readonly value: PdfValue;
  /** Offset of the first byte after `stream` and its line break. */
  readonly stream: number | null;
}

/** A file that can be read anywhere. */
export interface ReadableFile {
  /** In bytes. */
  readonly size: number;
  /** Bytes from an offset on; fewer where the file ends before. */
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
}

const FOREIGN =
  'is not a report as Countersign writes it, or another program changed it: take the bundle out of it ' +
  '(pdfdetach -saveall) and verify that';

export function foreign(): ExtractError {
  return new ExtractError('NOT_A_REPORT', FOREIGN);
}

/**
 * The objects of a PDF that was written in one go, with one plain table of objects and nothing after it. Everything is
 * read where the table says it is; nothing is searched for, so that no file takes long.
 */
export class PdfFile {
  readonly #file: ReadableFile;
  readonly #entries: number;
  readonly #count: number;
  readonly trailer: PdfDictionary;

  private constructor(file: ReadableFile, entries: number, count: number, trailer: PdfDictionary) {
    this.#file = file;
    this.#entries = entries;
    this.#count = count;
    this.trailer = trailer;
  }

  /** In bytes. */
  get size(): number {
    return this.#file.size;
  }

  /** @throws ExtractError NOT_A_REPORT */
  static async open(file: ReadableFile): Promise<PdfFile> {
    const { size } = file;
    const tail = await file.read(Math.max(0, size - TAIL), TAIL);
    const end = /startxref\n(\d{1,12})\n%%EOF\n$/.exec(latin1(tail));
    if (end === null) {
      throw new ExtractError('NOT_A_REPORT', 'is a PDF that ends too early, or that Countersign did not write');
    }
    return guarded(async () => {
      const table = Number(end[1]);
      const head = new PdfReader(await file.read(table, 64));
      head.expect('xref');
      if (head.integer() !== 0) throw foreign();
      const count = head.integer();
      const entries = table + head.at + 1;
      const behind = entries + count * ENTRY;
      const last = new PdfReader(await file.read(behind, 4096));
      last.expect('trailer');
      const trailer = last.value();
      last.expect('startxref');
      if (last.integer() !== table) throw foreign();
      last.expect('%%EOF');
      // What somebody added would stand behind the end.
      if (behind + last.at + 1 !== size) throw foreign();
      if (!isDictionary(trailer) || count > MAX_OBJECTS) throw foreign();
      // Another table, also one that only newer readers look at, would give other objects; and nothing is encrypted.
      if ([...trailer.members.keys()].some((name) => !TRAILER.has(name))) throw foreign();
      return new PdfFile(file, entries, count, trailer);
    });
  }

  /** @throws ExtractError NOT_A_REPORT */
  object(reference: PdfValue | undefined): Promise<PdfObject> {
    return guarded(async () => {
      if (typeof reference !== 'object' || reference === null || !('ref' in reference)) throw foreign();
      const { ref } = reference;
      if (ref < 1 || ref >= this.#count) throw foreign();
      return await this.#read(ref);
    });
  }

  /** All objects, one after the other. @throws ExtractError NOT_A_REPORT where one of them is not as reports have it */
  async *objects(): AsyncGenerator<{ readonly ref: number; readonly value: PdfValue }> {
    for (let ref = 1; ref < this.#count; ref++) yield { ref, value: (await guarded(() => this.#read(ref))).value };
  }

  async #read(ref: number): Promise<PdfObject> {
    const entry = /^(\d{10}) 00000 n \n$/.exec(latin1(await this.#file.read(this.#entries + ref * ENTRY, ENTRY)));
    if (entry === null) throw foreign();
    const offset = Number(entry[1]);
    for (const length of [FIRST_PIECE, MAX_OBJECT]) {
      const bytes = await this.#file.read(offset, length);
      try {
        return objectIn(bytes, ref, offset);
      } catch (error) {
        // It may only have been cut off.
        if (!(error instanceof SyntaxProblem) || length === MAX_OBJECT || bytes.length < length) throw error;
      }
    }
    throw foreign();
  }

  /** The object that a member refers to, or the member's own value. */
  async resolve(value: PdfValue | undefined, name: string): Promise<PdfValue | undefined> {
    const found = member(value, name);
    if (typeof found === 'object' && found !== null && 'ref' in found) return (await this.object(found)).value;
    return found;
  }

  /** Whether these bytes stand there. */
  async hasAt(offset: number, text: string): Promise<boolean> {
    return latin1(await this.#file.read(offset, text.length)) === text;
  }
}

/** @throws SyntaxProblem where the bytes end within it; ExtractError where another object stands there */
function objectIn(bytes: Uint8Array, ref: number, offset: number): PdfObject {
  const reader = new PdfReader(bytes);
  if (reader.integer() !== ref || reader.integer() !== 0) throw foreign();
  reader.expect('obj');
  const value = reader.value();
  if (reader.take('stream\n')) return { value, stream: offset + reader.at };
  reader.expect('endobj');
  return { value, stream: null };
}

function isDictionary(value: PdfValue): value is PdfDictionary {
  return typeof value === 'object' && value !== null && 'members' in value;
}

async function guarded<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SyntaxProblem) throw foreign();
    throw error;
  }
}
