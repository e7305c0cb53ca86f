import type { FileHandle } from 'node:fs/promises';
import { pieceOf } from '../../../node/light.ts';

/** A case file is a tar archive (POSIX.1-1988, ustar) without compression: nothing in it takes more room than it does. */
export const BLOCK = 512;

/** What a size in a header can say: eleven octal digits. */
export const MAX_ENTRY_BYTES = 0o77777777777;

/** Names that a case file may hold. None leads out of the folder that it is unpacked into. */
const NAME = /^(?:[a-z]+\.(?:json|jsonl)|items\/[1-9][0-9]{0,5}(?:\.receipts-[1-9][0-9]?)?)$/;

export function isEntryName(name: string): boolean {
  return NAME.test(name);
}

/** The header of an entry. There is one for each name and size (protocol R62): a reader makes it again and compares every byte. */
export function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100, 'latin1');
  header.write('0000600\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write('00000000000\0', 136, 'latin1');
  header.write('        ', 148, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\0', 257, 'latin1');
  header.write('00', 263, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** How many zero bytes pad an entry of this size. */
export function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** What ends an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** An entry as its header says. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  /** Where its bytes begin. */
  readonly offset: number;
  /** Whether header and padding are the ones that its name and size have: nothing else stands anywhere in the file. */
  readonly isExact: boolean;
}

/** What a walk over the headers came to. `end` is where it stopped, and `isEnded` whether the archive's end stands there. */
export interface TarWalk {
  readonly entries: readonly TarEntry[];
  readonly end: number;
  readonly isEnded: boolean;
}

/**
 * Reads the headers of an archive without their contents. Whoever made the file chose all of them.
 * @param most entries that are read
 */
export async function walkTar(file: FileHandle, fileSize: number, most: number): Promise<TarWalk> {
  const entries: TarEntry[] = [];
  let at = 0;
  while (entries.length < most) {
    const header = await pieceOf(file, at, BLOCK);
    if (header.length < BLOCK) return { entries, end: at, isEnded: false };
    if (header.every((byte) => byte === 0)) {
      const rest = await pieceOf(file, at, TAR_END.length + 1);
      return { entries, end: at, isEnded: rest.equals(TAR_END) && at + TAR_END.length === fileSize };
    }
    const name = textAt(header, 0, 100);
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    const isSize = Number.isSafeInteger(size) && size >= 0 && size <= MAX_ENTRY_BYTES;
    const offset = at + BLOCK;
    const padded = isSize ? await pieceOf(file, offset + size, padding(size)) : Buffer.alloc(0);
    const isPadded = padded.every((byte) => byte === 0);
    const isExact = isSize && isPadded && name.length <= 100 && tarHeader(name, size).equals(header);
    entries.push({ name, size: isSize ? size : 0, offset, isExact });
    if (!isSize) return { entries, end: at, isEnded: false };
    at = offset + size + padding(size);
  }
  return { entries, end: at, isEnded: false };
}

function textAt(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('latin1');
}
