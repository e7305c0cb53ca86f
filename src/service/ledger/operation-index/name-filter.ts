/** Segments in one slab: of each one bit in every word. */
const ABREAST = 32;

/** Bits that a segment has, 16 for each of its names, and of these the ones that a name sets. */
const BITS = 2 ** 21;
const PROBES = 6;

const HALF = 0x100_0000;

const NONE: readonly number[] = [];

/**
 * Which segments of the index may have a name, in memory: a Bloom filter for each of them (B. H. Bloom, Space/time
 * trade-offs in hash coding with allowable errors, 1970), side by side, so that a look at a few words answers for 32 of
 * them at once. A segment that has the name is always among those it gives; of others one in a thousand is too.
 *
 * The words are shared between the service's thread, which asks, and the index's, which adds. Bits are only ever set.
 * While a slab's first word is not zero, its segments of those bits have names that were not added: they may have any.
 */
export class NameFilter {
  #slabs: Uint32Array<SharedArrayBuffer>[] = [];

  /** What another thread shares this filter by. */
  get buffers(): readonly SharedArrayBuffer[] {
    return this.#slabs.map(({ buffer }) => buffer);
  }

  /** Becomes the filter that another thread has. */
  share(buffers: readonly SharedArrayBuffer[]): void {
    this.#slabs = buffers.map((buffer) => new Uint32Array(buffer));
  }

  /**
   * Makes room for segments.
   * @param count how many there are
   * @param empty whether those that there was no room for have no names yet; where they have, load them all and settle
   */
  cover(count: number, empty: boolean): void {
    while (this.#slabs.length * ABREAST < count) {
      const slab = new Uint32Array(new SharedArrayBuffer((1 + BITS) * Uint32Array.BYTES_PER_ELEMENT));
      slab[0] = empty ? 0 : 0xffff_ffff;
      this.#slabs.push(slab);
    }
  }

  /** Whether there is room for a segment. */
  covers(segment: number): boolean {
    return segment >= 0 && segment < this.#slabs.length * ABREAST;
  }

  /** Whether all names of all segments were added. */
  get isSettled(): boolean {
    return this.#slabs.every((slab) => Atomics.load(slab, 0) === 0);
  }

  /** Says that they were: whoever sees this in another thread sees all their bits, too. */
  settle(): void {
    for (const slab of this.#slabs) Atomics.store(slab, 0, 0);
  }

  #slab(segment: number): Uint32Array<SharedArrayBuffer> {
    const slab = this.#slabs[Math.floor(segment / ABREAST)];
    // A name that is not in here would be used twice.
    if (slab === undefined) throw new RangeError(`the filter of names has no room for segment ${segment}`);
    return slab;
  }

  /** @param key the key of a name (record-keys.ts) */
  add(segment: number, key: number): void {
    const slab = this.#slab(segment);
    const bit = 1 << (segment % ABREAST);
    for (let probe = 0; probe < PROBES; probe++) set(slab, wordOf(key, probe), bit);
  }

  /** The segments that may have a name with this key. */
  segmentsOf(key: number): readonly number[] {
    let found: number[] | null = null;
    for (const [index, slab] of this.#slabs.entries()) {
      for (let mask = maskOf(slab, key); mask !== 0; ) {
        const place = 31 - Math.clz32(mask);
        mask &= ~(1 << place);
        found ??= [];
        found.push(index * ABREAST + place);
      }
    }
    return found ?? NONE;
  }

  /** Whether a segment may have a name with this key. */
  mayHave(segment: number, key: number): boolean {
    return (maskOf(this.#slab(segment), key) & (1 << (segment % ABREAST))) !== 0;
  }

  /** The bits of one segment, to be stored. */
  bitsOf(segment: number): Buffer {
    const slab = this.#slab(segment);
    const bit = 1 << (segment % ABREAST);
    const bits = Buffer.alloc(BITS / 8);
    for (let at = 0; at < BITS; at++) {
      if (((slab[1 + at] ?? 0) & bit) !== 0) bits[at >>> 3] = (bits[at >>> 3] ?? 0) | (1 << (at & 7));
    }
    return bits;
  }

  /** Loads the stored bits of a segment. */
  load(segment: number, bits: Uint8Array): void {
    const slab = this.#slab(segment);
    const bit = 1 << (segment % ABREAST);
    for (const [index, byte] of bits.entries()) {
      for (let rest = byte; rest !== 0; rest &= rest - 1)
        set(slab, 1 + index * 8 + (31 - Math.clz32(rest & -rest)), bit);
    }
  }
}

function set(slab: Uint32Array, word: number, bit: number): void {
  slab[word] = (slab[word] ?? 0) | bit;
}

/** The words of a slab that a name's bits are in: double hashing with the halves of its key, which is a digest. */
function wordOf(key: number, probe: number): number {
  return 1 + (((key % HALF) + probe * (Math.floor(key / HALF) | 1)) % BITS);
}

/** A bit for each segment of a slab that may have the name. */
function maskOf(slab: Uint32Array<SharedArrayBuffer>, key: number): number {
  // Asked for before the bits: see settle.
  const unsettled = Atomics.load(slab, 0);
  let mask = -1;
  for (let probe = 0; probe < PROBES && mask !== 0; probe++) mask &= slab[wordOf(key, probe)] ?? 0;
  return mask | unsettled;
}
