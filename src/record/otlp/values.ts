import type { Json } from '../../protocol/records.ts';

/** An integer as JSON can hold it exactly: as a text where a double cannot. */
export function integerValue(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** A double as JSON can hold it: NaN and the infinities as texts. */
export function doubleValue(value: number): Json {
  if (!Number.isFinite(value)) return String(value);
  // JSON.stringify writes -0 as 0.
  return value === 0 ? 0 : value;
}

/** Bytes in base64 (RFC 4648 section 4). */
export function bytesValue(value: Uint8Array): Json {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}
