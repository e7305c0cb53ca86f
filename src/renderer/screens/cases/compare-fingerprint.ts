import { fingerprintDigits, fingerprintGroups, orgFingerprint } from '../../../protocol/index.ts';

/** How a fingerprint that came through a separate channel compares with the one in a file. */
export type FingerprintComparison =
  | { readonly state: 'empty' }
  /** As far as it goes it is the same; characters are still to come. */
  | { readonly state: 'unfinished'; readonly missing: number }
  | { readonly state: 'matches' }
  /** `group` counts from 1 and is the first that differs. */
  | { readonly state: 'differs'; readonly group: number };

function compareGroups(groups: readonly string[], text: string): FingerprintComparison {
  const whole = groups.join('');
  if (text === '') return { state: 'empty' };
  if (text === whole) return { state: 'matches' };
  if (whole.startsWith(text)) return { state: 'unfinished', missing: whole.length - text.length };
  let offset = 0;
  for (const [n, group] of groups.entries()) {
    if (!text.startsWith(group, offset)) return { state: 'differs', group: n + 1 };
    offset += group.length;
  }
  return { state: 'differs', group: groups.length };
}

/**
 * Compares every character with the digits of a key's fingerprint or, where it is not of digits alone, with its kid. Blanks
 * between groups do not count, nor hyphens between digits; in a kid capital letters and hyphens do.
 */
export function compareFingerprint(kid: string, given: string): FingerprintComparison {
  const text = given.replace(/\s/g, '');
  const asDigits = compareGroups(fingerprintDigits(kid), text.replaceAll('-', ''));
  if (asDigits.state !== 'differs') return asDigits;
  const asKid = compareGroups(fingerprintGroups(kid), text);
  return asKid.state === 'differs' && /^[0-9-]+$/.test(text) ? asDigits : asKid;
}

/** Compares with the short fingerprint of an organization, digit by digit. */
export function compareOrganization(orgId: string, given: string): FingerprintComparison {
  return compareGroups(orgFingerprint(orgId).split(' '), given.replace(/[\s-]/g, ''));
}
