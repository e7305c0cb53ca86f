import { type ExactJson, ExactNumber, isExact } from '../../protocol/light.ts';

/** A number by its digits; NaN and the infinities as well. */
export function numberValue(text: string): ExactJson {
  // JSON.stringify writes -0 as 0.
  return isExact(text) ? Number(text) + 0 : new ExactNumber(text);
}

/** Bytes in base64 (RFC 4648 section 4). */
export function bytesValue(value: Uint8Array): ExactJson {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}
