import type { Json } from '../../protocol/index.ts';
import { matchesGlob } from './glob.ts';
import { MAX_ERROR, type RecordHead, type RecordOutcome } from './record-facts.ts';
import type { InvestigationRules } from './rules.ts';
import { briefLine } from './texts.ts';
import { textAt, valueAt } from './tree.ts';

/** Values longer than this are compared by their beginning. */
const COMPARED = 1024;

export interface ReadOutcome {
  readonly outcome: RecordOutcome | null;
  readonly error: string | null;
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
  '/outcome/error',
  '/result/error',
  '/message',
  '/reason',
  '/result',
  '/output',
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

/** What became of a call by the rules: the first that fits. */
export function outcomeOf(
  tree: Json,
  head: RecordHead,
  tool: string | null,
  rules: InvestigationRules['outcomes'],
): ReadOutcome {
  for (const rule of rules) {
    const value = valueAt(tree, rule.at);
    if (value === undefined || !isAbout(rule, head, tool)) continue;
    // A call that gives back an empty list has succeeded; an empty error is not an error.
    const met =
      rule.like !== undefined ? isLike(value, rule.like) : rule.is === 'ok' ? value !== null : saysSomething(value);
    if (!met) continue;
    const { is } = rule;
    return { outcome: is, error: is === 'failed' || is === 'refused' ? errorOf(tree, value) : null };
  }
  return { outcome: null, error: null };
}
