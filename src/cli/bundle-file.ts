import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { BundleSource } from '../protocol/index.ts';
import { DamagedArchive, gunzipFile, isGzip } from '../runtime/index.ts';
import { UsageError } from './command.ts';

/** A file that cannot be read, or is not of a kind that can be verified: one sentence, exit code 2. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** Larger ones are no faster, and stay in memory longer than they are needed. */
const CHUNK = 64 * 1024;

export interface OpenedFile {
  readonly source: BundleSource;
  /** Size in bytes, on disk or as attached: how far reading has come is measured by it. */
  readonly size: number;
  /** Whether it begins as a JSON object or a compressed file does. */
  readonly mayBeBundle: boolean;
  /** Whether it is attached to a PDF report, whose pages nobody verifies. */
  readonly attached: boolean;
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(5), 0, 5, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* gunzip(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzipFile(path);
  } catch (error) {
    throw error instanceof DamagedArchive ? new UnreadableFile(`${path}: ${error.message}`) : error;
  }
}

/** The bundle in a PDF report. */
async function openReport(path: string): Promise<OpenedFile> {
  // Loaded only now: reports bring a PDF library, which takes its time.
  const { ExtractError, openAttachedBundle } = await import('../report/index.ts');
  const refused = (error: unknown): unknown =>
    error instanceof ExtractError ? new UnreadableFile(`${path}: ${error.message}`) : error;
  try {
    const { source, size } = await openAttachedBundle(path);
    async function* told(): AsyncGenerator<Uint8Array> {
      try {
        yield* source();
      } catch (error) {
        throw refused(error);
      }
    }
    return { source: told, size, mayBeBundle: true, attached: true };
  } catch (error) {
    throw refused(error);
  }
}

/**
 * Opens a bundle, plain, compressed with gzip, or in a PDF report, told apart by its first bytes and not by its name.
 * @throws UnreadableFile
 */
export async function openBundleFile(path: string): Promise<OpenedFile> {
  let head: Buffer;
  let size: number;
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new UnreadableFile(`${path}: is a folder, not a bundle`);
    // A pipe that nobody writes into would never open, and a device never end.
    if (!info.isFile()) throw new UnreadableFile(`${path}: is not a regular file`);
    size = info.size;
    head = await firstBytes(path);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new UnreadableFile(missing ? `${path}: there is no such file` : `${path}: cannot be read`);
  }
  if (head.length === 0) throw new UnreadableFile(`${path}: is empty`);
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') return openReport(path);
  const compressed = isGzip(head);
  const source = compressed ? () => gunzip(path) : () => createReadStream(path, { highWaterMark: CHUNK });
  return { source, size, mayBeBundle: compressed || /^\s*\{/.test(head.toString('latin1')), attached: false };
}

/** A small text file that was named on the command line. @throws UsageError */
export async function readSmallFile(path: string, limit: number): Promise<Buffer> {
  try {
    if (!(await stat(path)).isFile()) throw new UsageError(`${path}: is not a regular file`);
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > limit) throw new UsageError(`${path}: is larger than such a file can be`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: cannot be read`);
  }
}
