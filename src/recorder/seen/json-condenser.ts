import { createHash, type Hash } from 'node:crypto';
import { CUT_OFF, type LeftOut, markOf } from './left-out.ts';
import { LongText, type TextRoom } from './long-text.ts';

/** The JSON that is kept, in characters. */
const ROOM = 1 << 20;
/**
 * The first levels have more, each as much more than the one in it: whatever stands deeper leaves room for names of tools, ids, and the
 * members of what a tool is given.
 */
const FIRST_LEVELS = 5;
const RESERVED = 1 << 16;

/** A text is kept whole up to its room, which is less the more was kept before it. */
const ROOMS: readonly (readonly [left: number, room: TextRoom])[] = [
  [ROOM / 2, { head: 131_072, tail: 32_768 }],
  [ROOM / 8, { head: 8_192, tail: 0 }],
  [0, { head: 1_024, tail: 0 }],
];
const LEAST: TextRoom = { head: 512, tail: 0 };
const NAME: TextRoom = { head: 1_024, tail: 0 };

/** Deeper values are left out: nothing that is recorded reads them. */
const LEVELS = 250;
/** The longest number or word that is kept, in bytes. */
const LONGEST_WORD = 1_024;

/** What was left out of an object or an array. */
interface Omission {
  bytes: number;
  readonly hash: Hash;
}

interface Level {
  readonly isObject: boolean;
  count: number;
  /** Of an object, the name of the value that comes next, as JSON; null where a name has to come. */
  name: string | null;
  omission: Omission | null;
  /** The longest name so far of nothing but dots: what was left out stands under a longer one. */
  dots: number;
}

