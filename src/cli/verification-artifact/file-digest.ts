import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { toHex } from '../../protocol/index.ts';
import { FileProblem } from '../command.ts';
import { systemProblem } from '../system-problem.ts';
import type { Terminal } from '../terminal.ts';

/** A file by its content, as it lies on the disk: compressed where it is. */
export interface FileDigest {
  readonly path: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** @throws UsageError where the file cannot be read */
export async function digestFile(path: string, terminal: Terminal): Promise<FileDigest> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    const total = (await stat(path)).size;
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      size += chunk.length;
      terminal.progress('computing the digest', Math.min(size, total), total, 'bytes');
    }
  } catch (error) {
    const problem = systemProblem(error, path);
    throw problem === null ? error : new FileProblem(problem);
  }
  return { path, sha256: `sha256:${toHex(hash.digest())}`, size };
}
