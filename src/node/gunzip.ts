import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { codeOf } from '../protocol/text/light.ts';

/** A file compressed with gzip is damaged, or ends too early. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive';
  /** Whether what is there is sound, and its end is missing. */
  readonly isCutOff: boolean;

  constructor(isCutOff: boolean) {
    super(isCutOff ? 'the compressed file ends too early: its end is missing' : 'the compressed file is damaged');
    this.isCutOff = isCutOff;
  }
}

/** Larger ones are no faster, and stay in memory longer than they are needed. */
const CHUNK = 64 * 1024;

/** Whether a file begins as one that is compressed with gzip (RFC 1952 §2.3.1). */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

export interface GunzipOptions {
  /** Is told how many bytes of the file itself each piece read takes. */
  readonly onBytes?: (bytes: number) => void;
  /** Gives what there is of a file whose end is missing, and says nothing about it. */
  readonly acceptsCutOff?: boolean;
  /** The part of the file that is compressed, first and last byte; all of it where this is left out. */
  readonly part?: { readonly start: number; readonly end: number };
}

/**
 * The content of a file that is compressed with gzip, in pieces.
 * @throws DamagedArchive; what reading the file fails with
 */
export async function* gunzipFile(
  path: string,
  { onBytes, acceptsCutOff = false, part }: GunzipOptions = {},
): AsyncGenerator<Uint8Array> {
  const compressed = createReadStream(path, { ...part, highWaterMark: CHUNK });
  if (onBytes !== undefined) compressed.on('data', (chunk) => onBytes(chunk.length));
  yield* unpack(compressed, acceptsCutOff);
}

/** The content of what is compressed with gzip and comes from elsewhere. @throws DamagedArchive; what its source fails with */
export function gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return unpack(Readable.from(source, { objectMode: false, highWaterMark: CHUNK }), false);
}

async function* unpack(compressed: Readable, acceptsCutOff: boolean): AsyncGenerator<Uint8Array> {
  const finishFlush = acceptsCutOff ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  const unpacked = createGunzip({ chunkSize: CHUNK, finishFlush });
  compressed.once('error', (error) => unpacked.destroy(error));
  try {
    yield* compressed.pipe(unpacked);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code.startsWith('Z_')) throw new DamagedArchive(code === 'Z_BUF_ERROR');
    throw error;
  } finally {
    compressed.destroy();
  }
}
