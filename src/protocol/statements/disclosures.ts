import { canonicalBytes, canonicalize, type Json } from '../canonical.ts';
import { type Sha256, sha256 } from '../digest.ts';
import { base64UrlBytes, fromBase64Url, toBase64Url } from '../encoding.ts';
import { ProtocolError, unlessRefused } from '../protocol-error.ts';
import * as shape from '../shape.ts';

/** A member of a salted payload as it is shown: `[salt, value]` (protocol F41, RFC 9901 §4.2.2). */
export type Disclosure = readonly [salt: string, value: Json];

/** The members of a salted payload that are shown, each under its name. */
export type Disclosures = { readonly [name: string]: Disclosure };

/** A JSON object. */
export type JsonObject = { readonly [member: string]: Json };

/** A payload that holds salted digests in place of its members (protocol F40). */
export interface SaltedPayload {
  readonly profile?: string;
  /** The digest of each member under its name; base64url. */
  readonly _sd: { readonly [name: string]: string };
}

/** The most members of a salted payload. */
export const MAX_DISCLOSURES = 256;

/** How many random bytes an agent puts into each salt. */
export const SALT_BYTES = 16;

const DIGEST = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
/** Names that a salted payload has for itself. */
const RESERVED = ['_sd', 'profile'];
const salt = /^[A-Za-z0-9_-]{22,86}$/;
const isProfile = shape.text(1, 128);
const isText = shape.text(1, 256);
const isName = (name: string): boolean => !RESERVED.includes(name) && isText(name) === null;

/** Whether a payload is salted in form; any other is plain (protocol F40). */
export function isSalted(payload: unknown): payload is SaltedPayload {
  if (shape.object(payload) !== null || !Object.hasOwn(payload as object, '_sd')) return false;
  const { _sd: digests, profile, ...others } = payload as { readonly [member: string]: unknown };
  for (const _ in others) return false;
  if (shape.object(digests) !== null) return false;
  if (Object.hasOwn(payload as object, 'profile') && isProfile(profile) !== null) return false;
  const members = Object.entries(digests as object);
  if (members.length < 1 || members.length > MAX_DISCLOSURES) return false;
  return members.every(([name, digest]) => typeof digest === 'string' && DIGEST.test(digest) && isName(name));
}

function isSalt(value: unknown): boolean {
  if (typeof value !== 'string' || !salt.test(value)) return false;
  // Refused for a length that no bytes have, or for trailing bits.
  return unlessRefused(() => fromBase64Url(value, Math.floor((value.length * 3) / 4)), null) !== null;
}

function refuse(path: string, message: string): never {
  throw new ProtocolError('SHAPE_INVALID', `${path}: ${message}`, path);
}

/**
 * Checks the shape of disclosures; whose they are is another matter.
 * @returns the same object, now typed
 * @throws ProtocolError SHAPE_INVALID
 */
export function parseDisclosures(value: unknown): Disclosures {
  const members = shape.object(value) === null ? Object.entries(value as object) : [];
  if (members.length < 1 || members.length > MAX_DISCLOSURES) {
    return refuse('disclosures', `expected an object of 1 to ${MAX_DISCLOSURES} members, each [salt, value]`);
  }
  for (const [name, disclosure] of members as [string, unknown][]) {
    if (Array.isArray(disclosure) && disclosure.length === 2 && isSalt(disclosure[0])) continue;
    const member = shape.show(name);
    refuse(`disclosures[${member}]`, 'expected [salt, value], the salt 16 to 64 bytes in unpadded base64url');
  }
  return value as Disclosures;
}

/** parseDisclosures where there may be none left: `{}` is taken too. @throws ProtocolError SHAPE_INVALID */
export function parseLeftDisclosures(value: unknown): Disclosures {
  const isEmpty = shape.object(value) === null && Object.keys(value as object).length === 0;
  return isEmpty ? {} : parseDisclosures(value);
}

/**
 * The digest of a disclosure (protocol F42; RFC 9901 §4.2.3 over the canonical form of RFC 8785).
 * @returns base64url, as `_sd` holds it
 * @throws ProtocolError NOT_CANONICAL
 */
