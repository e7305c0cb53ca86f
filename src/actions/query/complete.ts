import { definitionOf, isFieldWith, isRecordField, RECORD_FIELD_NAMES } from '../fields/fields.ts';
import { barIn, isGroupable, MEASURES } from './grouped-query.ts';
import { formOf } from './queried-record.ts';
import { parseField } from './query-fields.ts';
import { TIME_STEPS } from './time-steps.ts';
import { contextAt } from './typed-so-far.ts';

/** What a query can be completed with here and now. */
export interface KnownNames {
  /** Members of payloads, as the language writes them: `arguments.user_id`. */
  readonly members: readonly string[];
  /** Values of fields, by the field's name as in `members`. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

export interface Completion {
  readonly kind: 'field' | 'member' | 'operator' | 'keyword' | 'value';
  /** What to put in place of the text from `from` to before `to`. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Most completions that are offered at once. */
const MOST = 50;
const OPERATORS_OF = {
  text: [':', '=', '!=', '~'],
  number: ['=', '!=', '<', '<=', '>', '>='],
  time: [':', '<', '<=', '>', '>='],
  any: [':', '=', '!=', '<', '<=', '>', '>=', '~'],
} as const;
const TIMES = ['today', 'yesterday', 'now', '-15m', '-1h', '-1d', '-7d'];
const PLAIN_VALUE = /^[\p{L}\p{N}_.@+:/-]+$/u;

/**
 * What may go on at a place in the text of a query, the likeliest first.
 *
 * @param at the place in UTF-16 units, as a text field's selection has it
 */
export function completionsAt(text: string, at: number, known: KnownNames): Completion[] {
  const context = contextAt(text, at);
  const { from, to, typed } = context;
  const offer = (kind: Completion['kind'], texts: readonly string[]): Completion[] =>
    texts.map((each) => ({ kind, text: each, from, to }));
  if (context.field !== null) {
    return context.operator === '~' ? [] : offer('value', valuesOf(context.field, typed, known)).slice(0, MOST);
  }
  // Within quotes that follow no operator there is a phrase.
  if (context.quoted) return [];
  const bar = barIn(text.slice(0, at));
  if (bar !== null) return groupingAt(text.slice(bar + 1, from), typed, known, offer).slice(0, MOST);
  const names = [...offer('field', fieldsLike(typed)), ...offer('member', membersLike(typed, known))];
  const keywords = context.afterTerm ? ['and', 'or', 'not'] : ['not'];
  const found = [
    ...names,
    ...offer(
      'keyword',
      keywords.filter((word) => word.startsWith(typed.toLowerCase())),
    ),
  ];
  return [...operatorsAfter(context.name, at, known), ...found].slice(0, MOST);
}

/** What may follow behind the `|` of a query: a measure, what it is of, and what is grouped by. */
function groupingAt(
  before: string,
  typed: string,
  known: KnownNames,
  offer: (kind: Completion['kind'], texts: readonly string[]) => Completion[],
): Completion[] {
  const like = typed.toLowerCase();
  const keywords = (words: readonly string[]): Completion[] =>
    offer(
      'keyword',
      words.filter((word) => word.startsWith(like) && word !== typed),
    );
  const members = offer('member', membersLike(typed, known));
  const words = before.trim().toLowerCase();
  if (words === '') return keywords([...MEASURES, 'by']);
  if (/(?:^|\s)by$|,$/.test(words)) {
    return [...keywords(TIME_STEPS), ...offer('field', fieldsLike(typed).filter(isGroupable)), ...members];
  }
  const isMeasure = MEASURES.some((measure) => measure !== 'count' && measure === words);
  return isMeasure ? [...keywords(['duration']), ...members] : keywords(['by']);
}

/** Operators behind a name that is complete. */
function operatorsAfter(name: string | null, at: number, known: KnownNames): Completion[] {
  const isKnown = name !== null && (isRecordField(name) || known.members.includes(name));
  const field = isKnown ? parseField(name) : undefined;
  if (field === undefined) return [];
  return OPERATORS_OF[formOf(field)].map((text) => ({ kind: 'operator', text, from: at, to: at }));
}

function fieldsLike(typed: string): string[] {
  return RECORD_FIELD_NAMES.filter((name) => name.startsWith(typed.toLowerCase()) && name !== typed);
}

/** Members whose path, or one of whose names, begins as typed. */
function membersLike(typed: string, { members }: KnownNames): string[] {
  const like = typed.toLowerCase();
  const lower = members.map((member) => ({ member, folded: member.toLowerCase() }));
  const whole = lower.filter(({ folded }) => folded.startsWith(like));
  const within = lower.filter(({ folded }) => !folded.startsWith(like) && folded.includes(`.${like}`));
  return [...whole, ...within].map(({ member }) => member).filter((member) => member !== typed);
}

function valuesOf(name: string, typed: string, { values }: KnownNames): string[] {
  const own = Object.hasOwn(values, name) ? values[name] : undefined;
  const all = own ?? possibleValues(name);
  const like = typed.toLowerCase();
  return all.filter((value) => value.toLowerCase().startsWith(like)).map(written);
}

function possibleValues(name: string): readonly string[] {
  if (isFieldWith(name, { form: 'time' })) return TIMES;
  return isRecordField(name) ? (definitionOf(name).values ?? []) : [];
}

function written(value: string): string {
  return PLAIN_VALUE.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
