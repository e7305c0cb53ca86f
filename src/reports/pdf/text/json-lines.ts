import type { Json } from '../../../protocol/index.ts';

const INDENT = '  ';

/** Beyond this depth no line is indented further, so that deep values do not run out of the page. */
const MAX_INDENT = 12;

function compact(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(compact).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as { readonly [name: string]: Json });
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}: ${compact(item)}`).join(', ')}}`;
}

/** Whether a value in its compact form has at most this many characters; looks at no more of it than that. */
function fits(value: Json, limit: number): boolean {
  let left = limit;
  const takeText = (text: string): void => {
    left -= text.length > left ? text.length : JSON.stringify(text).length;
  };
  const take = (item: Json): void => {
    if (typeof item === 'string') takeText(item);
    else if (typeof item !== 'object' || item === null) left -= String(item).length;
    else {
      const isArray = Array.isArray(item);
      left -= 2;
      let separator = 0;
      for (const name in item) {
        if (left < 0) return;
        left -= separator;
        separator = 2;
        if (!isArray) {
          takeText(name);
          left -= 2;
        }
        take((item as { readonly [name: string]: Json })[name] as Json);
      }
    }
  };
  take(value);
  return left >= 0;
}

/**
 * A JSON value in lines for reading: what fits into a line stands on one, larger objects and arrays are broken into
 * their members, short members fill a line together. A string that is longer than a line stays one line, for the reader
 * of the lines to wrap. The lines joined are the same JSON value.
 * @param columns how many characters a line has
 */
export function jsonLines(value: Json, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  const put = (value: Json, depth: number, prefix: string, suffix: string): void => {
    const indent = INDENT.repeat(Math.min(depth, MAX_INDENT));
    const room = columns - indent.length - prefix.length - suffix.length;
    const broken = typeof value === 'object' && value !== null && !fits(value, room);
    const text = broken ? null : compact(value);
    if (text !== null && line !== '' && line.length + 1 + prefix.length + text.length + suffix.length <= columns) {
      line += ` ${prefix}${text}${suffix}`;
      return;
    }
    if (line !== '') lines.push(line);
    line = '';
    if (text !== null) {
      line = `${indent}${prefix}${text}${suffix}`;
      return;
    }
    const isArray = Array.isArray(value);
    lines.push(`${indent}${prefix}${isArray ? '[' : '{'}`);
    const items = Object.entries(value as { readonly [name: string]: Json });
    items.forEach(([name, item], index) => {
      put(item, depth + 1, isArray ? '' : `${JSON.stringify(name)}: `, index < items.length - 1 ? ',' : '');
    });
    if (line !== '') lines.push(line);
    line = '';
    lines.push(`${indent}${isArray ? ']' : '}'}${suffix}`);
  };
  put(value, 0, '', '');
  if (line !== '') lines.push(line);
  return lines;
}
