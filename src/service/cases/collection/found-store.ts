import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TranscriptLine } from '../../../actions/transcripts/index.ts';
import { opencodeRows } from '../../../node/index.ts';
import type { FoundFile } from './found-files.ts';
import { linesOf, MAX_LINE_BYTES } from './found-texts.ts';
import { bytesOf } from './read-collection.ts';

/**
 * The lines of a store of opencode: a file of rows, or the database itself, which is copied for that. What its program had not put into
 * it yet, in the file next to it, is read as well.
 * @param all the files of the item
 * @throws SqliteError where it is damaged
 */
export async function* storeLines(file: FoundFile, all: readonly FoundFile[]): AsyncGenerator<TranscriptLine> {
  const { value: head } = await bytesOf(file, { ...file, bytes: Math.min(file.bytes, 1) }).next();
  if (head?.[0] !== 'S'.charCodeAt(0)) {
    yield* linesOf(file);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'countersign-store-'));
  const copied = join(folder, 'store.db');
  try {
    await pipeline(bytesOf(file, file), createWriteStream(copied, { mode: 0o600 }));
    const wal = all.find(({ foundAt }) => foundAt === `${file.foundAt}-wal`);
    if (wal !== undefined) await pipeline(bytesOf(wal, wal), createWriteStream(`${copied}-wal`, { mode: 0o600 }));
    let line = 1;
    for (const row of opencodeRows(copied)) yield cut(row, line++);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cut(row: string, line: number): TranscriptLine {
  if (row.length <= MAX_LINE_BYTES) return { line, text: row };
  const sha256 = createHash('sha256').update(row).digest('hex');
  return { line, text: row.slice(0, MAX_LINE_BYTES), cut: { bytes: Buffer.byteLength(row), sha256 } };
}
