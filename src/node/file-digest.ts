import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { CancelSignal } from '../protocol/index.ts';

/** A file by its content, as it lies on the disk. */
export interface FileDigest {
  /** In bytes. */
  readonly size: number;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly sha256: string;
}

const CHUNK = 1024 * 1024;

/**
 * Size and digest of a file.
 * @param means.onBytes told how many bytes came further
 * @throws what reading fails with, and what the signal gives it up with
 */
export async function fileDigest(
  path: string,
  { onBytes, signal }: { readonly onBytes?: (count: number) => void; readonly signal?: CancelSignal } = {},
): Promise<FileDigest> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(chunk);
    size += chunk.length;
    onBytes?.(chunk.length);
  }
  return { size, sha256: `sha256:${hash.digest('hex')}` };
}