export function disclosureDigest(disclosure: Disclosure, hash: Sha256 = sha256): string {
  return toBase64Url(hash(base64UrlBytes(canonicalBytes(disclosure))));
}

/**
 * Whether disclosures are those of a payload (protocol F43). None are those of any.
 * @throws ProtocolError NOT_CANONICAL, whatever the payload is
 */
export function disclosuresFit(payload: unknown, disclosures: Disclosures, hash: Sha256 = sha256): boolean {
  const shown = Object.entries(disclosures);
  if (shown.length === 0) return true;
  const found = shown.map(([name, disclosure]) => [name, disclosureDigest(disclosure, hash)] as const);
  if (!isSalted(payload)) return false;
  const { _sd: digests } = payload;
  return found.every(([name, digest]) => Object.hasOwn(digests, name) && digests[name] === digest);
}

/** The members of a salted payload that no disclosure shows, in the order of their names. None of a plain one. */
export function withheldNames(payload: unknown, disclosures: Disclosures = {}): string[] {
  if (!isSalted(payload)) return [];
  return Object.keys(payload._sd)
    .filter((name) => !Object.hasOwn(disclosures, name))
    .sort();
}

/**
 * What the disclosures_digest of a manifest is made of (protocol F140): which members of a record are shown. What each says
 * follows from its digest in the signed payload.
 * @returns 32 bytes; null where none is shown
 */
export function shownNamesHash(seqNo: number, disclosures: Disclosures, hash: Sha256 = sha256): Uint8Array | null {
  const names = Object.keys(disclosures).sort();
  return names.length === 0 ? null : hash(canonicalBytes([seqNo, names]));
}

/** What a reader sees as the payload: a plain one as it is, of a salted one `profile` and the members that are disclosed. */
export function shownPayload(payload: JsonObject, disclosures: Disclosures = {}): JsonObject {
  if (!isSalted(payload)) return payload;
  const profile = payload.profile === undefined ? [] : [['profile', payload.profile] as const];
  const members = Object.entries(disclosures).map(([name, [, value]]) => [name, value] as const);
  // Not by assignment: a member may be called __proto__.
  return Object.fromEntries([...profile, ...members.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** A payload as an agent submits it, with what stands next to it. */
export interface Salted {
  readonly payload: SaltedPayload & JsonObject;
  readonly disclosures: Disclosures;
}

/**
 * Puts salted digests in the place of a payload's members; `profile` stays readable, and so do the members' names.
 * @param drawSalt gives SALT_BYTES fresh random bytes, called once for each member
 * @returns null where the payload has no form as a salted one: no member or too many, a name that is reserved or too long
 * @throws ProtocolError NOT_CANONICAL
 */
export function saltPayload(payload: JsonObject, drawSalt: () => Uint8Array, hash: Sha256 = sha256): Salted | null {
  const { profile, ...members } = payload;
  if (profile !== undefined && isProfile(profile) !== null) return null;
  const names = Object.keys(members);
  if (names.length < 1 || names.length > MAX_DISCLOSURES || !names.every(isName)) return null;
  const drawn = names.map((name) => [name, [toBase64Url(drawSalt()), members[name] as Json]] as const);
  const digests = drawn.map(([name, disclosure]) => [name, disclosureDigest(disclosure, hash)] as const);
  const skeleton = {
    ...(profile === undefined ? {} : { profile: profile as string }),
    _sd: Object.fromEntries(digests),
  };
  return { payload: skeleton, disclosures: Object.fromEntries(drawn) };
}

/**
 * The canonical form of disclosures, as they are stored and exported. Each of them is hashed by itself, and so may nest as deep
 * as anything that is.
 * @param value any JSON: its size counts before its shape
 * @throws ProtocolError NOT_CANONICAL
 */
export function disclosuresText(value: unknown): string {
  if (shape.object(value) !== null) return canonicalize(value);
  const members = value as { readonly [name: string]: unknown };
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${canonicalize(name)}:${canonicalize(members[name])}`).join(',')}}`;
}
