import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileDigest } from '../../../node/index.ts';
import { formatDigest } from '../../../protocol/index.ts';

const CHUNK = 1024 * 1024;

/**
 * Copies a file, for this user alone and durably.
 * @param onBytes told how many bytes came further
 * @returns size and digest of what was copied, so that nothing can change between the look and the copy
 */
export async function copyWithDigest(
  from: string,
  to: string,
  onBytes: (count: number) => void = () => undefined,
): Promise<FileDigest> {
  const hash = createHash('sha256');
  let size = 0;
  const count = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      size += chunk.length;
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  await pipeline(
    createReadStream(from, { highWaterMark: CHUNK }),
    count,
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { size, sha256: formatDigest(hash.digest()) };
}
