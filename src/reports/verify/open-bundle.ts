import { md5 } from '@noble/hashes/legacy.js';
import type { BundleSource } from '../../protocol/index.ts';
import { DamagedStream, findAttachedBundle, type PdfHost } from '../reading/index.ts';
import { DamagedArchive, unpack } from './unpack.ts';

/**
 * A bundle, plain, compressed with gzip, or in a PDF report: all of it in memory, as a file (`Blob`, `File`, or what
 * `openAsBlob` of Node gives), or as a function that begins reading at the start with each call. The last suits streams, and takes
 * no PDF: that is not read from front to back.
 */
export type BundleInput = Uint8Array | Blob | BundleSource;

export interface OpenedBundle {
  /** The bundle itself, unpacked. @throws DamagedArchive, ExtractError while it is read */
  readonly source: BundleSource;
  /** What the bundle came in. The pages of a report are not verified, only the bundle attached to it. */
  readonly container: 'none' | 'gzip' | 'report';
}

const READ = 256 * 1024;

const GZIP = [0x1f, 0x8b];
const PDF = [0x25, 0x50, 0x44, 0x46];

/** The bytes of a file from an offset on, read a piece at a time. */
async function* bytesOf(file: Blob, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < start + length; at += READ) {
    yield new Uint8Array(await file.slice(at, Math.min(at + READ, start + length)).arrayBuffer());
  }
}

async function* inflate(file: Blob, start: number, length: number): AsyncGenerator<Uint8Array> {
  try {
    yield* unpack(() => bytesOf(file, start, length), 'deflate');
  } catch (error) {
    throw error instanceof DamagedArchive ? new DamagedStream() : error;
  }
}

async function openReport(file: Blob): Promise<OpenedBundle> {
  const { source } = await findAttachedBundle(hostOf(file));
  return { source, container: 'report' };
}

/** What a reader of PDFs needs of a file. */
export function hostOf(file: Blob): PdfHost {
  return {
    size: file.size,
    read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
    inflate: (start, length) => inflate(file, start, length),
    md5: () => md5.create(),
  };
}

async function startOf(source: BundleSource): Promise<Uint8Array> {
  const start: number[] = [];
  for await (const chunk of source()) {
    start.push(...chunk.subarray(0, PDF.length - start.length));
    if (start.length === PDF.length) break;
  }
  return Uint8Array.from(start);
}

function beginsWith(start: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, n) => start[n] === byte);
}

function sourceOf(input: BundleInput): BundleSource {
  if (typeof input === 'function') return input;
  return input instanceof Blob ? () => bytesOf(input, 0, input.size) : () => [input];
}

/**
 * Opens a bundle, told apart by its first bytes and not by a name.
 * @throws ExtractError for a PDF that is no report; TypeError for one that is given as a function; what reading fails with
 */
export async function openBundle(input: BundleInput): Promise<OpenedBundle> {
  const source = sourceOf(input);
  const start = await startOf(source);
  if (beginsWith(start, PDF)) {
    if (typeof input === 'function') throw new TypeError('a PDF must be given as bytes or as a Blob');
    return openReport(input instanceof Blob ? input : new Blob([new Uint8Array(input)]));
  }
  if (!beginsWith(start, GZIP)) return { source, container: 'none' };
  return { source: () => unpack(source, 'gzip'), container: 'gzip' };
}
