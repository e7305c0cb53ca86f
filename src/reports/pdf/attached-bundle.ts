import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { pieceOf } from '../../node/light.ts';
import { codeOf } from '../../protocol/light.ts';
import {
  type AttachedBundle,
  type AttachedData,
  type AttachedOptions,
  DamagedStream,
  findAttachedBundle,
  findAttachedData,
  findWholeBundle,
  type PdfHost,
  readAttachedOptions,
} from '../reading/index.ts';

const CHUNK = 1024 * 1024;

async function* inflate(path: string, start: number, length: number): AsyncGenerator<Uint8Array> {
  const compressed = createReadStream(path, { start, end: start + Math.max(length, 1) - 1, highWaterMark: CHUNK });
  const unpacked = createInflate({ chunkSize: CHUNK });
  const fed = pipeline(compressed, unpacked).catch((error: unknown) => error);
  try {
    yield* unpacked as AsyncIterable<Buffer>;
  } catch (error) {
    if (codeOf(error)?.startsWith('Z_') === true) throw new DamagedStream();
    throw error;
  } finally {
    compressed.destroy();
    unpacked.destroy();
    await fed;
  }
  // zlib stops at the end of its stream: what stands behind it was left out.
  if (unpacked.bytesWritten !== length) throw new DamagedStream();
}

/**
 * Finds the bundle in the report at a path (src/reports/reading).
 * @throws ExtractError; and what reading the file fails with
 */
export function openAttachedBundle(path: string): Promise<AttachedBundle> {
  return withHost(path, findAttachedBundle);
}

/**
 * Finds what is to be verified in the report at a path: a bundle, or the data of a report of chosen records.
 * @throws ExtractError; and what reading the file fails with
 */
export function openAttachedData(path: string): Promise<AttachedData> {
  return withHost(path, findAttachedData);
}

/** The whole bundle in the report of chosen records at a path; null where there is none. @throws as openAttachedData */
export function openWholeBundle(path: string): Promise<AttachedBundle | null> {
  return withHost(path, findWholeBundle);
}

/**
 * The options that the report at a path says it was made with, and what else decides whether its pages can be made again.
 * @throws ExtractError; and what reading the file fails with
 */
export function readAttachedRecipe(path: string): Promise<AttachedOptions> {
  return withHost(path, readAttachedOptions);
}

async function withHost<T>(path: string, read: (host: PdfHost) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await read({
      size,
      read: (offset, length) => pieceOf(file, offset, length),
      inflate: (start, length) => inflate(path, start, length),
      md5: () => createHash('md5'),
    });
  } finally {
    await file.close();
  }
}
