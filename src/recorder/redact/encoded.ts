import type { Found, TextRule } from './found.ts';

/** How deep base64 in base64 is followed. */
const MAX_DEPTH = 2;
/** Longer runs are files, of which the beginning is read. */
const MAX_DECODED = 131_072;

const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}(?:(?:\r?\n|\\n)[A-Za-z0-9+/_-]{4,})*={0,2}/g;

function isText(bytes: Buffer): boolean {
  let odd = 0;
  const head = bytes.subarray(0, 64);
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32) || byte > 126) odd++;
  return odd === 0;
}

/** The rest is not looked for: the whole run is replaced, whatever else is in it. */
function first(found: Iterable<Found>): Found | undefined {
  for (const one of found) return one;
  return undefined;
}

/**
 * Finds base64 of texts that hold secrets: keys in PEM, files with credentials. The whole run is replaced.
 * @param rules what finds them in the decoded text
 */
export function encodedSecrets(rules: TextRule): TextRule {
  function* find(text: string, depth: number): Generator<Found> {
    for (const match of text.matchAll(RUN)) {
      const [run] = match;
      const bytes = Buffer.from(run.slice(0, MAX_DECODED).replace(/\\n/g, ''), 'base64');
      if (!isText(bytes)) continue;
      const decoded = bytes.toString('latin1');
      const inner = first(rules(decoded)) ?? (depth < MAX_DEPTH ? find(decoded, depth + 1).next().value : undefined);
      if (inner) yield { start: match.index, end: match.index + run.length, type: `base64-${inner.type}`.slice(0, 40) };
    }
  }
  return (text) => find(text, 1);
}
