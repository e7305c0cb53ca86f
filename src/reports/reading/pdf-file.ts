import type { FileChange } from '../../protocol/index.ts';
import { ExtractError } from './extract-error.ts';
import { latin1, member, type PdfDictionary, PdfReader, type PdfValue, SyntaxProblem } from './pdf-syntax.ts';

/** How much of the end of the file is searched for the place of its table of objects, as every reader of PDF does. */
const TAIL = 1024;

/** How much is read of one object at first, and at most. Nearly all take a few hundred bytes. */
const FIRST_PIECE = 2 * 1024;
const MAX_OBJECT = 64 * 1024;

/** More objects no report has: each page takes two or three. */
const MAX_OBJECTS = 500_000;

/** Tables of objects, and stretches in each: a report has one of one. Each time that a program adds to a file it has one more. */
const MAX_TABLES = 16;
const MAX_STRETCHES = 256;

/** Members of a trailer that say nothing of tables of objects that only some programs read. */
const TRAILER = new Set(['Size', 'Root', 'Info', 'ID', 'Prev']);

const ENTRY = 20;

/** What a file begins with as it is written here, behind the version of PDF; other programs mark their files by other bytes. */
const HEAD = /^%PDF-1\.\d\n%\xff\xff\xff\xff\n/;

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

/** Some objects that are numbered one after the other, and where in the file their entries are. */
interface Stretch {
  readonly first: number;
  readonly count: number;
  readonly entries: number;
}

interface Structure {
  /** The newest first: of an object that several of them have, the first tells. */
  readonly stretches: readonly Stretch[];
  readonly trailer: PdfDictionary;
  readonly change: FileChange | null;
}

/**
 * The objects of a PDF with plain tables of objects (ISO 32000-1 §7.5.4). As it is written here it has one, and nothing after it; where another
 * program added to the file or moved its parts, the tables are followed as every reader does. Everything is read where they say it
 * is; nothing is searched for, so that no file takes long.
 */
export class PdfFile {
  readonly #file: ReadableFile;
  readonly #stretches: readonly Stretch[];
  readonly #count: number;
  readonly trailer: PdfDictionary;
  /** What another program did to the file; null where it ends as it was written. */
  readonly change: FileChange | null;

  private constructor(file: ReadableFile, { stretches, trailer, change }: Structure) {
    this.#file = file;
    this.#stretches = stretches;
    this.#count = stretches.reduce((most, { first, count }) => Math.max(most, first + count), 0);
    this.trailer = trailer;
    this.change = change;
  }

  /** In bytes. */
  get size(): number {
    return this.#file.size;
  }

  /** @throws ExtractError NOT_A_REPORT */
  static async open(file: ReadableFile): Promise<PdfFile> {
    const from = Math.max(0, file.size - TAIL);
    const tail = latin1(await file.read(from, TAIL));
    const end = [...tail.matchAll(/startxref\s+(\d{1,12})\s+%%EOF/g)].at(-1);
    if (end === undefined) {
      throw new ExtractError('NOT_A_REPORT', 'is a PDF that ends too early, or that Countersign did not write');
    }
    return guarded(async () => {
      const structure = await structureOf(file, Number(end[1]));
      const isOurs = HEAD.test(latin1(await file.read(0, 16)));
      return new PdfFile(file, isOurs ? structure : { ...structure, change: 'rewritten' });
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
    for (let ref = 1; ref < this.#count; ref++) {
      const offset = await guarded(() => this.#offsetOf(ref));
      if (offset !== null) yield { ref, value: (await guarded(() => this.#readAt(ref, offset))).value };
    }
  }

  /** Where an object stands; null where there is none of its number. */
  async #offsetOf(ref: number): Promise<number | null> {
    const stretch = this.#stretches.find(({ first, count }) => ref >= first && ref < first + count);
    if (stretch === undefined) return null;
    const bytes = await this.#file.read(stretch.entries + (ref - stretch.first) * ENTRY, ENTRY);
    const [, offset, generation, use] = /^(\d{10}) (\d{5}) ([nf])(?: \n| \r|\r\n)$/.exec(latin1(bytes)) ?? [];
    if (use === 'f') return null;
    if (offset === undefined || generation !== '00000') throw foreign();
    return Number(offset);
  }

  async #read(ref: number): Promise<PdfObject> {
    const offset = await this.#offsetOf(ref);
    return offset === null ? Promise.reject(foreign()) : this.#readAt(ref, offset);
  }

  async #readAt(ref: number, offset: number): Promise<PdfObject> {
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

  /** Whether a stream ends there. Other programs leave out the line break before the word. */
  async endsStream(offset: number): Promise<boolean> {
    const text = latin1(await this.#file.read(offset, 12));
    return (this.change === null ? /^\nendstream\n/ : /^\r?\n?endstream\s/).test(text);
  }
}

/** Follows the tables of objects from the newest to the oldest. @throws ExtractError, SyntaxProblem */
async function structureOf(file: ReadableFile, newest: number): Promise<Structure> {
  const stretches: Stretch[] = [];
  const visited = new Set<number>();
  let trailer: PdfDictionary | null = null;
  let end = 0;
  for (let table: PdfValue | undefined = newest; table !== undefined; ) {
    if (typeof table !== 'number' || visited.has(table) || visited.size >= MAX_TABLES) throw foreign();
    visited.add(table);
    const read = await readTable(file, table);
    stretches.push(...read.stretches);
    // Tables that only newer readers look at would give other objects; and nothing is encrypted.
    if ([...read.trailer.members.keys()].some((name) => !TRAILER.has(name))) throw foreign();
    if (trailer === null) end = read.end;
    trailer ??= read.trailer;
    table = read.trailer.members.get('Prev');
  }
  if (trailer === null || stretches.reduce((sum, { count }) => sum + count, 0) > MAX_OBJECTS) throw foreign();
  if (visited.size > 1) return { stretches, trailer, change: 'rewritten' };
  const rest = `\nstartxref\n${newest}\n%%EOF\n`;
  const isAtEnd = latin1(await file.read(end, rest.length + 1)) === rest;
  const isWhole = isAtEnd && stretches.length === 1 && stretches[0]?.first === 0;
  return { stretches, trailer, change: isWhole ? null : 'end_changed' };
}

interface Table {
  readonly stretches: readonly Stretch[];
  readonly trailer: PdfDictionary;
  /** Offset of the first byte after the trailer. */
  readonly end: number;
}

async function readTable(file: ReadableFile, table: number): Promise<Table> {
  const stretches: Stretch[] = [];
  let at = table;
  for (let word = 'xref'; ; word = '') {
    const head = new PdfReader(await file.read(at, 4096));
    if (word !== '') head.expect(word);
    if (head.take('trailer')) {
      const trailer = head.value();
      if (!isDictionary(trailer)) throw foreign();
      return { stretches, trailer, end: at + head.at };
    }
    const [first, count] = [head.integer(), head.integer()];
    head.skip();
    const entries = at + head.at;
    stretches.push({ first, count, entries });
    if (stretches.length > MAX_STRETCHES || count > MAX_OBJECTS) throw foreign();
    at = entries + count * ENTRY;
  }
}

/** @throws SyntaxProblem where the bytes end within it; ExtractError where another object stands there */
function objectIn(bytes: Uint8Array, ref: number, offset: number): PdfObject {
  const reader = new PdfReader(bytes);
  if (reader.integer() !== ref || reader.integer() !== 0) throw foreign();
  reader.expect('obj');
  const value = reader.value();
  if (reader.take('stream\n') || reader.take('stream\r\n')) return { value, stream: offset + reader.at };
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
