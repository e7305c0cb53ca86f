import { hash } from 'node:crypto';

/** SHA-256 of bytes or of a text's UTF-8, 64 lowercase hex digits. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}

/**
 * A well-formed text of at most `max` Unicode characters. A longer one is cut between characters, and ends with the digest of the
 * whole: two long texts that begin alike stay different.
 * @param max at least 80
 */
export function cutText(text: string, max: number): string {
  const wellFormed = text.toWellFormed();
  // Each character is one or two units long: most texts need no counting.
  if (wellFormed.length <= max) return wellFormed;
  const head = headOf(wellFormed, max);
  if (head.length === wellFormed.length) return wellFormed;
  const digest = `…sha256:${sha256Hex(wellFormed)}`;
  return headOf(head, max - digest.length) + digest;
}

/**
 * A name; undefined for an absent or empty text. It may have any length: it is cut once the secrets are out, as of a secret that is cut
 * nobody would know that it is one.
 */
export function nameOf(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text.toWellFormed();
}

/** The first `max` Unicode characters. */
function headOf(text: string, max: number): string {
  let units = 0;
  for (let characters = 0; characters < max && units < text.length; characters++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, units);
}
