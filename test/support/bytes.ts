/** Bytes of a hexadecimal text of any length; for test data only. */
export function hexBytes(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A copy with one bit inverted; bits count from the least significant of the first byte. */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

/** Little-endian integer of so many bytes (RFC 8032 §5.1.2). */
export function littleEndian(value: bigint, length = 32): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => Number((value >> BigInt(8 * index)) & 255n));
}

export function fromLittleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** An element that must be there: what a test takes for granted, it says. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list.at(index);
  if (item === undefined) throw new RangeError(`there is no element ${index} of ${list.length}`);
  return item;
}
