import { isMembers, type Json } from '../../protocol/light.ts';
import { isAbove } from './find-call.ts';
import { matchesGlob } from './glob.ts';
import { type ByMember, valueIn } from './places.ts';
import type { PreparedOutcome } from './prepared-rules.ts';
import { MAX_ERROR, type RecordHead, type RecordOutcome } from './record-facts.ts';
import { briefLine } from './texts.ts';
import { textAt, valueAt } from './tree.ts';

/** Values longer than this are compared by their beginning. */
const COMPARED = 1024;

export interface ReadOutcome {
  readonly outcome: RecordOutcome | null;
  readonly error: string | null;
  /** The pointer of the value that says it. */
  readonly at: string | null;
}

/** Whether a rule is about a record. */
export function isAbout(
  rule: { type?: string | undefined; tool?: string | undefined },
  head: RecordHead,
  tool: string | null,
): boolean {
  if (rule.type !== undefined && !matchesGlob(rule.type, head.operation_type)) return false;
  return rule.tool === undefined || (tool !== null && matchesGlob(rule.tool, tool));
}

/** A value that says something: neither missing, null, false, nor empty. */
function saysSomething(value: Json | undefined): value is Json {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function isLike(value: Json, patterns: readonly (string | number | boolean)[]): boolean {
  if (typeof value === 'string') {
    const beginning = value.slice(0, COMPARED);
    return patterns.some((pattern) => typeof pattern === 'string' && matchesGlob(pattern, beginning));
  }
  return patterns.some((pattern) => pattern === value);
}

/** The words of an error, cut to length. */
export function errorText(text: string): string {
  return briefLine(text, MAX_ERROR);
}

/** What an error says: a text as it is, of an object its message. */
function wordsOf(value: Json): string | null {
  if (typeof value === 'string') return errorText(value);
  const message = textAt(value, 'message') ?? textAt(value, 'error') ?? textAt(value, 'type') ?? textAt(value, 'code');
  return message === null ? null : errorText(message);
}

/** Where the words of an error are, where the value that shows the failure has none. */
const ERRORS = [
  '/error',
  '/error_message',
  '/errorMessage',
  '/errorText',
  '/outcome/error',
  '/result/error',
  '/message',
  '/reason',
  '/result',
  '/output',
  '/response',
  '/stderr',
  '/content',
];

function errorOf(tree: Json, told: Json): string | null {
  const isSentence = typeof told === 'string' && told.includes(' ');
  if (isSentence || (typeof told === 'object' && told !== null)) {
    const words = wordsOf(told);
    if (words !== null) return words;
  }
  for (const pointer of ERRORS) {
    const value = valueAt(tree, pointer);
    const words = saysSomething(value) ? wordsOf(value) : null;
    if (words !== null) return words;
  }
  return typeof told === 'boolean' ? null : errorText(String(told));
}

/** An exit code is a whole number; a text of digits is one as well. */
export function wholeNumber(value: Json | undefined): number | null {
  const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

const DIGITS = /^-?[0-9]{1,9}$/;

/** Whether a value is a number, or a text of digits, within the bounds of a rule. */
function isWithin(
  value: Json,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: PreparedOutcome,
): boolean {
  const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= from && number <= to;
}

function isMet(rule: PreparedOutcome, value: Json): boolean {
  if (rule.from !== undefined || rule.to !== undefined) return isWithin(value, rule);
  if (rule.like !== undefined) return isLike(value, rule.like);
  // A call that gives back an empty list has succeeded; an empty error is not an error.
  return rule.is === 'ok' ? value !== null : saysSomething(value);
}

/** An object that may say how a call ended. */
interface SaysOutcome {
  readonly pointer: string;
  readonly value: Json;
}

const NOTHING: ReadOutcome = { outcome: null, error: null, at: null };

/**
 * What an object says of a call by the rules: the first that fits.
 * @param call the pointer of the call's object: what is above it is around the call and no result of it
 */
function outcomeIn(
  { pointer, value: root }: SaysOutcome,
  head: RecordHead,
  tool: string | null,
  rules: ByMember<PreparedOutcome>,
  call: string,
): ReadOutcome {
  if (!isMembers(root)) return NOTHING;
  for (const rule of rules.in(root)) {
    const value = valueIn(root, rule.at);
    if (value === undefined || !isAbout(rule, head, tool) || !isMet(rule, value)) continue;
    const at = pointer + rule.at.pointer;
    if (call !== pointer && isAbove(at, call)) continue;
    const { is } = rule;
    return { outcome: is, error: is === 'failed' || is === 'refused' ? errorOf(root, value) : null, at };
  }
  return NOTHING;
}

/** What came back, where nothing else says how a call ended. */
function outcomeByOutput(
  output: SaysOutcome,
  head: RecordHead,
  tool: string | null,
  rules: ByMember<PreparedOutcome>,
): ReadOutcome {
  const said = outcomeIn({ pointer: '', value: { output: output.value } }, head, tool, rules, '');
  return { ...said, at: output.pointer };
}

/**
 * What became of a call by the rules, by whichever of the objects around it says so: that it failed or was refused comes before that it is over.
 * @param objects from the payload to the call's own object
 * @param output what the call gave back, where that shows that it was carried out
 */
export function outcomeOf(
  objects: readonly SaysOutcome[],
  head: RecordHead,
  tool: string | null,
  rules: ByMember<PreparedOutcome>,
  output: SaysOutcome | null = null,
): ReadOutcome {
  const call = objects.at(-1)?.pointer ?? '';
  const said = objects.map((object) => outcomeIn(object, head, tool, rules, call));
  const found =
    said.find(({ outcome }) => outcome === 'failed' || outcome === 'refused') ??
    said.find(({ outcome }) => outcome !== null);
  return found ?? (output === null ? NOTHING : outcomeByOutput(output, head, tool, rules));
}
