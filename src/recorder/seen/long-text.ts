import { createHash, type Hash } from 'node:crypto';
import type { LeftOut } from './left-out.ts';
import { markOf } from './left-out.ts';

/** How much of a text that is too long is kept: bytes of its beginning and of its end. */
export interface TextRoom {
  readonly head: number;
  readonly tail: number;
}

/** What a mark may take: a text that was cut once is not cut again where there is as much room, for that would take away its mark. */
const ROOM_OF_MARK = 256;

/** Decoded bytes that are gathered before they are looked at: escapes are many and short. */
const GATHERED = 16_384;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** What a backslash and a letter stand for (RFC 8259 §7). */
const ESCAPES: Readonly<Record<number, number>> = { 98: 8, 102: 12, 110: 10, 114: 13, 116: 9 };

/**
 * A string of JSON that is read from its first byte behind the quote to its last one, in pieces, with bounded memory: of one that is
 * longer than its room the beginning and the end are kept, and the digest of the whole.
 */
export class LongText {
  readonly #room: TextRoom;
  #kept: Buffer[] = [];
  #keptSize = 0;
  #head: Buffer | null = null;
  #tail = Buffer.alloc(0);
  #hash: Hash | null = null;
  /** Bytes of the text in UTF-8. */
  #size = 0;
  readonly #gathered = Buffer.allocUnsafe(GATHERED);
  #at = 0;
  /** Within an escape: whether it has begun, or the digits that it has so far. */
  #escape: 'no' | 'begun' | 'digits' = 'no';
  #digits = '';
  /** The first half of a character that is written as two escapes. */
  #half = '';

  constructor(room: TextRoom) {
    this.#room = room;
  }

