import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { DamagedArchive, firstBytes, gunzipFile, isGzip } from '../node/index.ts';
import type { BundleSource } from '../protocol/index.ts';
import { BLOCK, isCaseFile as beginsAsCase } from '../reports/case-file/light.ts';
import { FileProblem, UsageError } from './command.ts';
import { systemProblem } from './system-problem.ts';
import type { Terminal } from './terminal.ts';

/** A file that cannot be read, or is not of a kind that can be verified: one sentence, exit code 2. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** How far a file is read, as a progress bar. */
export function readingBar(what: string, terminal: Terminal): ReadingProgress {
  return (done, total) => terminal.progress(what, done, total, 'bytes');
}

/** Larger ones are no faster, and stay in memory longer than they are needed. */
const CHUNK = 64 * 1024;

/** Enough of a file to tell what it is where it is no bundle. */
const HEAD_BYTES = 64;

/** The first bytes of a regular file; none where it cannot be read, which whoever opens it next will say. */
export async function headOf(path: string, length = HEAD_BYTES): Promise<Buffer> {
  try {
    // A pipe that nobody writes into would never open.
    if (!(await stat(path)).isFile()) return Buffer.alloc(0);
    return await firstBytes(path, length);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return Buffer.alloc(0);
    throw error;
  }
}

export async function isCaseFile(path: string): Promise<boolean> {
  return beginsAsCase(await headOf(path, BLOCK));
}

export interface OpenedFile {
  readonly source: BundleSource;
  /** Size in bytes, on disk or as attached: how far reading has come is measured by it. */
  readonly size: number;
  /** Whether it begins as a JSON object or a compressed file does. */
  readonly mayBeBundle: boolean;
  /** Whether it is attached to a PDF report, whose pages nobody verifies. */
  readonly attached: boolean;
}

/** Is told how far a file is read: bytes of the file itself, so compressed ones where it is compressed. */
export type ReadingProgress = (done: number, total: number) => void;

/** A source that tells how far it is read, each time from the beginning. */
function told(source: BundleSource, size: number, onRead: ReadingProgress): BundleSource {
  return async function* () {
    let done = 0;
    for await (const chunk of source()) {
      done += chunk.length;
      onRead(Math.min(done, size), size);
      yield chunk;
    }
  };
}

async function* gunzip(path: string, size: number, onRead: ReadingProgress): AsyncGenerator<Uint8Array> {
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    onRead(done, size);
  };
  try {
    yield* gunzipFile(path, { onBytes });
  } catch (error) {
    throw error instanceof DamagedArchive ? new UnreadableFile(`${path}: ${error.message}`) : error;
  }
}

/** The bundle in a PDF report. */
async function openReport(path: string, onRead: ReadingProgress): Promise<OpenedFile> {
  // Loaded only now: reports bring a PDF library, which takes its time.
  const { ExtractError, openAttachedBundle } = await import('../reports/pdf/index.ts');
  const refused = (error: unknown): unknown =>
    error instanceof ExtractError ? new UnreadableFile(`${path}: ${error.message}`) : error;
  try {
    const { source, size } = await openAttachedBundle(path);
    async function* attached(): AsyncGenerator<Uint8Array> {
      try {
        yield* source();
      } catch (error) {
        throw refused(error);
      }
    }
    return { source: told(attached, size, onRead), size, mayBeBundle: true, attached: true };
  } catch (error) {
    throw refused(error);
  }
}

/**
 * Opens a bundle, plain, compressed with gzip, or in a PDF report, told apart by its first bytes and not by its name.
 * @param onRead is told how far it is read, whenever it is
 * @throws UnreadableFile
 */
export async function openBundleFile(path: string, onRead: ReadingProgress = () => {}): Promise<OpenedFile> {
  let head: Buffer;
  let size: number;
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new UnreadableFile(`${path}: is a folder, not a bundle`);
    // A pipe that nobody writes into would never open, and a device never end.
    if (!info.isFile()) throw new UnreadableFile(`${path}: is not a regular file`);
    size = info.size;
    head = await firstBytes(path, 5);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const problem = systemProblem(error);
    if (problem === null) throw error;
    throw new UnreadableFile(problem);
  }
  if (head.length === 0) throw new UnreadableFile(`${path}: is empty`);
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') return openReport(path, onRead);
  const compressed = isGzip(head);
  const plain = (): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: CHUNK });
  const source = compressed ? () => gunzip(path, size, onRead) : told(plain, size, onRead);
  return {
    source,
    size,
    mayBeBundle: compressed || /^(?:\xef\xbb\xbf)?\s*\{/.test(head.toString('latin1')),
    attached: false,
  };
}

/** A small text file that was named on the command line. @throws UsageError */
export async function readSmallFile(path: string, limit: number): Promise<Buffer> {
  try {
    if (!(await stat(path)).isFile()) throw new FileProblem(`${path}: is not a regular file`);
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > limit)
        throw new UsageError(`${path}: has more than ${limit} bytes, the most that such a file can have`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    const problem = systemProblem(error);
    if (problem === null) throw error;
    throw new FileProblem(problem);
  }
}
