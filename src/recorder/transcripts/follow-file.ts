import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../../actions/tools/index.ts';
import { TRANSCRIPTS, type TranscriptItem, type TranscriptProgramId } from '../../actions/transcripts/index.ts';
import { type BoundedLine, BoundedLines } from '../../node/index.ts';
import { hasCode } from '../../protocol/light.ts';

/** The most of a line that is kept: a call of more has its head, size and digest. */
const MAX_LINE = 8 * 1024 * 1024;
/** How much is read at a time: between two pieces others have their turn. */
const PIECE = 256 * 1024;

/** What a line of a transcript says, and the SHA-256 of its bytes in hex. */
export interface Told {
  readonly items: readonly TranscriptItem[];
  readonly sha256: string;
}

/** What a program writes of a session, read as it grows. */
export interface Followed {
  readonly path: string;
  /** How much was read. */
  readonly size: number;
  /** How often what was read is not there any more. */
  readonly changed: number;
  /** What was written since it was last read. */
  more(): AsyncGenerator<Told>;
  /** The calls without an end, once nothing more is to come. */
  unended(): Told;
}

/** One file of a transcript, read as it grows. */
export class FollowedFile implements Followed {
  readonly path: string;
  readonly #program: TranscriptProgramId;
  #reader;
  #lines = new BoundedLines(MAX_LINE);
  #offset = 0;
  #inode: number | null = null;
  /** How often the file became shorter than what was read of it, or another file. */
  changed = 0;

  constructor(program: TranscriptProgramId, path: string) {
    this.path = path;
    this.#program = program;
    this.#reader = TRANSCRIPTS[program].open(path);
  }

  /**
   * What was written since it was last read. A line that is being written is left for the next time.
   * @returns nothing where the file is not there, or cannot be read
   * @throws what the file system does, but for that
   */
  async *more(): AsyncGenerator<Told> {
    const file = await opened(this.path);
    if (file === null) return;
    try {
      const { ino, size } = await file.stat();
      if (size < this.#offset || (this.#inode !== null && ino !== this.#inode)) {
        this.changed++;
        this.#offset = 0;
        this.#lines = new BoundedLines(MAX_LINE);
        this.#reader = TRANSCRIPTS[this.#program].open(this.path);
      }
      this.#inode = ino;
      const piece = Buffer.alloc(PIECE);
      while (this.#offset < size) {
        const { bytesRead } = await file.read(piece, 0, Math.min(PIECE, size - this.#offset), this.#offset);
        if (bytesRead === 0) return;
        this.#offset += bytesRead;
        for (const line of this.#lines.push(piece.subarray(0, bytesRead))) yield this.#told(line);
        await setImmediate();
      }
    } finally {
      await file.close();
    }
  }

  unended(): Told {
    return { items: this.#reader.open(), sha256: sha256Hex('') };
  }

  get size(): number {
    return this.#offset;
  }

  #told(line: BoundedLine): Told {
    const sha256 = line.cut?.sha256 ?? sha256Hex(line.text);
    return { items: line.text.trim() === '' ? [] : this.#reader.take(line), sha256 };
  }
}

/** A regular file, open to be read: a path that a program names may lead to anything. */
async function opened(path: string): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    // Without waiting: a pipe that nobody writes to would be waited for.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EACCES') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return null;
}
