import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8192;
let pool = new Uint8Array(0);
let used = 0;

/**
 * Random bytes for nonces and salts, which are no secrets for long: many are drawn at once, as one by one they take longer than hashing
 * what they are for. No byte is given out twice.
 */
export function drawnBytes(length: number): Uint8Array {
  if (used + length > pool.length) {
    pool = randomFillSync(new Uint8Array(Math.max(POOL_BYTES, length)));
    used = 0;
  }
  used += length;
  return pool.subarray(used - length, used);
}
