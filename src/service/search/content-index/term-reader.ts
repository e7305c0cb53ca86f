/** As they stand: a decoder that takes a byte order mark away makes another term of one that begins with it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function textOfBytes(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * Reads along the terms of a block. A question looks at many more of them than it needs, so each is there as its units, and becomes
 * a text where one is asked for.
 */
export class TermReader {
  readonly #bytes: Uint8Array;
  #next = 0;
  #units = new Uint16Array(256);
  #text = Buffer.from(this.#units.buffer);
  /** In units. */
  length = 0;
  records = 0;
  /** Where its postings are among those of the block, and how many bytes they have. */
  at = 0;
  size = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads the next term. @returns false at the end */
  next(): boolean {
    if (this.#next >= this.#bytes.length) return false;
    this.at += this.size;
    const shared = this.#varint();
    const bytes = this.#varint();
    this.#suffix(shared, bytes);
    this.records = this.#varint();
    this.size = this.#varint();
    return true;
  }

  #varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#next++] as number;
    let value = byte & 0x7f;
    for (let factor = 128; byte >= 0x80; factor *= 128) {
      byte = bytes[this.#next++] as number;
      value += (byte & 0x7f) * factor;
    }
    return value;
  }

  #suffix(shared: number, length: number): void {
    const bytes = this.#bytes;
    const end = this.#next + length;
    // A text has at most as many units as bytes.
    if (shared + length > this.#units.length) {
      const grown = new Uint16Array(2 * (shared + length));
      grown.set(this.#units);
      this.#units = grown;
      this.#text = Buffer.from(grown.buffer);
    }
    const units = this.#units;
    let at = shared;
    for (let from = this.#next; from < end; from++) {
      const byte = bytes[from] as number;
      if (byte >= 0x80) {
        const rest = textOfBytes(bytes.subarray(from, end));
        for (let i = 0; i < rest.length; i++) units[at++] = rest.charCodeAt(i);
        break;
      }
      units[at++] = byte;
    }
    this.length = at;
    this.#next = end;
  }

  /** The term from one of its units on. */
  text(from = 0): string {
    return this.#text.toString('utf16le', 2 * from, 2 * this.length);
  }

  /** Below 0 where the term comes before a text, above where it comes behind it. */
  compare(text: string): number {
    const units = this.#units;
    const shorter = Math.min(this.length, text.length);
    for (let i = 0; i < shorter; i++) {
      const difference = (units[i] as number) - text.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return this.length - text.length;
  }

  startsWith(text: string): boolean {
    return this.length >= text.length && this.#isAt(text, 0);
  }

  /** Whether a text is in it somewhere from a unit on. */
  includes(text: string, from: number): boolean {
    for (let at = from; at <= this.length - text.length; at++) if (this.#isAt(text, at)) return true;
    return false;
  }

  #isAt(text: string, at: number): boolean {
    const units = this.#units;
    for (let i = 0; i < text.length; i++) if (units[at + i] !== text.charCodeAt(i)) return false;
    return true;
  }
}
