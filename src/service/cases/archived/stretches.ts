import { createHash } from 'node:crypto';
import { constants, crc32, inflateRawSync } from 'node:zlib';

/** The header of a gzip member (RFC 1952) as runs have it, without a name, and the checksum and length at its end. */
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

/** What ends a full flush (RFC 1951, 3.2.4): an empty stored block, aligned to a byte. */
const FLUSHED = Uint8Array.of(0, 0, 0xff, 0xff);

const NEWLINE = 0x0a;

/** 256 lines of the longest record take less. */
const MOST_BYTES = 256 * 1024 * 1024;

/** By chance such bytes are in four gigabytes once; a host that writes many of them would have each stretch unpacked again and again. */
const MOST_FALSE = 16;

/** A part of a run that can be unpacked alone. */
export interface Stretch {
  /** The number of its first line in the bundle, from 1. */
  readonly firstLine: number;
  readonly offset: number;
  readonly bytes: number;
  /** Of the packed bytes, so that what is read later is what was read at first. */
  readonly sha256: Uint8Array;
}

export function sha256Of(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** @throws where the bytes are no stretch of deflated text */
export function unpackStretch(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_BYTES });
}

function countLines(text: Uint8Array): number {
  let lines = 0;
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

/**
 * Where the stretches of a run are, found in its bytes: nothing that comes with it is trusted. What looks like the end of a stretch within
 * packed bytes ends no line, but for a chance that the checksum of the whole tells.
 * @returns null for a file that was packed by another program, without such points, or with stretches that are too long
 */
export function findStretches(file: Uint8Array): Stretch[] | null {
  const stretches: Stretch[] = [];
  const end = file.length - TRAILER_BYTES;
  let offset = HEADER_BYTES;
  let [line, checksum, length, falseEnds] = [1, 0, 0, 0];
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (let from = offset; ; ) {
    const found = bytes.indexOf(FLUSHED, from);
    if (found < 0 || found + FLUSHED.length > end) break;
    from = found + FLUSHED.length;
    const packed = bytes.subarray(offset, from);
    let text: Buffer;
    try {
      text = unpackStretch(packed);
    } catch {
      return null;
    }
    const next = bytes.indexOf(FLUSHED, from);
    const isLast = next < 0 || next + FLUSHED.length > end;
    if (text.at(-1) !== NEWLINE && !isLast) {
      if (++falseEnds > MOST_FALSE) return null;
      continue;
    }
    stretches.push({ firstLine: line, offset, bytes: packed.length, sha256: sha256Of(packed) });
    checksum = crc32(text, checksum);
    length += text.length;
    line += countLines(text);
    offset = from;
  }
  const trailer = bytes.subarray(end);
  const isWhole =
    stretches.length > 1 && trailer.readUInt32LE(0) === checksum && trailer.readUInt32LE(4) === length % 2 ** 32;
  return isWhole ? stretches : null;
}
