import { canonicalBytes, canonicalize, type Json } from '../canonical.ts';
import { type Sha256, sha256 } from '../digest.ts';
import { base64UrlBytes, fromBase64Url, toBase64Url } from '../encoding.ts';
import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';

/** A member of a salted payload as it is shown: `[salt, name, value]` (protocol §3, RFC 9901 §4.2.1). */
export type Disclosure = readonly [salt: string, name: string, value: Json];

/** A JSON object. */
export type JsonObject = { readonly [member: string]: Json };

/** A payload that holds salted digests in place of its members (protocol §3). */
export interface SaltedPayload {
  readonly profile?: string;
  /** Base64url, in ascending order. */
  readonly _sd: readonly string[];
}

/** The most members of a salted payload. */
export const MAX_DISCLOSURES = 256;

/** How many random bytes an agent puts into each salt. */
export const SALT_BYTES = 16;

const DIGEST = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const RESERVED = ['_sd', 'profile', '...'];
const salt = /^[A-Za-z0-9_-]{22,86}$/;
const isProfile = shape.text(1, 128);
const isName = shape.text(1, 256);

/** Whether each stands before the next, by UTF-16 code units; so none stands twice. */
function ascend(texts: readonly string[]): boolean {
  return texts.every((text, index) => index === 0 || (texts[index - 1] as string) < text);
}

/** Whether a payload is salted in form; any other is plain (protocol §3). */
export function isSalted(payload: unknown): payload is SaltedPayload {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return false;
  const { _sd: digests, profile, ...others } = payload as { readonly [member: string]: unknown };
  for (const _ in others) return false;
  if (!Array.isArray(digests) || digests.length < 1 || digests.length > MAX_DISCLOSURES) return false;
  if (Object.hasOwn(payload, 'profile') && isProfile(profile) !== null) return false;
  return digests.every((digest) => typeof digest === 'string' && DIGEST.test(digest)) && ascend(digests);
}

function isSalt(value: unknown): boolean {
  if (typeof value !== 'string' || !salt.test(value)) return false;
  try {
    fromBase64Url(value, Math.floor((value.length * 3) / 4));
    return true;
  } catch {
    // A length that no bytes have, or trailing bits.
    return false;
  }
}

function refuse(path: string, message: string): never {
  throw new ProtocolError('SHAPE_INVALID', `${path}: ${message}`, path);
}

/**
 * Checks the shape of disclosures; whose they are is another matter.
 * @returns the same array, now typed
 * @throws ProtocolError SHAPE_INVALID
 */
export function parseDisclosures(value: unknown): readonly Disclosure[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_DISCLOSURES) {
    return refuse('disclosures', `expected an array of 1 to ${MAX_DISCLOSURES} disclosures`);
  }
  for (const [index, disclosure] of value.entries()) {
    const path = `disclosures[${index}]`;
    if (!Array.isArray(disclosure) || disclosure.length !== 3) refuse(path, 'expected [salt, name, value]');
    if (!isSalt(disclosure[0])) refuse(`${path}[0]`, 'expected a salt: 16 to 64 bytes in unpadded base64url');
    const wrong = isName(disclosure[1]);
    if (wrong !== null) refuse(`${path}[1]`, `expected a name: ${wrong}`);
    if (RESERVED.includes(disclosure[1])) refuse(`${path}[1]`, `"${disclosure[1]}" is not the name of a member`);
  }
  return value as unknown as readonly Disclosure[];
}

/**
 * The digest of a disclosure (protocol §3; RFC 9901 §4.2.3 over the canonical form of RFC 8785).
 * @returns base64url, as `_sd` holds it
 * @throws ProtocolError NOT_CANONICAL
 */
export function disclosureDigest(disclosure: Disclosure, hash: Sha256 = sha256): string {
  return toBase64Url(hash(base64UrlBytes(canonicalBytes(disclosure))));
}

