import { equalBytes } from '../../protocol/index.ts';

/** Bytes of a file from a place on; fewer where it ends before. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/** A case file is a tar archive (POSIX.1-1988, ustar) without compression: nothing in it takes more room than it does. */
export const BLOCK = 512;

/** What a size in a header can say: eleven octal digits. */
export const MAX_ENTRY_BYTES = 0o77777777777;

/** Names that a case file may hold. None leads out of the folder that it is unpacked into. */
const NAME = /^(?:[a-z]+\.(?:json|jsonl)|items\/[1-9][0-9]{0,5}(?:\.receipts-[1-9][0-9]?)?)$/;

export function isEntryName(name: string): boolean {
  return NAME.test(name);
}

/** How entries are called. */
export const ENTRY = {
  manifest: 'manifest.json',
  seal: 'seal.json',
  custody: 'custody.jsonl',
  notes: 'notes.jsonl',
  reading: 'reading.json',
  item: (itemNo: number) => `items/${itemNo}`,
  receipts: (index: number) => `items/1.receipts-${index + 1}`,
} as const;

/** Whether a file begins as a case file does: with a header for its manifest. @param head its first bytes, as many as a header has */
export function isCaseFile(head: Uint8Array): boolean {
  return textAt(head, 0, 100) === ENTRY.manifest && textAt(head, 257, 6) === 'ustar';
}

/** The header of an entry. There is one for each name and size (protocol R62): a reader makes it again and compares every byte. */
export function tarHeader(name: string, size: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const write = (text: string, at: number): void =>
    header.set(
      Uint8Array.from(text, (one) => one.charCodeAt(0)),
      at,
    );
  write(name.slice(0, 100), 0);
  write('0000600\0', 100);
  write('0000000\0', 108);
  write('0000000\0', 116);
  write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  write('00000000000\0', 136);
  write('        ', 148);
  write('0', 156);
  write('ustar\0', 257);
  write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** How many zero bytes pad an entry of this size. */
export function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** What ends an archive. */
export const TAR_END = new Uint8Array(2 * BLOCK);

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
export async function walkTar(readAt: ReadAt, fileSize: number, most: number): Promise<TarWalk> {
  const entries: TarEntry[] = [];
  let at = 0;
  while (entries.length < most) {
    const header = await readAt(at, BLOCK);
    if (header.length < BLOCK) return { entries, end: at, isEnded: false };
    if (header.every((byte) => byte === 0)) {
      const rest = await readAt(at, TAR_END.length + 1);
      return { entries, end: at, isEnded: equalBytes(rest, TAR_END) && at + TAR_END.length === fileSize };
    }
    const name = textAt(header, 0, 100);
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    const isSize = Number.isSafeInteger(size) && size >= 0 && size <= MAX_ENTRY_BYTES;
    const offset = at + BLOCK;
    const padded = isSize ? await readAt(offset + size, padding(size)) : new Uint8Array(0);
    const isPadded = padded.every((byte) => byte === 0);
    const isExact = isSize && isPadded && name.length <= 100 && equalBytes(tarHeader(name, size), header);
    entries.push({ name, size: isSize ? size : 0, offset, isExact });
    if (!isSize) return { entries, end: at, isEnded: false };
    at = offset + size + padding(size);
  }
  return { entries, end: at, isEnded: false };
}

function textAt(header: Uint8Array, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return String.fromCharCode(...field.subarray(0, end < 0 ? length : end));
}
