import { readExactJson } from '../../protocol/light.ts';
import { isMember, type LogEvent, type LogItem } from './log-event.ts';
import { objectsOf } from './pieces.ts';

type Members = Readonly<Record<string, unknown>>;

/** How deep the objects of a JSON log lie: in an array, or one after the other. */
export function depthOf(head: string): 0 | 1 {
  return head.trimStart().startsWith('[') ? 1 : 0;
}

/** What a JSON object of a log says; a text says why it cannot be read, and null that it is another event. */
export type ReadObject = (object: Members) => Omit<LogEvent, 'line' | 'endLine'> | string | null;

/** The events of a JSON log, object by object. @param depth null where the first character tells it */
export async function* readJsonLog(
  texts: AsyncIterable<string>,
  depth: number | null,
  read: ReadObject,
): AsyncGenerator<LogItem> {
  const { begun, all } = await peeked(texts);
  for await (const { line, endLine, text } of objectsOf(all, depth ?? depthOf(begun))) {
    if (text === null) {
      yield { kind: 'unread', line, reason: 'an object that is too long, or that does not end' };
      continue;
    }
    const found = parsed(text, read);
    if (typeof found === 'string') yield { kind: 'unread', line, reason: found };
    else if (found !== null) yield { kind: 'event', event: { ...found, line, endLine } };
  }
}

function parsed(text: string, read: ReadObject): ReturnType<ReadObject> {
  let value: unknown;
  try {
    // Ids of events and of what was called have more digits than a double keeps.
    value = readExactJson(text, JSON.parse);
  } catch (error) {
    if (error instanceof SyntaxError) return 'an object that is not JSON';
    throw error;
  }
  return isMember(value) ? read(value) : 'an object that is not JSON';
}

/** The first text that has a character, and all of them again. */
async function peeked(texts: AsyncIterable<string>) {
  const iterator = texts[Symbol.asyncIterator]();
  const first: string[] = [];
  let begun = '';
  while (begun === '') {
    const next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
    begun = next.value.trimStart();
  }
  async function* all(): AsyncGenerator<string> {
    yield* first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { begun, all: all() };
}

/** The names of the members of the first object of a text, also of one in an array; of those that are begun in it. */
function firstNames(head: string): ReadonlySet<string> {
  const names = new Set<string>();
  const from = head.search(/[^\s[]/);
  if (head[from] !== '{') return names;
  let level = 0;
  for (let at = from; at < head.length; at++) {
    const character = head[at];
    if (character === '"') {
      const end = endOfText(head, at);
      // A text before a colon is a name, at this level of a member of the object itself.
      if (level === 1 && /^\s*:/.test(head.slice(end + 1, end + 64))) names.add(head.slice(at + 1, end));
      at = end;
    } else if (character === '{' || character === '[') level++;
    else if ((character === '}' || character === ']') && --level === 0) break;
  }
  return names;
}

/** Where the text ends that begins at a quotation mark; the end of the head where it does not. */
function endOfText(head: string, begin: number): number {
  for (let at = begin + 1; at < head.length; at++) {
    if (head[at] === '\\') at++;
    else if (head[at] === '"') return at;
  }
  return head.length;
}

/** Whether the first object of a log has members of these names itself: a record of a bundle may have any text deeper within. */
export function namesIn(head: string, ...names: readonly string[]): boolean {
  if (!/^\s*[[{]/.test(head)) return false;
  const found = firstNames(head);
  return names.every((name) => found.has(name));
}

/** Milliseconds since 1970 of a time with its offset; null of one without, which could be any. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const date = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/.exec(value)?.[1];
  if (date !== undefined) return Number(date);
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,12})? ?(Z|[+-]\d\d:?\d\d)$/.exec(value);
  if (parts === null) return null;
  const [, day, clock, fraction = '', zone = 'Z'] = parts;
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const at = Date.parse(`${day}T${clock}${fraction.slice(0, 4)}${offset}`);
  return Number.isFinite(at) ? at : null;
}
