/** Big-endian 32 bits. */
function word(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** A part of the set: places of four words in one flat array. */
interface Segment {
  words: Uint32Array;
  size: number;
}

/** So many parts, each growing by itself: no moment at which the whole set is there twice. */
const SEGMENTS = 64;
const FIRST_PLACES = 16;

/**
 * A set of 128-bit values in flat arrays: some twenty-five bytes a value instead of the hundred that a Set of strings
 * takes, so that reuse is noticed over millions of records in bounded memory. Values are random or hashed; two different
 * ones that agree in 128 bits do not occur.
 */
export class DigestSet {
  readonly #segments: Segment[] = Array.from({ length: SEGMENTS }, () => ({
    words: new Uint32Array(4 * FIRST_PLACES),
    size: 0,
  }));

  /**
   * @param bytes at least 16; the first 16 count
   * @returns whether the value was new
   */
  add(bytes: Uint8Array): boolean {
    // All zero marks an empty place: a value that is zero is moved aside.
    const first = word(bytes, 0) || 1;
    const last = word(bytes, 12);
    const segment = this.#segments[last % SEGMENTS] as Segment;
    const added = insert(segment.words, first, word(bytes, 4), word(bytes, 8), last);
    // At most four fifths full, that a free place is never far.
    if (added && ++segment.size * 5 > segment.words.length) grow(segment);
    return added;
  }
}

function insert(words: Uint32Array, a: number, b: number, c: number, d: number): boolean {
  const places = words.length / 4;
  // The value is as good as random already; a sender who picks colliding places only slows down his own check.
  for (let place = Math.floor((a / 2 ** 32) * places); ; place = place + 1 === places ? 0 : place + 1) {
    const at = place * 4;
    if (words[at] === 0) {
      words[at] = a;
      words[at + 1] = b;
      words[at + 2] = c;
      words[at + 3] = d;
      return true;
    }
    if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return false;
  }
}

function grow(segment: Segment): void {
  const old = segment.words;
  segment.words = new Uint32Array(4 * Math.ceil((old.length / 4) * 1.5));
  for (let at = 0; at < old.length; at += 4) {
    if (old[at] !== 0) {
      insert(segment.words, old[at] as number, old[at + 1] as number, old[at + 2] as number, old[at + 3] as number);
    }
  }
}
