import { randomBytes } from 'node:crypto';
import { contentDigest } from '../../actions/profile/light.ts';
import { nodeCrypto } from '../../node/light.ts';
import { canonicalBytes, type ExactJson, type Json, SALT_BYTES, withTexts } from '../../protocol/light.ts';

/** What of inputs and outputs goes into the records: everything, the inputs, or digests alone. */
export type Capture = 'full' | 'input' | 'digest';

/** A content of the profile (docs/agent-actions.md, Content). */
export type Content = { readonly [member: string]: Json };

/** A longer value is cut, and its digest tells the whole of it, as the profile advises. */
export const MAX_CONTENT_BYTES = 65_536;

/** What all contents of what was told in one record may have together: a payload has at most 262,144 bytes. */
export const MAX_TOLD_BYTES = 160_000;

/** A salt for the contents of one action. */
export function drawSalt(): string {
  return randomBytes(SALT_BYTES).toString('base64url');
}

export function digestOf(salt: string, value: ExactJson): string {
  return contentDigest(salt, withTexts(value).value, nodeCrypto.sha256);
}

/** The most marks that the profile takes, and their longest pointer. */
const MOST_MARKS = 256;
const LONGEST_POINTER = 1024;

/** The contents of one record, and which numbers in them are texts because a double does not keep them. */
export class Contents {
  readonly capture: Capture;
  readonly #numbers: string[] = [];

  constructor(capture: Capture) {
    this.capture = capture;
  }

  /** @param at its place in the payload, as a JSON Pointer; all else as contentOf has it */
  of(at: string, value: ExactJson, salt: string, shown: boolean, maxBytes?: number): Content {
    const { value: texts, places } = withTexts(value);
    const content = contentOf(texts, salt, shown, maxBytes);
    const isWhole = content['value'] !== undefined && content['truncated'] === undefined;
    const all = isWhole ? places.map((place) => `${at}/value${place}`) : [];
    if (all.length === 0 && places.length > 0) all.push(at);
    this.#numbers.push(...all.map((place) => (place.length <= LONGEST_POINTER ? place : at)));
    return content;
  }

  /** `redactions` of the payload: JSON Pointers to those texts or, where they are too many, to the members that hold them. */
  get redactions(): Json[] {
    const isMany = this.#numbers.length > MOST_MARKS;
    const places = new Set(isMany ? this.#numbers.map((at) => `/${at.split('/')[1]}`) : this.#numbers);
    return [...places].map((at) => ({ at, type: 'number' }));
  }
}

/**
 * A value as the profile states it, with its salt.
 * @param shown false for the digest alone
 * @param maxBytes the canonical form of a longer value is cut; of what is no text, the JSON text is what remains
 */
export function contentOf(value: Json, salt: string, shown = true, maxBytes = MAX_CONTENT_BYTES): Content {
  const { length: bytes } = canonicalBytes(value);
  if (!shown) return { salt, digest: digestOf(salt, value), bytes };
  if (bytes <= maxBytes) return { salt, value };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { salt, value: cutTo(text, maxBytes), digest: digestOf(salt, value), bytes, truncated: true };
}

/** The beginning of a text, cut so that its canonical form has at most this many bytes. */
function cutTo(text: string, maxBytes: number): string {
  let part = text.slice(0, maxBytes);
  for (;;) {
    part = part.toWellFormed();
    const { length } = canonicalBytes(part);
    if (length <= maxBytes) return part;
    part = part.slice(0, Math.floor((part.length * maxBytes) / length) - 1);
  }
}
