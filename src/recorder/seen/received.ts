import { createHash, type Hash } from 'node:crypto';
import { JsonCondenser } from './json-condenser.ts';
import type { LeftOut } from './left-out.ts';

/** What came in, of any length. */
export interface Received {
  /** All of it, or of what is longer than may be kept a shorter JSON text of the same form; null where what came cannot be read as such. */
  readonly json: Buffer | null;
  readonly isWhole: boolean;
  /** Whether it ended before it was whole, so that the JSON text lacks its end, and was closed where that came. */
  readonly isCutOff: boolean;
  /** What the shorter text lacks. */
  readonly leftOut: readonly LeftOut[];
  /** Bytes that came in, and their SHA-256 in hex. */
  readonly size: number;
  readonly sha256: string;
}

/** What is known of bytes that are all there. */
export function received(bytes: Uint8Array): Received {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    json,
    isWhole: true,
    isCutOff: false,
    leftOut: [],
    size: json.length,
    sha256: createHash('sha256').update(json).digest('hex'),
  };
}

/** What a JSON text has that is kept whole and lacks its end; null for anything else. */
export function closed({ json, size, sha256 }: Received): Received | null {
  const condenser = new JsonCondenser();
  if (json !== null) condenser.push(json);
  const shorter = condenser.endCutOff();
  return shorter && { ...shortened(shorter), isCutOff: true, size, sha256 };
}

function shortened({ json, leftOut }: Shorter): Pick<Received, 'json' | 'isWhole' | 'leftOut'> {
  return { json: Buffer.from(json), isWhole: false, leftOut };
}

/** Pieces up to this size are put together, in bytes: each by itself would take more memory than its bytes. */
const SMALL = 4_096;
const GATHERED = 65_536;

interface Shorter {
  readonly json: string;
  readonly leftOut: readonly LeftOut[];
}

/** Makes what comes in pieces a shorter JSON text, with bounded memory. */
export interface Condenser {
  push(bytes: Buffer): void;
  /** Whether what came is whole, as far as that can be told before the end. */
  readonly hasEnded: boolean;
  /** @returns null for what is not of the form that it takes */
  end(): Shorter | null;
  /** The same of what may lack its end. */
  endCutOff?(): Shorter | null;
}

export type NewCondenser = () => Condenser;

export const condenseJson: NewCondenser = () => new JsonCondenser();

/** Takes JSON, or what a condenser takes, in pieces, and keeps it whole up to a limit; what is longer is made shorter while it comes, with bounded memory. */
export class Receiving {
  readonly #limit: number;
  #kept: Buffer[] = [];
  /** The last of what is kept, which has room for more: how much of it is filled. */
  #filled: number | null = null;
  readonly #hash: Hash = createHash('sha256');
  readonly #newCondenser: NewCondenser;
  #condenser: Condenser | null = null;
  size = 0;

  /** @param limit bytes that are kept whole */
  constructor(limit: number, newCondenser = condenseJson) {
    this.#limit = limit;
    this.#newCondenser = newCondenser;
  }

  get isLong(): boolean {
    return this.#condenser !== null;
  }

  /** Whether what came so far is a whole JSON text. */
  get isComplete(): boolean {
    if (this.#condenser !== null) return this.#condenser.hasEnded;
    const condenser = this.#newCondenser();
    for (const kept of this.#pieces()) condenser.push(kept);
    return condenser.hasEnded;
  }

  data(bytes: Buffer): void {
    this.size += bytes.length;
    this.#hash.update(bytes);
    if (this.#condenser === null && this.size <= this.#limit) {
      this.#keep(bytes);
      return;
    }
    if (this.#condenser === null) {
      this.#condenser = this.#newCondenser();
      for (const kept of this.#pieces()) this.#condenser.push(kept);
      this.#kept = [];
      this.#filled = null;
    }
    this.#condenser.push(bytes);
  }

  #keep(bytes: Buffer): void {
    const [last, filled] = [this.#kept.at(-1), this.#filled];
    if (bytes.length > SMALL || this.#kept.length === 0) {
      if (last !== undefined && filled !== null) this.#kept[this.#kept.length - 1] = last.subarray(0, filled);
      this.#filled = null;
      this.#kept.push(bytes);
    } else if (last !== undefined && filled !== null && filled + bytes.length <= last.length) {
      last.set(bytes, filled);
      this.#filled = filled + bytes.length;
    } else {
      if (last !== undefined && filled !== null) this.#kept[this.#kept.length - 1] = last.subarray(0, filled);
      const room = Buffer.allocUnsafe(GATHERED);
      room.set(bytes);
      this.#kept.push(room);
      this.#filled = bytes.length;
    }
  }

  #pieces(): Buffer[] {
    const last = this.#kept.at(-1);
    if (last === undefined || this.#filled === null) return this.#kept;
    return [...this.#kept.slice(0, -1), last.subarray(0, this.#filled)];
  }

  /**
   * To be asked once, at the end.
   * @param mayBeCutOff whether JSON that ends too early is kept as far as it got
   */
  end(mayBeCutOff = false): Received {
    const kept = this.#pieces();
    const [first] = kept;
    const whole = kept.length === 1 && first !== undefined ? first : Buffer.concat(kept);
    const known = { size: this.size, sha256: this.#hash.digest('hex') };
    if (this.#condenser === null) return { json: whole, isWhole: true, isCutOff: false, leftOut: [], ...known };
    const shorter = this.#condenser.end();
    if (shorter !== null) return { ...shortened(shorter), isCutOff: false, ...known };
    const cut = (mayBeCutOff && this.#condenser.endCutOff?.()) || null;
    if (cut !== null) return { ...shortened(cut), isCutOff: true, ...known };
    return { json: null, isWhole: false, isCutOff: false, leftOut: [], ...known };
  }
}
