import { canonicalBytes, type Json } from '../../protocol/light.ts';

/** Of a text that is cut, three quarters are kept from its beginning. */
const HEAD = 0.75;
/** What the words cost that say how much was left out. */
const NOTICE = 64;
/** Texts are cut no shorter than this, in bytes, before whole items are left out. */
const SHORTEST = 256;

/** Bytes of a character in a canonical JSON text. */
function bytesOf(code: number): number {
  if (code < 0x20) return code === 8 || code === 9 || code === 10 || code === 12 || code === 13 ? 2 : 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  // A surrogate is half of a character of four bytes.
  return code >= 0xd800 && code < 0xe000 ? 2 : 3;
}

/** What each text has around it, in bytes. */
const QUOTES = 2;

/** @param text well-formed, as everything is that was cleaned */
function sizeOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Where the first `bytes` end, between characters and not within the mark of a replaced secret. */
function headEnd(text: string, bytes: number): number {
  let at = 0;
  for (let used = 0; at < text.length; at++) {
    used += bytesOf(text.charCodeAt(at));
    if (used > bytes) break;
  }
  if (isLow(text.charCodeAt(at))) at--;
  const mark = text.lastIndexOf('[REDACTED:', at - 1);
  const close = mark === -1 ? -1 : text.indexOf(']', mark);
  return mark !== -1 && at - mark < 64 && close >= at ? mark : at;
}

function tailStart(text: string, bytes: number): number {
  let at = text.length;
  for (let used = 0; at > 0; at--) {
    used += bytesOf(text.charCodeAt(at - 1));
    if (used > bytes) break;
  }
  if (isLow(text.charCodeAt(at))) at++;
  const mark = text.lastIndexOf('[REDACTED:', at - 1);
  const close = mark === -1 ? -1 : text.indexOf(']', mark);
  return mark !== -1 && at - mark < 64 && close >= at ? close + 1 : at;
}

/**
 * A text cut in the middle so that it takes at most `limit` bytes in canonical form.
 * @param size that it takes as a whole
 */
function cutText(text: string, limit: number, size = sizeOf(text)): string {
  if (size <= limit) return text;
  const room = limit - NOTICE;
  const end = headEnd(text, Math.floor(room * HEAD));
  const start = Math.max(end, tailStart(text, room - Math.floor(room * HEAD)));
  const [head, tail] = [text.slice(0, end), text.slice(start)];
  const leftOut = size + QUOTES - sizeOf(head) - sizeOf(tail);
  return `${head}\n[... ${leftOut} bytes left out ...]\n${tail}`;
}

/** Sizes of all texts in a value, without the names of members. */
function textSizes(value: Json, sizes: number[]): number[] {
  if (typeof value === 'string') sizes.push(sizeOf(value));
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) textSizes(item, sizes);
  return sizes;
}

/** The largest length to which texts can be cut so that they fit together: the longest are cut first. */
function longestText(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = [...sizes].sort((a, b) => a - b);
  for (const [i, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (size > share) return Math.max(share, SHORTEST);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** Copies a value until its room is used up. */
class Fitting {
  #room: number;
  readonly #longest: number;

  constructor(room: number, longest: number) {
    this.#room = room;
    this.#longest = longest;
  }

  copy(value: Json): Json {
    if (typeof value === 'string') return this.#spent(cutText(value, this.#longest));
    if (typeof value !== 'object' || value === null) return this.#spent(value);
    this.#room -= 2;
    return Array.isArray(value) ? this.#array(value) : this.#members(Object.entries(value));
  }

  #spent(value: Json): Json {
    this.#room -= canonicalBytes(value).length + 1;
    return value;
  }

  #array(items: readonly Json[]): Json {
    const result: Json[] = [];
    for (const [i, item] of items.entries()) {
      if (this.#room < this.#least(item)) return [...result, `[... ${items.length - i} items left out ...]`];
      result.push(this.copy(item));
    }
    return result;
  }

  #members(entries: readonly (readonly [string, Json])[]): Json {
    const result: [string, Json][] = [];
    for (const [i, [name, value]] of entries.entries()) {
      const cost = sizeOf(name) + 1;
      if (this.#room < cost + this.#least(value)) {
        result.push(['...', `${entries.length - i} members left out`]);
        break;
      }
      this.#room -= cost;
      result.push([name, this.copy(value)]);
    }
    return Object.fromEntries(result);
  }

  /** What must be left for an item to be begun. */
  #least(value: Json): number {
    if (typeof value !== 'string') return 2 * NOTICE;
    return NOTICE + (value.length > this.#longest ? this.#longest : Math.min(sizeOf(value), this.#longest));
  }
}

/**
 * A part of a value that takes about `limit` bytes in canonical form: the longest texts are cut in the middle first, then items are
 * left out from the end. It stays valid JSON.
 * @param bytes of the canonical form of the whole value
 */
export function cutValue(value: Json, bytes: number, limit: number): Json {
  if (bytes <= limit) return value;
  if (typeof value === 'string') return cutText(value, limit, bytes);
  const sizes = textSizes(value, []);
  const texts = sizes.reduce((sum, size) => sum + size, 0);
  // With room for what says how much was left out.
  const longest = longestText(sizes, Math.max(0, limit - (bytes - texts) - 4 * NOTICE));
  return new Fitting(limit, longest).copy(value);
}
