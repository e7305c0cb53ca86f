import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { CaseFileKind } from '../../api/index.ts';
import type { CancelSignal } from '../../protocol/index.ts';

/** A file as it lies in a case's folder. */
export interface StoredFile {
  readonly path: string;
  readonly kind: CaseFileKind;
  readonly bytes: number;
  readonly maxPlainBytes: number;
}

/** Size and digest of a file. @throws what the signal gives it up with */
export async function digestOf(
  path: string,
  signal: CancelSignal,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: `sha256:${hash.digest('hex')}` };
}
