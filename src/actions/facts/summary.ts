import type { Json } from '../../protocol/index.ts';
import { isMembers } from '../../protocol/light.ts';
import type { Outcome } from '../fields/codes.ts';
import { MAX_SUMMARY } from './record-facts.ts';
import { briefLine, cutText } from './texts.ts';
import { isArray, type Members } from './tree.ts';

const MAX_ARGUMENTS = 110;
/** A single value in a list of several. */
const MAX_VALUE = 40;
/** Members that tell most about a result stand first. */
const TELLING = ['error', 'message', 'status', 'state', 'outcome', 'result', 'id', 'name', 'title'];

/** A value within a line: texts as they are, lists and objects by what is in them. */
export function briefValue(value: Json, length: number): string {
  if (typeof value === 'string') return briefLine(value, length);
  if (isArray(value)) {
    if (value.length === 0) return 'none';
    if (value.every((item) => typeof item !== 'object' || item === null)) {
      return cutText(
        value
          .slice(0, 32)
          .map((item) => briefValue(item, MAX_VALUE))
          .join(', '),
        length,
      );
    }
    if (value.length === 1 && value[0] !== undefined) return briefValue(value[0], length);
    return `${value.length} items`;
  }
  if (isMembers(value)) return briefMembers(value, length);
  return String(value);
}

function rank(name: string): number {
  const place = TELLING.indexOf(name);
  if (place >= 0) return place;
  return name.endsWith('_id') ? TELLING.length : TELLING.length + 1;
}

/** Members of an object as `name: value, …`, as many as fit: simple values first. */
function briefMembers(
  value: Members,
  length: number,
  isStated: (name: string, value: Json) => boolean = () => false,
): string {
  const entries = Object.entries(value).slice(0, 64);
  const simple = entries.filter(([name, item]) => !isNested(item) && !isStated(name, item));
  const nested = entries.filter(([, item]) => isNested(item));
  const parts = [...simple.toSorted(([a], [b]) => rank(a) - rank(b)), ...nested].map(
    ([name, item]) => `${name}: ${briefMember(item)}`,
  );
  return parts.length === 0 ? (entries.length === 0 ? 'empty' : 'as given') : joinedWithin(parts, length);
}

function isNested(value: Json): value is Members | readonly Json[] {
  return typeof value === 'object' && value !== null;
}

/** A value next to its name: objects between braces, so that their members are told from those around them; empty texts are seen. */
function briefMember(value: Json, length = MAX_VALUE): string {
  return isMembers(value) ? `{${briefMembers(value, length - 2)}}` : briefValue(value, length) || '""';
}

/** As many parts as fit between commas, the first of them in any case; the end is marked where some are left out. */
function joinedWithin(parts: readonly string[], length: number): string {
  let text = '';
  for (const part of parts) {
    if (text === '') text = cutText(part, length);
    else if (text.length + part.length + 2 <= length) text += `, ${part}`;
    else return text.length + 3 <= length ? `${text}, …` : text;
  }
  return text;
}

/** What a call was given, as it stands between brackets: a single argument without its name, several in their order. */
function briefArguments(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (!isMembers(value)) return briefValue(value, MAX_ARGUMENTS);
  const entries = Object.entries(value).slice(0, 32);
  const [only] = entries;
  if (only === undefined) return '';
  if (entries.length === 1) return briefValue(only[1], MAX_ARGUMENTS);
  const parts = (length?: number) => entries.map(([name, item]) => `${name}: ${briefMember(item, length)}`);
  // Where all of them find room as they are, none is cut.
  const whole = parts(MAX_ARGUMENTS).join(', ');
  return whole.length <= MAX_ARGUMENTS ? whole : joinedWithin(parts(), MAX_ARGUMENTS);
}

/** `tool(arguments)`. */
export function callText(tool: string, input: Json | undefined): string {
  return `${briefLine(tool, 80)}(${briefArguments(input)})`;
}

/**
 * One line for an action and its result.
 * @param input what was given: of a result that repeats it, only the rest is told
 */
export function withResult(line: string, result: Json | undefined, input?: Json): string {
  if (result === undefined || result === null) return cutText(line, MAX_SUMMARY);
  const room = Math.max(20, MAX_SUMMARY - line.length - 3);
  const given = input;
  const text =
    isMembers(result) && isMembers(given)
      ? briefMembers(result, room, (name, value) => Object.hasOwn(given, name) && given[name] === value)
      : briefValue(result, room);
  return cutText(text === '' ? line : `${line} → ${text}`, MAX_SUMMARY);
}

/** What a call of several records was, in one line. */
export function callTitle(call: {
  readonly tool: string;
  readonly input: Json | undefined;
  readonly output: Json | undefined;
  readonly outcome: Outcome | null;
  readonly error: string | null;
}): string {
  const { tool, input, output, outcome, error } = call;
  const line = input === undefined || input === null ? briefLine(tool, 80) : callText(tool, input);
  if (outcome === 'failed' || outcome === 'refused')
    return withResult(line, `${outcome}: ${error ?? 'no reason given'}`);
  if (outcome === 'unknown') return withResult(line, 'ended, nobody saw how');
  return withResult(line, outcome === 'ok' ? (output ?? 'done') : undefined, input);
}
