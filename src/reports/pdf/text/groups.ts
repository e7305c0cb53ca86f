import { fingerprintGroups } from '../../../protocol/index.ts';

/** A hexadecimal digest in groups of eight, for comparing by eye: "sha256: 03449923 892e1a0a …". */
export function digestInGroups(digest: string): string {
  const [algorithm, digits] = digest.split(':');
  if (algorithm === undefined || digits === undefined) return digest;
  return `${algorithm}: ${(digits.match(/.{1,8}/g) ?? []).join(' ')}`;
}

/** The same without the name of the algorithm, where space is short. */
export function digitsInGroups(digest: string): string {
  return digestInGroups(digest).replace(/^sha256: /, '');
}

/** A service key's kid as people compare it. */
export function kidInGroups(kid: string): string {
  return fingerprintGroups(kid).join(' ');
}
