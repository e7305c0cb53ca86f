/** The share of its places that may be taken. */
const FULLEST = 0.75;
const LEAST_PLACES = 1024;

/**
 * Where events may be, by their names: a hash table outside of the heap, of eight bytes a place. It may name places where something else is
 * by now, which whoever asks has to look at, and knows every event that was put in.
 */
export class EventPlaces {
  /** Four bytes of the name. */
  readonly #marks: Uint32Array;
  /** The distance from `#before`; 0 where nothing is. */
  readonly #seqs: Uint32Array;
  readonly #mask: number;
  readonly #before: number;
  #used = 0;

  /**
   * @param events how many will be put in at first; there is room for as many more
   * @param before smaller than every place, by less than 2^32
   */
  constructor(events: number, before: number) {
    let places = LEAST_PLACES;
    while (places * FULLEST < 2 * events) places *= 2;
    this.#marks = new Uint32Array(places);
    this.#seqs = new Uint32Array(places);
    this.#mask = places - 1;
    this.#before = before;
  }

  get isFull(): boolean {
    return this.#used >= this.#marks.length * FULLEST;
  }

  /** @param name at least eight bytes of a digest */
  add(name: Buffer, seq: number): void {
    let at = name.readUInt32LE(4) & this.#mask;
    while (this.#seqs[at] !== 0) at = (at + 1) & this.#mask;
    this.#marks[at] = name.readUInt32LE(0);
    this.#seqs[at] = seq - this.#before;
    this.#used++;
  }

  /** The places at which the event may be. */
  *of(name: Buffer): Generator<number> {
    const mark = name.readUInt32LE(0);
    let at = name.readUInt32LE(4) & this.#mask;
    for (let seq = this.#seqs[at] ?? 0; seq !== 0; seq = this.#seqs[at] ?? 0) {
      if (this.#marks[at] === mark) yield this.#before + seq;
      at = (at + 1) & this.#mask;
    }
  }
}
