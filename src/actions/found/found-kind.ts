import { type LogKind, logReaderOf } from '../logs/index.ts';
import {
  FIRST_LINES,
  programOfTranscript,
  type TranscriptLine,
  type TranscriptProgramId,
} from '../transcripts/light.ts';

/** How much of a file tells what it is. */
export const HEAD_BYTES = 64 * 1024;
/** Of a compressed one: it may unpack to a thousand times as much. */
export const PACKED_HEAD_BYTES = 4 * 1024;

/** What a file is by its contents: a transcript of a program, or a log of a system. */
export type FoundKind =
  | { readonly of: 'transcript'; readonly program: TranscriptProgramId }
  | { readonly of: 'log'; readonly log: LogKind }
  /** The write-ahead log of a store, which is read with the store. */
  | { readonly of: 'beside' };

/** How a text is written, by the mark that it begins with. PowerShell writes UTF-16. */
export function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function isSqlite(head: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(head.subarray(0, 16)) === 'SQLite format 3\0';
}

/** By the number that it begins with (SQLite, Database File Format, section 4.1). */
function isWal(head: Uint8Array): boolean {
  return head[0] === 0x37 && head[1] === 0x7f && head[2] === 0x06 && (head[3] === 0x82 || head[3] === 0x83);
}

/**
 * What a file is by its beginning; null for none that is read. Nothing of it is believed.
 * @param plain the same unpacked where it is packed; null where it cannot be
 * @param path where it was found: of the files of a store it tells which is which
 */
export function kindOfFound(head: Uint8Array, plain: Uint8Array | null, path: string): FoundKind | null {
  // Which store it is the tables say: whoever reads it finds them, or not. Of the log of a store the name alone tells.
  const name = path.split(/[\\/]/).at(-1);
  if (name === 'opencode.db' && isSqlite(head)) return { of: 'transcript', program: 'opencode' };
  if (name === 'opencode.db-wal' && isWal(head)) return { of: 'beside' };
  if (plain === null) return null;
  const text = new TextDecoder(encodingOf(plain)).decode(plain);
  const log = logReaderOf(text);
  if (log !== null) return { of: 'log', log: log.kind };
  if (!/^\s*[[{]/.test(text)) return null;
  const isWhole = head.length < HEAD_BYTES;
  const program = programOfTranscript(firstLines(text, isWhole));
  return program === null ? null : { of: 'transcript', program };
}

/** @param isWhole whether the text is all that there is: else its last line is the head of one */
function firstLines(text: string, isWhole: boolean): TranscriptLine[] {
  const lines = text.split('\n', FIRST_LINES + 1);
  return lines.slice(0, FIRST_LINES).map((line, index) => {
    const isCut = !isWhole && index === lines.length - 1;
    return { line: index + 1, text: line, ...(isCut && { cut: { bytes: line.length, sha256: '' } }) };
  });
}
