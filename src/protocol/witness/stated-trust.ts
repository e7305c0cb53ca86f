import { utf8 } from '../bytes.ts';
import { canonicalize } from '../canonical.ts';
import { parseJsonBytes } from '../json.ts';
import { formatWitnessPolicy, parseWitnessPolicy, type WitnessPolicy } from './policy.ts';

/*
 * With what somebody verified, as one list of texts that cases, kept reports and the options of a PDF state: trust entries, and where
 * witnesses were demanded the policy as canonical JSON, whose brace no trust entry begins with (protocol V188).
 */

/** A full policy: 32 organizations with 16 keys in ML-DSA-44 each. */
export const MAX_STATED_POLICY_CHARACTERS = 1024 * 1024;

export function isStatedPolicy(text: string): boolean {
  return text.startsWith('{');
}

export function withStatedPolicy(entries: readonly string[], policy: WitnessPolicy | null): string[] {
  return policy === null ? [...entries] : [...entries, canonicalize(formatWitnessPolicy(policy))];
}

/** The policy that a list states; null where it states none. @throws ProtocolError SHAPE_INVALID, ENCODING_INVALID, KEY_WEAK */
export function statedPolicy(trust: readonly string[]): WitnessPolicy | null {
  const text = trust.find(isStatedPolicy);
  return text === undefined ? null : parseWitnessPolicy(parseJsonBytes(utf8(text)));
}
