import { ByteReader, ByteWriter } from './byte-writer.ts';

/** Few different numbers, many times: which there are, and for each place which of them. */
export interface Coded {
  readonly known: ArrayLike<number>;
  readonly indexes: ArrayLike<number>;
}

/** Lists one after the other. */
export interface Lists {
  /** Where the list of each record begins, and at the end where the last one ends. */
  readonly starts: ArrayLike<number>;
  readonly values: Coded;
}

export function float64Bytes(values: ArrayLike<number>): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}

export function float64Values(bytes: Uint8Array): Float64Array {
  // Numbers stand at any place in the bytes, and views of them only at multiples of 8.
  const { buffer, byteOffset, length } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  return new Float64Array(buffer, byteOffset, length / 8);
}

/** Numbers the values of a column in the order in which they come. */
export class Coder {
  readonly #known = new Map<number, number>();

  /** @returns which of the values it is */
  index(value: number): number {
    let index = this.#known.get(value);
    if (index === undefined) {
      index = this.#known.size;
      this.#known.set(value, index);
    }
    return index;
  }

  get known(): number[] {
    return [...this.#known.keys()];
  }
}

export function coded(values: ArrayLike<number>): Coded {
  const coder = new Coder();
  const indexes = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) indexes[i] = coder.index(values[i] ?? 0);
  return { known: coder.known, indexes };
}

export function plain({ known, indexes }: Coded): Float64Array {
  const values = new Float64Array(indexes.length);
  for (let i = 0; i < values.length; i++) values[i] = known[indexes[i] ?? 0] ?? 0;
  return values;
}

export function encodeCoded({ known, indexes }: Coded): Uint8Array {
  const out = new ByteWriter(indexes.length * 2 + known.length * 8 + 16);
  out.varint(known.length);
  out.raw(float64Bytes(known));
  for (let i = 0; i < indexes.length; i++) out.varint(indexes[i] ?? 0);
  return out.copy();
}

/** Numbers below 128 are written as one byte each. */
const ONE_BYTE = 128;

/** Varints of up to 32 bits, one after the other: a column has as many as there are records, so nothing is called for one. */
function varintsFrom(reader: ByteReader, count: number): Uint32Array {
  const { bytes } = reader;
  const values = new Uint32Array(count);
  let { at } = reader;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    values[i] = value;
  }
  reader.at = at;
  return values;
}

/** As it is read. */
export interface ReadCoded extends Coded {
  readonly known: Float64Array;
}

export function decodeCoded(bytes: Uint8Array, count: number): ReadCoded {
  const reader = new ByteReader(bytes);
  const size = reader.varint();
  // A copy, which does not keep the bytes of the whole column in memory.
  const known = float64Values(new Uint8Array(bytes.subarray(reader.at, reader.at + size * 8)));
  reader.at += size * 8;
  // Of few values the bytes are the indexes.
  const indexes = size <= ONE_BYTE ? bytes.subarray(reader.at, reader.at + count) : varintsFrom(reader, count);
  return { known, indexes };
}

export function encodeList({ starts, values }: Lists): Uint8Array {
  const out = new ByteWriter(starts.length + values.indexes.length);
  for (let i = 1; i < starts.length; i++) out.varint((starts[i] ?? 0) - (starts[i - 1] ?? 0));
  out.raw(encodeCoded(values));
  return out.copy();
}

export function decodeList(bytes: Uint8Array, count: number): Lists {
  const reader = new ByteReader(bytes);
  const starts = new Uint32Array(count + 1);
  starts.set(varintsFrom(reader, count), 1);
  for (let i = 0; i < count; i++) starts[i + 1] = (starts[i + 1] ?? 0) + (starts[i] ?? 0);
  return { starts, values: decodeCoded(bytes.subarray(reader.at), starts[count] ?? 0) };
}
