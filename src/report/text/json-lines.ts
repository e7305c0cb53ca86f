import type { Json } from '../../protocol/index.ts';

const INDENT = '  ';

/** Beyond this depth no line is indented further, so that deep values do not run out of the page. */
const MAX_INDENT = 12;

function compact(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(compact).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as { readonly [name: string]: Json });
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}: ${compact(item)}`).join(', ')}}`;
}

/** Whether a value fits into so many characters; does not look at more of it than that. */
function fits(value: Json, limit: number): boolean {
  let left = limit;
  const take = (item: Json): boolean => {
    if (typeof item === 'string') left -= item.length + 2;
    else if (typeof item !== 'object' || item === null) left -= 5;
    else if (Array.isArray(item)) {
      left -= 2;
      for (const inner of item as readonly Json[]) if (left < 0 || !take(inner)) return false;
    } else {
      left -= 2;
      for (const [name, inner] of Object.entries(item as { readonly [name: string]: Json })) {
        left -= name.length + 4;
        if (left < 0 || !take(inner)) return false;
      }
    }
    return left >= 0;
  };
  return take(value);
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
