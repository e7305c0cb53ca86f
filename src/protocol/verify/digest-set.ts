/** Big-endian 32 bits. */
function word(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** A part of the set: places in one flat array. */
interface Segment {
  words: Uint32Array;
  size: number;
}

/** All that a set holds, as data: whoever stores it can continue with it. */
export interface DigestParts {
  /** Made at first use: most sets stay small. */
  readonly segments: (Segment | undefined)[];
  /** Drawn at random: nobody who chooses the values knows which fall into one place. */
  readonly secret: Uint32Array;
}

function newParts(): DigestParts {
  return { segments: [], secret: crypto.getRandomValues(new Uint32Array(4)).map((word) => word | 1) };
}

/** This many parts, each growing by itself: no moment at which the whole set is there twice. */
const SEGMENTS = 64;
const FIRST_PLACES = 16;

/**
 * A set of values of 128 or 64 bits in flat arrays: some twenty-five bytes a value of 128 bits instead of the hundred that
 * a Set of strings takes, so that reuse is noticed over millions of records in bounded memory. Values are random or hashed;
 * two different ones that agree in 128 bits do not occur.
 */
export class DigestSet {
  /** Words of 32 bits that a value takes. */
  readonly #width: 2 | 4;
  /** The value in hand: spares an array for each. */
  readonly #value: Uint32Array;
  readonly parts: DigestParts;

  /**
   * @param bits 64 only where it does not matter much if, once in a billion records, two values are taken for one
   * @param parts of a set of as many bits that is continued: they belong to this one from here on
   */
  constructor(bits: 64 | 128 = 128, parts: DigestParts = newParts()) {
    this.#width = bits === 64 ? 2 : 4;
    this.#value = new Uint32Array(this.#width);
    this.parts = parts;
  }

  /**
   * @param bytes at least 16, or 8; the first count
   * @returns whether the value was new
   */
  add(bytes: Uint8Array): boolean {
    const value = this.#value;
    for (let i = 0; i < this.#width; i++) value[i] = word(bytes, 4 * i);
    // All zero marks an empty place: a value that is zero is moved aside.
    value[0] ||= 1;
    const mixed = mix(value, 0, this.#width, this.parts.secret);
    const segment = this.#segment(mixed % SEGMENTS);
    const added = insert(segment.words, value, 0, this.#width, mixed);
    // At most four fifths full, that a free place is never far.
    if (added && ++segment.size * this.#width * 5 > segment.words.length * 4) this.#grow(segment);
    return added;
  }

  #segment(index: number): Segment {
    const known = this.parts.segments[index];
    if (known !== undefined) return known;
    const segment = { words: new Uint32Array(this.#width * FIRST_PLACES), size: 0 };
    this.parts.segments[index] = segment;
    return segment;
  }

  #grow(segment: Segment): void {
    const old = segment.words;
    const width = this.#width;
    segment.words = new Uint32Array(width * Math.ceil((old.length / width) * 1.5));
    for (let at = 0; at < old.length; at += width) {
      if (old[at] !== 0) insert(segment.words, old, at, width, mix(old, at, width, this.parts.secret));
    }
  }
}

/** 32 bits of a value that nobody foretells without the secret: each step is one-to-one, and the secret is in all of them. */
function mix(values: Uint32Array, from: number, width: number, secret: Uint32Array): number {
  let mixed = secret[3] as number;
  for (let i = 0; i < width; i++) {
    mixed = Math.imul(mixed ^ (values[from + i] as number), secret[i % 3] as number);
    mixed ^= mixed >>> 15;
  }
  return Math.imul(mixed, secret[2] as number) >>> 0;
}

/** Puts the value at `from` of `values` into `words`; false where it is there already. */
function insert(words: Uint32Array, values: Uint32Array, from: number, width: number, mixed: number): boolean {
  const places = words.length / width;
  let place = Math.floor((mixed / 2 ** 32) * places);
  for (; ; place = place + 1 === places ? 0 : place + 1) {
    const at = place * width;
    const isFree = words[at] === 0;
    let same = true;
    for (let i = 0; i < width && same; i++) {
      if (isFree) words[at + i] = values[from + i] as number;
      else same = words[at + i] === values[from + i];
    }
    if (isFree) return true;
    if (same) return false;
  }
}
