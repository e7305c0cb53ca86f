import { readFingerprintDigits } from '../../../protocol/index.ts';

/**
 * What somebody typed of whom they trust: entries with commas or line breaks between them. Blanks stand between the groups
 * of one fingerprint, and between kids that are given whole.
 */
export function readTrustEntries(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .flatMap((entry) => {
      const key = entry.split('@', 1)[0] ?? '';
      const isWhole = readFingerprintDigits(key) !== null || key.replace(/\s/g, '').length === 43;
      return isWhole ? [entry] : entry.split(/\s+/);
    })
    .filter((entry) => entry !== '');
}