  /** @returns where reading continues, behind the closing quote; -1 where the string continues in the next chunk */
  push(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length) {
      if (this.#escape !== 'no') {
        this.#inEscape(chunk[at] ?? 0);
        at++;
        continue;
      }
      const start = at;
      let byte = chunk[at];
      while (byte !== undefined && byte !== QUOTE && byte !== BACKSLASH) byte = chunk[++at];
      if (at > start) this.#take(chunk.subarray(start, at));
      if (byte === BACKSLASH) this.#escape = 'begun';
      else if (byte === QUOTE) {
        this.#endHalf();
        return at + 1;
      }
      at++;
    }
    return -1;
  }

  /**
   * The text, to be asked once it has ended.
   * @param isCutOff whether what came ended within it: then it ends with a line or a word, since the last one may be half a secret
   */
  end(isCutOff = false): { readonly text: string; readonly leftOut: LeftOut | null } {
    this.#flush();
    const { head: most, tail: last } = this.#room;
    const whole = (bytes: Buffer): Buffer => (isCutOff ? bytes.subarray(0, endOfCutOff(bytes)) : bytes);
    if (this.#hash === null || this.#head === null) {
      return { text: textOf(whole(Buffer.concat(this.#kept))), leftOut: null };
    }
    const head = this.#head.subarray(0, endOfHead(this.#head, most));
    const tail = whole(this.#tail.subarray(beginOfTail(this.#tail, last)));
    const sha256 = this.#hash.digest('hex');
    const leftOut = { bytes: this.#size - head.length - tail.length, whole: this.#size, sha256 };
    return { text: `${textOf(head)}\n${markOf(leftOut)}\n${textOf(tail)}`, leftOut };
  }

  #inEscape(byte: number): void {
    if (this.#escape === 'begun') {
      this.#escape = byte === LETTER_U ? 'digits' : 'no';
      if (byte !== LETTER_U) this.#takeByte(ESCAPES[byte] ?? byte);
      return;
    }
    this.#digits += String.fromCharCode(byte);
    if (this.#digits.length < 4) return;
    this.#unit(Number.parseInt(this.#digits, 16));
    this.#digits = '';
    this.#escape = 'no';
  }

  /** A code unit of UTF-16. */
  #unit(code: number): void {
    const unit = String.fromCharCode(code);
    if (code >= 0xdc00 && code < 0xe000 && this.#half !== '') {
      const whole = this.#half + unit;
      this.#half = '';
      this.#take(Buffer.from(whole));
      return;
    }
    this.#endHalf();
    if (code >= 0xd800 && code < 0xdc00) this.#half = unit;
    else this.#take(Buffer.from(unit));
  }

  /** Half a character that nothing completes becomes U+FFFD, as in any encoder of UTF-8. */
  #endHalf(): void {
    if (this.#half === '') return;
    this.#half = '';
    this.#take(Buffer.from('\ufffd'));
  }

  #takeByte(byte: number): void {
    if (this.#half !== '') this.#endHalf();
    if (this.#at === GATHERED) this.#flush();
    this.#gathered[this.#at++] = byte;
  }

  #take(bytes: Uint8Array): void {
    if (this.#half !== '') this.#endHalf();
    if (this.#at + bytes.length > GATHERED) this.#flush();
    if (bytes.length > GATHERED) {
      this.#add(Buffer.from(bytes));
      return;
    }
    this.#gathered.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #flush(): void {
    if (this.#at === 0) return;
    this.#add(Buffer.from(this.#gathered.subarray(0, this.#at)));
    this.#at = 0;
  }

  #add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#hash !== null) {
      this.#hash.update(bytes);
      this.#keepTail(bytes);
      return;
    }
    this.#kept.push(bytes);
    this.#keptSize += bytes.length;
    const { head, tail } = this.#room;
    if (this.#keptSize <= head + tail + ROOM_OF_MARK) return;
    const all = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#hash = createHash('sha256').update(all);
    // With the bytes that a character at its end may have more.
    this.#head = Buffer.from(all.subarray(0, head + 4));
    this.#keepTail(all);
  }

  #keepTail(bytes: Buffer): void {
    const { tail } = this.#room;
    const all = bytes.length >= tail ? bytes : Buffer.concat([this.#tail, bytes]);
    this.#tail = Buffer.from(all.subarray(Math.max(0, all.length - tail)));
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Whether a byte continues a character of UTF-8. */
function isWithin(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** How far from a cut is looked for the end of a line, or of a word. */
const NEAR = 4_096;
/** What is left out next to a cut where there is neither, but no more than a quarter of what is kept. */
const MARGIN = 1_024;

const SPACES = [0x0a, 0x20] as const;

/**
 * Where the beginning of a text ends that is cut: between lines, or between words. Of a secret that is cut nobody would know that it is one.
 * @param most bytes
 */
function endOfHead(bytes: Buffer, most: number): number {
  const end = Math.min(most, bytes.length);
  return endOfWord(bytes, end, Math.min(NEAR, most / 2)) ?? beginOfCharacter(bytes, end - Math.min(MARGIN, most / 4));
}

/** Where a text ends that was cut off, in the same way: a short one without a line or a word that is whole loses all. */
function endOfCutOff(bytes: Buffer): number {
  return endOfWord(bytes, bytes.length, NEAR) ?? beginOfCharacter(bytes, Math.max(0, bytes.length - MARGIN));
}

/** Where the last line ends that is whole, or the last word, no further before `end` than `near`. */
function endOfWord(bytes: Buffer, end: number, near: number): number | null {
  const ends = SPACES.map((space) => bytes.subarray(0, end).lastIndexOf(space));
  return ends.find((at) => at >= 0 && at >= end - near) ?? null;
}

/** Where the end of a text begins, in the same way: what stands before the first line may be the rest of a secret whose name is missing. */
function beginOfTail(bytes: Buffer, most: number): number {
  const begin = bytes.length - most;
  for (const space of SPACES) {
    const at = bytes.indexOf(space, begin);
    if (at >= 0 && at < begin + Math.min(NEAR, most / 2)) return at + 1;
  }
  let at = begin + Math.min(MARGIN, most / 4);
  while (isWithin(bytes[at])) at++;
  return at;
}

function beginOfCharacter(bytes: Uint8Array, most: number): number {
  let at = Math.min(most, bytes.length);
  while (at > 0 && isWithin(bytes[at])) at--;
  return at;
}
