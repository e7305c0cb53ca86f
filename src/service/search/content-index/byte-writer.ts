const encoder = new TextEncoder();

/** Bytes that grow at their end. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  #room(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  /** A whole number from 0 to 2^53, in groups of 7 bits, the lowest first. */
  varint(value: number): void {
    this.#room(8);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** The UTF-8 of a text from one of its units on, behind its length. */
  text(text: string, from = 0): void {
    const length = text.length - from;
    this.#room(8 + length);
    const begin = this.#length;
    this.varint(length);
    for (let i = from; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) {
        this.#length = begin;
        const bytes = encoder.encode(text.slice(from));
        this.varint(bytes.length);
        this.raw(bytes);
        return;
      }
      this.#bytes[this.#length++] = unit;
    }
  }

  /** Bytes as they are. */
  raw(bytes: ArrayLike<number>): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Part of some bytes. Most are so few that one after the other is faster than a view of them. */
  range(bytes: ArrayLike<number>, from: number, to: number): void {
    if (bytes instanceof Uint8Array && to - from > 64) {
      this.raw(bytes.subarray(from, to));
      return;
    }
    this.#room(to - from);
    for (let at = from; at < to; at++) this.#bytes[this.#length++] = bytes[at] ?? 0;
  }

  /** A copy of what was written. */
  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** What was written, until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }
}

/** Reads along bytes. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 128;
    do {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte >= 0x80);
    return value;
  }
}