/** Under which name it is said what was left out of an object, at least. */
const DOTS = 3;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [0x7b, 0x7d, 0x5b, 0x5d];

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endsWord(byte: number): boolean {
  return byte === COMMA || byte === OBJECT_END || byte === ARRAY_END || byte === COLON || isSpace(byte);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Behind a byte order mark. */
function beginOf(chunk: Uint8Array): number {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
}

/**
 * Makes of a JSON text of any length one of the same form that has at most some 1.3 million characters, in one pass with bounded memory: long texts lose
 * their middle, long lists and objects their last members, and a mark says how much was left out, with its digest. Names of members
 * and short texts of the first levels stay, wherever they stand.
 */
export class JsonCondenser {
  #out: string[] = [];
  #size = 0;
  readonly #levels: Level[] = [];
  readonly #leftOut: LeftOut[] = [];
  #text: LongText | null = null;
  #isName = false;
  #word = '';
  /** Within the rest of a level that is left out: how many levels below it are open; -1 elsewhere. */
  #skipped = -1;
  #skippedText: 'no' | 'yes' | 'escaped' = 'no';
  #hasBegun = false;
  #isBroken = false;
  #hasEnded = false;

  /** Whether the outermost value has ended; of a number nobody knows before the end. */
  get hasEnded(): boolean {
    return this.#hasEnded && !this.#isBroken;
  }

  push(chunk: Uint8Array): void {
    let at = this.#hasBegun ? 0 : beginOf(chunk);
    this.#hasBegun = true;
    while (at < chunk.length && !this.#isBroken) {
      if (this.#text !== null) at = this.#inText(this.#text, chunk, at);
      else if (this.#skipped >= 0) at = this.#inSkipped(chunk, at);
      else at = this.#between(chunk, at);
    }
  }

  /** @returns null for a text that is not JSON, as far as its brackets and quotes tell */
  end(): { readonly json: string; readonly leftOut: readonly LeftOut[] } | null {
    if (this.#levels.length === 0) this.#endWord();
    if (this.#isBroken || this.#levels.length > 0 || this.#text !== null || !this.#hasEnded) return null;
    return { json: this.#out.join(''), leftOut: this.#leftOut };
  }

  /**
   * The same of a text that was cut off: what is open is closed where it stands, so that names and the beginning stay. A text says that
   * it was cut; a number or a word that may lack its end is null.
   * @returns null for what is no object or array, or was none before it was cut off
   */
  endCutOff(): ReturnType<JsonCondenser['end']> {
    if (this.#isBroken || this.#levels.length === 0) return null;
    if (this.#text !== null && !this.#isName) {
      const { text, leftOut } = this.#text.end(true);
      if (leftOut !== null) this.#leftOut.push(leftOut);
      this.#textEnded(JSON.stringify(`${text}\n${CUT_OFF}`));
    } else if (this.#word !== '') {
      this.#word = 'null';
      this.#endWord();
    }
    this.#text = null;
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      level.name = null;
      this.#close(level.isObject);
    }
    return this.end();
  }

  #write(text: string): void {
    this.#out.push(text);
    this.#size += text.length;
  }

  #inText(text: LongText, chunk: Uint8Array, from: number): number {
    const end = text.push(chunk, from);
    if (end < 0) return chunk.length;
    this.#text = null;
    const { text: kept, leftOut } = text.end();
    if (leftOut !== null) this.#leftOut.push(leftOut);
    this.#textEnded(JSON.stringify(kept));
    return end;
  }

  /** Between two values, and within numbers and words. */
  #between(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    if (this.#word !== '' && endsWord(byte)) this.#endWord();
    if (isSpace(byte)) return at + 1;
    const level = this.#levels.at(-1);
    switch (byte) {
      case OBJECT_END:
      case ARRAY_END:
        this.#close(byte === OBJECT_END);
        return at + 1;
      case COMMA:
      case COLON:
        if (level === undefined) this.#isBroken = true;
        return at + 1;
      case QUOTE:
        if (level?.isObject === true && level.name === null) return this.#beginText(true, NAME, chunk, at);
        break;
      default:
        if (this.#word !== '') {
          this.#word += String.fromCharCode(byte);
          if (this.#word.length > LONGEST_WORD) this.#isBroken = true;
          return at + 1;
        }
    }
    return this.#begin(byte, chunk, at);
  }

  /** A value begins. */
  #begin(byte: number, chunk: Uint8Array, at: number): number {
    const level = this.#levels.at(-1);
    if (this.#hasEnded || this.#word !== '' || (level?.isObject === true && level.name === null)) {
      this.#isBroken = true;
      return at;
    }
    // There is less and less room: nothing that comes later in the same level is kept either.
    if (level !== undefined && !this.#hasRoom()) {
      level.omission = { bytes: 0, hash: createHash('sha256') };
      if (level.name !== null) this.#omit(level.omission, Buffer.from(`${level.name}:`));
      this.#skipped = 0;
      return at;
    }
    if (level !== undefined) {
      const name = level.name === null ? '' : `${level.name}:`;
      this.#write(level.count++ > 0 ? `,${name}` : name);
    }
    if (byte === QUOTE) return this.#beginText(false, this.#textRoom(), chunk, at);
    if (byte === OBJECT || byte === ARRAY) {
      this.#write(byte === OBJECT ? '{' : '[');
      this.#levels.push({ isObject: byte === OBJECT, count: 0, name: null, omission: null, dots: DOTS - 1 });
    } else this.#word = String.fromCharCode(byte);
    return at + 1;
  }

  /** A text that ends within the chunk, as most do, is taken as it stands. */
  #beginText(isName: boolean, room: TextRoom, chunk: Uint8Array, at: number): number {
    this.#isName = isName;
    const most = Math.min(chunk.length, at + 1 + room.head + room.tail);
    let end = at + 1;
    while (end < most && chunk[end] !== QUOTE) end += chunk[end] === BACKSLASH ? 2 : 1;
    if (end < most) {
      this.#textEnded(decoder.decode(chunk.subarray(at, end + 1)));
      return end + 1;
    }
    this.#text = new LongText(room);
    return at + 1;
  }

  /** @param json the text with its quotes */
  #textEnded(json: string): void {
    const level = this.#levels.at(-1);
    if (this.#isName && level !== undefined) {
      level.name = json;
      // However it is written: an escape may be a dot.
      if (/^"(?:\.|\\u002[eE])+"$/.test(json)) {
        level.dots = Math.max(level.dots, json.replaceAll(/\\u002[eE]/g, '.').length - 2);
      }
    } else {
      this.#write(json);
      this.#ended();
    }
  }

  #hasRoom(): boolean {
    const depth = this.#levels.length;
    return depth < LEVELS && this.#size < ROOM + RESERVED * Math.max(0, FIRST_LEVELS - depth);
  }

  #textRoom(): TextRoom {
    return ROOMS.find(([left]) => ROOM - this.#size > left)?.[1] ?? LEAST;
  }

  #endWord(): void {
    if (this.#word === '') return;
    this.#write(this.#word);
    this.#word = '';
    this.#ended();
  }

  /** A value has ended. */
  #ended(): void {
    const level = this.#levels.at(-1);
    if (level === undefined) this.#hasEnded = true;
    else level.name = null;
  }

  #close(isObject: boolean): void {
    const level = this.#levels.pop();
    if (level === undefined || level.isObject !== isObject || (level.name !== null && level.omission === null)) {
      this.#isBroken = true;
      return;
    }
    if (level.omission !== null) {
      const { bytes, hash } = level.omission;
      const leftOut = { bytes, whole: bytes, sha256: hash.digest('hex') };
      this.#leftOut.push(leftOut);
      const comma = level.count > 0 ? ',' : '';
      const name = isObject ? `"${'.'.repeat(level.dots + 1)}":` : '';
      this.#write(`${comma}${name}${JSON.stringify(markOf(leftOut))}`);
    }
    this.#write(isObject ? '}' : ']');
    this.#ended();
  }

  #omit(omission: Omission, bytes: Uint8Array): void {
    omission.bytes += bytes.length;
    omission.hash.update(bytes);
  }

  /** Within the rest of a level, up to the bracket that closes it. */
  #inSkipped(chunk: Uint8Array, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#skippedText === 'escaped') this.#skippedText = 'yes';
      else if (this.#skippedText === 'yes') {
        if (byte === BACKSLASH) this.#skippedText = 'escaped';
        else if (byte === QUOTE) this.#skippedText = 'no';
      } else if (byte === QUOTE) this.#skippedText = 'yes';
      else if (byte === OBJECT || byte === ARRAY) this.#skipped++;
      else if ((byte === OBJECT_END || byte === ARRAY_END) && this.#skipped-- === 0) break;
    }
    const omission = this.#levels.at(-1)?.omission;
    if (omission != null) this.#omit(omission, chunk.subarray(from, at));
    return at;
  }
}
