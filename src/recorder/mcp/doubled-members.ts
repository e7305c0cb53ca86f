/** Where a message names a member twice: among its own, or only deeper within. */
export type Doubled = 'message' | 'within';

const COLON = /[ \t\r\n]*:/y;

/** Where the string ends that begins at a quote: behind its last one. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * Which messages name a member twice, by their places in a batch; a message alone is the first. Parsers keep the last, the first or
 * none of the two (RFC 8259 §4).
 * @param text that JSON.parse takes
 */
export function doubledMembers(text: string): ReadonlyMap<number, Doubled> {
  const doubled = new Map<number, Doubled>();
  /** Names of the objects that are open; null for an array. */
  const open: (Set<string> | null)[] = [];
  const messageLevel = /^[\s\ufeff]*\[/.test(text) ? 2 : 1;
  let message = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(null);
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && open.length < messageLevel) message++;
    if (character !== '"') continue;
    const begin = at;
    COLON.lastIndex = endOfString(text, begin);
    at = COLON.lastIndex - 1;
    const names = open.at(-1);
    if (names == null || !COLON.test(text)) continue;
    const name = JSON.parse(text.slice(begin, at + 1)) as string;
    if (names.has(name) && doubled.get(message) !== 'message') {
      doubled.set(message, open.length === messageLevel ? 'message' : 'within');
    }
    names.add(name);
  }
  return doubled;
}
