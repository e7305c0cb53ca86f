import { fingerprintGroups } from '../../../protocol/index.ts';

/** How a fingerprint that came by another way compares with the one in a file. */
export type FingerprintComparison =
  | { readonly state: 'empty' }
  /** As far as it goes it is the same; characters are still to come. */
  | { readonly state: 'unfinished'; readonly missing: number }
  | { readonly state: 'matches' }
  /** `group` counts from 1 and is the first that differs. */
  | { readonly state: 'differs'; readonly group: number };

/** Compares every character; blanks between groups do not count, capital letters do. */
export function compareFingerprint(kid: string, given: string): FingerprintComparison {
  const text = given.replace(/\s/g, '');
  if (text === '') return { state: 'empty' };
  if (text === kid) return { state: 'matches' };
  if (kid.startsWith(text)) return { state: 'unfinished', missing: kid.length - text.length };
  let offset = 0;
  for (const [n, group] of fingerprintGroups(kid).entries()) {
    if (!text.startsWith(group, offset)) return { state: 'differs', group: n + 1 };
    offset += group.length;
  }
  return { state: 'differs', group: fingerprintGroups(kid).length };
}
