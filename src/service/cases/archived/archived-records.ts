import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { ArchiveField, FieldValues } from '../../../actions/index.ts';
import { codeOf } from '../../../protocol/light.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { sha256Of, unpackStretch } from './stretches.ts';

/** Unpacked stretches that are kept, each some 500 KiB or a part of that: a page of a list reads most of its records more than once. */
const KEPT = 64;
/** The same for whoever reads one record after the other. */
export const KEPT_IN_ORDER = 2;

/** A stretch mostly has this many lines: how much of it is unpacked for one of them is guessed by that. */
const LINES = 256;
const MORE = 1.2;

interface Place {
  readonly run: number;
  readonly firstLine: number;
  /** The first line of the stretch behind it; null for the last one. */
  readonly nextLine: number | null;
  readonly offset: number;
  readonly bytes: number;
  readonly sha256: Uint8Array;
}

/** Whether the index of a case is that of an archive. */
export function isArchive(index: Database.Database): boolean {
  return index.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'stretches'").get() !== undefined;
}

interface Run extends FieldValues<ArchiveField> {
  readonly run: number;
  readonly firstN: number;
  readonly lastN: number;
  readonly path: string;
}

/** Where the records of an archive are: their texts are in its runs, of which stretches are unpacked alone. */
export class ArchivedRecords {
  readonly #last: Database.Statement;
  readonly #runs: Database.Statement;
  readonly #stretch: Database.Statement;
  readonly #root: Database.Statement;
  readonly #line: Database.Statement;
  readonly #lines: Database.Statement;
  #run: Run | null = null;
  #place: Place | null = null;
  readonly #kept = new Map<string, readonly Buffer[]>();
  readonly #mostKept: number;

  /** @param mostKept how many unpacked stretches */
  constructor(index: Database.Database, mostKept = KEPT) {
    this.#mostKept = mostKept;
    this.#last = index.prepare('SELECT max(last_n) FROM runs').pluck();
    this.#runs = index.prepare(
      `SELECT run_no AS run, first_n AS firstN, last_n AS lastN, path, kid AS issuer, org_id AS organization
       FROM runs JOIN ledgers USING (ledger_no) WHERE first_n <= ? ORDER BY first_n DESC LIMIT 1`,
    );
    this.#stretch = index.prepare(
      `SELECT run_no AS run, first_line AS firstLine, "offset", bytes, sha256,
         (SELECT min(next.first_line) FROM stretches AS next WHERE next.run_no = this.run_no AND next.first_line > this.first_line) AS nextLine
       FROM stretches AS this WHERE run_no = ? AND first_line <= ? ORDER BY first_line DESC LIMIT 1`,
    );
    this.#root = index.prepare("SELECT value FROM facts WHERE name = 'from'").pluck();
    this.#line = index.prepare('SELECT line FROM records WHERE n = ?').pluck();
    this.#lines = index.prepare('SELECT n, line FROM records WHERE n BETWEEN ? AND ? ORDER BY n');
  }

  last(): number {
    return (this.#last.get() as number | null) ?? 0;
  }

  /** The run of a record. Those that are read together mostly are of one; runs of an index are added, and never change. */
  #runOf(n: number): Run {
    if (this.#run === null || n < this.#run.firstN || n > this.#run.lastN) {
      this.#run = (this.#runs.get(n) as Run | undefined) ?? null;
    }
    if (this.#run === null) throw new Error(`no run has record ${n} of the archive`);
    return this.#run;
  }

  /** The stretch with a line of a run; null where the run cannot be unpacked in parts. */
  #placeOf(run: number, line: number): Place | null {
    const last = this.#place;
    if (last?.run === run && line >= last.firstLine && line < (last.nextLine ?? Number.POSITIVE_INFINITY)) return last;
    this.#place = (this.#stretch.get(run, line) as Place | undefined) ?? null;
    return this.#place;
  }

  /** Whose ledger has a record. */
  ledger(n: number): FieldValues<ArchiveField> {
    const { issuer, organization } = this.#runOf(n);
    return { issuer, organization };
  }

  /** Where some records are in the files of their runs. */
  lines(from: number, to: number): { readonly n: number; readonly line: number }[] {
    return this.#lines.all(from, to) as { readonly n: number; readonly line: number }[];
  }

  /**
   * What a record's line is in its run, which is held against what was accepted.
   * @param line where it is known
   * @returns null where the index has the text itself
   * @throws ServiceError CONFLICT where the run is gone or has other bytes
   */
  text(n: number, line = this.#line.get(n) as number | undefined): Uint8Array | null {
    if (line === undefined) throw new Error(`no run has record ${n} of the archive`);
    const { run, path } = this.#runOf(n);
    const place = this.#placeOf(run, line);
    if (place === null) return null;
    const { firstLine } = place;
    const key = `${run} ${firstLine}`;
    const known = this.#kept.get(key);
    const lines = known?.[line - firstLine] === undefined ? this.#read(path, place, line, known !== undefined) : known;
    this.#kept.delete(key);
    this.#kept.set(key, lines);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= this.#mostKept) break;
      this.#kept.delete(old);
    }
    const text = lines[line - firstLine];
    if (text === undefined) throw new Error(`the stretch of record ${n} of the archive is too short`);
    return text;
  }

  /** The lines of a stretch up to one of them, or more. @param isWhole of one that was asked for before: whoever reads on wants all of it */
  #read(path: string, { offset, bytes, sha256, firstLine }: Place, line: number, isWhole: boolean): Buffer[] {
    const packed = Buffer.alloc(bytes);
    const full = join(String(this.#root.get() ?? ''), path);
    try {
      const file = openSync(full, 'r');
      try {
        for (let done = 0; done < bytes; ) {
          const read = readSync(file, packed, done, bytes - done, offset + done);
          if (read === 0) break;
          done += read;
        }
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw new ServiceError('CONFLICT', `the run ${path} cannot be read: ${codeOf(error)}`);
    }
    if (!Buffer.from(sha256).equals(sha256Of(packed))) {
      throw new ServiceError('CONFLICT', `the run ${path} has other bytes than those that were accepted`);
    }
    const wanted = line - firstLine + 1;
    const part = isWhole ? packed : packed.subarray(0, Math.ceil((bytes * MORE * (wanted + 1)) / LINES));
    const lines = linesOf(unpackStretch(part), part.length === bytes);
    return lines.length < wanted ? linesOf(unpackStretch(packed), true) : lines;
  }
}

/** The lines of a text, each without what separates records. @param isWhole whether the last one is, without a line feed */
function linesOf(text: Buffer, isWhole: boolean): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf(0x0a, from);
    if (newline < 0 && !isWhole) break;
    const end = newline < 0 ? text.length : newline;
    lines.push(text.subarray(from, text[end - 1] === 0x2c ? end - 1 : end));
    from = end + 1;
  }
  return lines;
}
