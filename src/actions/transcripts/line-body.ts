import { type ExactJson, isMembers, readExactJson } from '../../protocol/light.ts';
import type { Body } from '../tools/light.ts';
import type { TranscriptLine } from './items.ts';

/** Beyond this a line is no object that a program wrote for its own use, and reading it would end with the stack. */
const MAX_DEPTH = 512;

/** The object that a line is; of a line of which only the head is there, as much of it as the head tells. Null where it is not an object. */
export function bodyOf({ text, cut }: TranscriptLine): Body | null {
  try {
    const value = readExactJson(cut === undefined ? text : closedJson(text), JSON.parse);
    return isMembers(value) && !isDeep(value, MAX_DEPTH) ? value : null;
  } catch {
    // A SyntaxError, or a RangeError from nesting: either way nothing that can be read.
    return null;
  }
}

function isDeep(value: ExactJson, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const inner: readonly ExactJson[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isDeep(one, levels - 1));
}

/**
 * The head of a JSON text, closed: what was begun is ended where the head ends, and a number, word or name that may not be whole is left
 * out. A text that is cut is as long as the head has it.
 */
export function closedJson(head: string): string {
  const open: ('{' | '[')[] = [];
  // Up to where everything is whole: nothing is opened or closed after it.
  let whole = 0;
  let quoted = false;
  let namesNext = false;
  for (let at = 0; at < head.length; at++) {
    const character = head[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') {
        quoted = false;
        if (!namesNext) whole = at + 1;
      }
    } else if (character === '"') quoted = true;
    else if (character === ':') namesNext = false;
    else if (character === ',') {
      whole = at;
      namesNext = open.at(-1) === '{';
    } else if (character === '{' || character === '[') {
      open.push(character);
      whole = at + 1;
      namesNext = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      whole = at + 1;
      namesNext = false;
    }
  }
  const ends = open.map((one) => (one === '{' ? '}' : ']')).toReversed();
  if (!quoted || namesNext) return head.slice(0, whole) + ends.join('');
  // Within a text: an escape that is not whole is left out, and half of a pair.
  const text = head.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1').replace(/[\uD800-\uDBFF]$/, '');
  return `${text}"${ends.join('')}`;
}
