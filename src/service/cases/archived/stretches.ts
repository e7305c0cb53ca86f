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

/** A run was packed by another program, without points at which it can be cut, or its stretches are too long. */
export class NoStretches extends Error {
  override readonly name = 'NoStretches';
}

/** Bytes of a file that are kept until they are cut off at the front. */
class Held {
  #bytes = Buffer.alloc(1024 * 1024);
  #begin = 0;
  #end = 0;

  get view(): Buffer {
    return this.#bytes.subarray(this.#begin, this.#end);
  }

  add(chunk: Uint8Array): void {
    const length = this.#end - this.#begin;
    if (this.#end + chunk.length > this.#bytes.length) {
      const room =
        length + chunk.length > this.#bytes.length / 2 ? Buffer.alloc(2 * (length + chunk.length)) : this.#bytes;
      this.#bytes.copy(room, 0, this.#begin, this.#end);
      [this.#bytes, this.#begin, this.#end] = [room, 0, length];
    }
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  cut(length: number): void {
    this.#begin += length;
  }
}

/**
 * The stretches of a run, found in its bytes as they come: nothing that comes with it is trusted. What looks like the end of a stretch within
 * packed bytes ends no line, but for a chance that the checksum of the whole tells.
 * @throws NoStretches, also behind the last one: nothing holds before the end
 */
export async function* stretchesOf(
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Stretch & { readonly text: Buffer }> {
  const held = new Held();
  let [offset, line, checksum, length, falseEnds, count] = [0, 1, 0, 0, 0, 0];
  /** How much was looked through, and where the last end that was found is: it is taken once it is known whether another one follows. */
  let [looked, end] = [0, 0];

  const stretch = (isLast: boolean): (Stretch & { readonly text: Buffer }) | null => {
    const packed = held.view.subarray(0, end);
    let text: Buffer;
    try {
      text = unpackStretch(packed);
    } catch (error) {
      throw new NoStretches('bytes of a run are no stretch', { cause: error });
    }
    if (text.at(-1) !== NEWLINE && !isLast) {
      if (++falseEnds > MOST_FALSE) throw new NoStretches('a run is flushed within its lines');
      return null;
    }
    const found = { firstLine: line, offset, bytes: end, sha256: sha256Of(packed), text };
    checksum = crc32(text, checksum);
    length += text.length;
    line += countLines(text);
    count++;
    offset += end;
    held.cut(end);
    looked -= end;
    return found;
  };

  let isBegun = false;
  for await (const chunk of file) {
    held.add(chunk);
    if (!isBegun && held.view.length >= HEADER_BYTES) {
      held.cut(HEADER_BYTES);
      [offset, isBegun] = [HEADER_BYTES, true];
    }
    while (isBegun) {
      const at = held.view.indexOf(FLUSHED, looked);
      const next = at + FLUSHED.length;
      if (at < 0 || next > held.view.length - TRAILER_BYTES) {
        looked = at < 0 ? Math.max(looked, held.view.length - FLUSHED.length + 1) : at;
        break;
      }
      looked = next;
      const before = end === 0 ? null : stretch(false);
      // Where it was taken, what is left begins behind it.
      end = looked;
      if (before !== null) yield before;
    }
    if (held.view.length > MOST_BYTES) throw new NoStretches('a stretch of a run is too long');
  }
  const last = end === 0 ? null : stretch(true);
  if (last !== null) yield last;
  const trailer = held.view.subarray(-TRAILER_BYTES);
  const isWhole =
    count > 1 &&
    trailer.length === TRAILER_BYTES &&
    trailer.readUInt32LE(0) === checksum &&
    trailer.readUInt32LE(4) === length % 2 ** 32;
  if (!isWhole) throw new NoStretches('a run has no stretches, or is not whole');
}
