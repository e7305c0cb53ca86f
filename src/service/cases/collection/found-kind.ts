import { constants, gunzipSync } from 'node:zlib';
import { type LogKind, logReaderOf } from '../../../actions/logs/index.ts';
import {
  FIRST_LINES,
  programOfTranscript,
  type TranscriptLine,
  type TranscriptProgramId,
} from '../../../actions/transcripts/index.ts';
import { isGzip } from '../../../node/index.ts';
import { codeOf } from '../../../protocol/light.ts';

/** How much of a file tells what it is. */
export const HEAD_BYTES = 64 * 1024;
/** Of a compressed file: it may unpack to a thousand times as much. */
const PACKED_HEAD_BYTES = 4 * 1024;

/** What a file is by its contents: a transcript of a program, or a log of a system. */
export type FoundKind =
  | { readonly of: 'transcript'; readonly program: TranscriptProgramId }
  | { readonly of: 'log'; readonly log: LogKind };

/** How a text is written, by the mark that it begins with. PowerShell writes UTF-16. */
export function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** What a file is by its beginning, whatever it is called; null for none that is read. Nothing of it is believed. */
export function kindOfHead(head: Uint8Array): FoundKind | null {
  const plain = isGzip(head) ? unpackedHead(head) : head;
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

function unpackedHead(head: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(head.subarray(0, PACKED_HEAD_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if (codeOf(error)?.startsWith('Z_') === true) return null;
    throw error;
  }
}
