import { utf8 } from '../bytes.ts';
import { canonicalize } from '../canonical.ts';
import { fromPaddedBase64 } from '../encoding.ts';
import { parseJsonBytes } from '../json.ts';
import { unlessRefused } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import { parseTime } from '../time.ts';
import { formatWitnessPolicy, parseWitnessPolicy, type WitnessPolicy } from './policy.ts';

/*
 * With what somebody verified, as one list of texts that cases, kept reports and the options of a PDF state: trust entries; where
 * witnesses were demanded the policy, and where roots were trusted for time each of these, as canonical JSON, whose brace no trust entry
 * begins with (protocol V188).
 */

/** A full policy: 32 organizations with 16 keys in ML-DSA-44 each. */
export const MAX_STATED_POLICY_CHARACTERS = 1024 * 1024;

/** A root that was trusted to say what time it was (protocol V178). */
export interface StatedRoot {
  /** In DER, standard base64 with padding. */
  readonly certificate: string;
  /** Until when, RFC 3339; null for ever. */
  readonly until: string | null;
}

/** What else a list of trust states. */
export interface StatedAnchors {
  readonly witnesses: WitnessPolicy | null;
  readonly roots: readonly StatedRoot[];
}

const ROOT_SHAPE: shape.Shape<StatedRoot> = {
  certificate: shape.text(1, 65_536),
  until: shape.nullable(shape.text(1, 64)),
};

export function isTrustEntry(text: string): boolean {
  return !text.startsWith('{');
}

export function isStatedPolicy(text: string): boolean {
  return !isTrustEntry(text) && !isStatedRoot(text);
}

const isStatedRoot = (text: string): boolean => text.startsWith('{"certificate":');

export function withStatedAnchors(entries: readonly string[], { witnesses, roots }: StatedAnchors): string[] {
  const stated = roots.map(({ certificate, until }) => canonicalize({ certificate, until }));
  return [...entries, ...(witnesses === null ? [] : [canonicalize(formatWitnessPolicy(witnesses))]), ...stated];
}

function parseStatedRoot(text: string): StatedRoot {
  const root = shape.parseShape<StatedRoot>(parseJsonBytes(utf8(text)), ROOT_SHAPE, 'root');
  fromPaddedBase64(root.certificate);
  if (root.until !== null) parseTime(root.until);
  return root;
}

/** Whether all that a list states besides entries is valid. */
export function isStatedTrust(trust: readonly string[]): boolean {
  return unlessRefused(() => statedAnchors(trust), null) !== null;
}

/** What a list states besides entries. @throws ProtocolError SHAPE_INVALID, ENCODING_INVALID, KEY_WEAK */
export function statedAnchors(trust: readonly string[]): StatedAnchors {
  const policies = trust.filter(isStatedPolicy).map((text) => parseWitnessPolicy(parseJsonBytes(utf8(text))));
  return {
    witnesses: policies[0] ?? null,
    roots: trust.filter(isStatedRoot).map(parseStatedRoot),
  };
}
