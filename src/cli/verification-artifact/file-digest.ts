import { stat } from 'node:fs/promises';
import { fileDigest } from '../../node/index.ts';
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
  try {
    const total = (await stat(path)).size;
    let done = 0;
    const onBytes = (count: number): void => {
      done = Math.min(done + count, total);
      terminal.progress('computing the digest', done, total, 'bytes');
    };
    return { path, ...(await fileDigest(path, { onBytes })) };
  } catch (error) {
    const problem = systemProblem(error, path);
    throw problem === null ? error : new FileProblem(problem);
  }
}
