import { hash } from 'node:crypto';

/**
 * A UUID that follows from names, in the form of version 4 (RFC 9562 section 5.4), which is the one that the service takes: the same
 * names always make the same one.
 */
export function uuidOf(...names: readonly string[]): string {
  const bytes = hash('sha256', JSON.stringify(names), 'buffer').subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