/** What becomes of a record's disclosures next to its payload. */
export interface FittedDisclosures {
  /** Of each disclosure, as they stand; base64url. */
  readonly digests: readonly string[];
  /** Whether the payload is salted and each disclosure one of its members, none of them there twice. */
  readonly fit: boolean;
}

/** @throws ProtocolError NOT_CANONICAL */
export function fitDisclosures(
  payload: unknown,
  disclosures: readonly Disclosure[],
  hash: Sha256 = sha256,
): FittedDisclosures {
  const digests = disclosures.map((disclosure) => disclosureDigest(disclosure, hash));
  if (disclosures.length === 0) return { digests, fit: true };
  const known = new Set(isSalted(payload) ? payload._sd : []);
  const names = new Set(disclosures.map(([, name]) => name));
  const each = digests.every((digest) => known.delete(digest));
  return { digests, fit: each && names.size === disclosures.length };
}

/** Whether digests stand in the order of a bundle's disclosures (protocol §8). */
export const inBundleOrder = ascend;

/** The same disclosures in ascending order of their digests, as a bundle and the ledger hold them. */
export function orderDisclosures(
  disclosures: readonly Disclosure[],
  digests: readonly string[],
): readonly Disclosure[] {
  const order = new Map(disclosures.map((disclosure, index) => [disclosure, digests[index] as string]));
  return disclosures.toSorted((a, b) => ((order.get(a) as string) < (order.get(b) as string) ? -1 : 1));
}

/** The digests of a salted payload that no disclosure has: its withheld members. 0 of a plain payload. */
export function countWithheld(payload: unknown, digests: readonly string[]): number {
  if (!isSalted(payload)) return 0;
  const shown = new Set(digests);
  return payload._sd.filter((digest) => !shown.has(digest)).length;
}

/** What a reader sees as the payload: a plain one as it is, of a salted one `profile` and the members that are disclosed. */
export function shownPayload(payload: JsonObject, disclosures: readonly Disclosure[] = []): JsonObject {
  if (!isSalted(payload)) return payload;
  const profile = payload.profile === undefined ? [] : [['profile', payload.profile] as const];
  const members = disclosures.map(([, name, value]) => [name, value] as const);
  // Not by assignment: a member may be called __proto__.
  return Object.fromEntries([...profile, ...members.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** A payload as an agent submits it, with what stands next to it. */
export interface Salted {
  readonly payload: SaltedPayload & JsonObject;
  readonly disclosures: readonly Disclosure[];
}

/**
 * Puts salted digests in the place of a payload's members; `profile` stays readable.
 * @param drawSalt gives SALT_BYTES fresh random bytes, called once for each member
 * @returns null where the payload has no form as a salted one: no member or too many, a name that is reserved or too long
 * @throws ProtocolError NOT_CANONICAL
 */
export function saltPayload(payload: JsonObject, drawSalt: () => Uint8Array, hash: Sha256 = sha256): Salted | null {
  const { profile, ...members } = payload;
  if (profile !== undefined && isProfile(profile) !== null) return null;
  const names = Object.keys(members);
  if (names.length < 1 || names.length > MAX_DISCLOSURES) return null;
  if (names.some((name) => RESERVED.includes(name) || isName(name) !== null)) return null;
  const drawn = names.map((name): Disclosure => [toBase64Url(drawSalt()), name, members[name] as Json]);
  const digests = drawn.map((disclosure) => disclosureDigest(disclosure, hash));
  const disclosures = orderDisclosures(drawn, digests);
  const skeleton = { ...(profile === undefined ? {} : { profile: profile as string }), _sd: digests.toSorted() };
  return { payload: skeleton, disclosures };
}

/** Disclosures as they are stored: canonical JSON of the array. @throws ProtocolError NOT_CANONICAL */
export function disclosuresText(disclosures: readonly Disclosure[]): string {
  return canonicalize(disclosures);
}
