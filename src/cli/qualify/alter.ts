import { formatTime, fromBase64Url, parseTime, toBase64Url } from '../../protocol/index.ts';

/** Another digest, by its last digit. */
export function otherDigest(digest: string): string {
  return `${digest.slice(0, -1)}${digest.endsWith('0') ? '1' : '0'}`;
}

/** A signature with one bit inverted; bits count from the least significant of the first byte. */
export function flippedSignature(signature: string, bit: number): string {
  const bytes = Uint8Array.from(fromBase64Url(signature, 64));
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return toBase64Url(bytes);
}

/** A time this many milliseconds later, as the service writes it. */
export function later(time: string, milliseconds: number): string {
  return formatTime(parseTime(time) + milliseconds);
}

/** Another text: its last character exchanged, so that it keeps the shape and the length of an identifier. */
export function otherText(text: string): string {
  return `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`;
}

/** Another UUID of the same version. */
export function otherUuid(uuid: string): string {
  return `${uuid.slice(0, -1)}${uuid.endsWith('0') ? '1' : '0'}`;
}
