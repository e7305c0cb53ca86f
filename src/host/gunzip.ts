import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** A file compressed with gzip is damaged, or ends too early. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive';
}

/** Larger ones are no faster, and stay in memory longer than they are needed. */
const CHUNK = 64 * 1024;

/** Whether a file begins as one that is compressed with gzip (RFC 1952 §2.3.1). */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/**
 * The content of a file that is compressed with gzip, in pieces.
 * @param onBytes is told how many bytes of the file itself each piece read takes
 * @throws DamagedArchive; what reading the file fails with
 */
export async function* gunzipFile(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const compressed = createReadStream(path, { highWaterMark: CHUNK });
  if (onBytes !== undefined) compressed.on('data', (chunk) => onBytes(chunk.length));
  const unpacked = createGunzip({ chunkSize: CHUNK });
  compressed.once('error', (error) => unpacked.destroy(error));
  try {
    yield* compressed.pipe(unpacked);
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw new DamagedArchive('the compressed file is damaged or ends too early');
    }
    throw error;
  } finally {
    compressed.destroy();
  }
}
