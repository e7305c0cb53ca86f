import { isExact } from '../../protocol/light.ts';
import { isFieldWith } from '../fields/fields.ts';
import { formOf } from './queried-record.ts';
import type { CompareQuery, EqualsQuery, Field, ParseOptions, Query } from './query.ts';
import type { Scanner } from './scanner.ts';
import {
  DAY_ALONE,
  isZone,
  momentsIn,
  offsetAt,
  offsetText,
  readDuration,
  readTime,
  type Span,
  wallText,
} from './times.ts';

const NUMBER = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/;
const CONSTANTS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const TIMES = ['2026-11-21', '2026-11-21 10:00', '10:00', 'today', '-15m'];

/** A value as written behind an operator, and where. */
export interface Written {
  readonly text: string;
  readonly quoted: boolean;
  readonly at: number;
  readonly end: number;
}

/** The number that a text is, or undefined. Leading zeros are allowed, as codes have them. */
export function readNumber(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number + 0 : undefined;
}

/** Reads the value behind an operator: in quotes, or up to the next blank or parenthesis. */
export function readValue(scanner: Scanner, field: Field, times: boolean): Written {
  scanner.skipBlanks();
  const at = scanner.at;
  if (scanner.done) scanner.fail('UNEXPECTED_END', 'A value is missing.', ['a value', '"a value"']);
  if (scanner.ahead(/"/y) !== undefined) return { text: scanner.quoted(), quoted: true, at, end: scanner.at };
  let text = scanner.take(/[^\s()"]+/y);
  if (text === undefined || scanner.ahead(/[("]/y) !== undefined) refuseMixed(scanner, at);
  if (times && DAY_ALONE.test(text) && formOf(field) !== 'text') text += scanner.take(/\s+\d\d?:\d\d[^\s()"]*/y) ?? '';
  return { text, quoted: false, at, end: scanner.at };
}

/** Refuses a value that is read up to a parenthesis or quote within it. */
export function refuseMixed(scanner: Scanner, at: number): never {
  const message = 'A value with parentheses or quotes in it is put in quotes.';
  scanner.fail('BAD_VALUE', message, ['"a value"'], at, scanner.at + 1);
}

/** `field = value`. */
export function equals(scanner: Scanner, field: Field, written: Written, options: ParseOptions): Query {
  const { text, quoted } = written;
  const form = formOf(field);
  if (form === 'time') return during(field, timeOf(scanner, written, options));
  if (form === 'number') return { kind: 'equals', field, value: numberOf(scanner, field, written), text };
  return { kind: 'equals', field, value: form === 'text' || quoted ? text : literal(text), text };
}

/** What a value without quotes is, besides the text. */
export function literal(text: string): EqualsQuery['value'] {
  if (Object.hasOwn(CONSTANTS, text)) return CONSTANTS[text] ?? null;
  // Payloads have a number that a double does not keep as a text; the rounded one is another number.
  return isExact(text) ? (readNumber(text) ?? text) : text;
}

/** `field < value` and its like. */
export function compare(
  scanner: Scanner,
  field: Field,
  operator: CompareQuery['operator'],
  written: Written,
  options: ParseOptions,
): Query {
  const form = formOf(field);
  if (form === 'text') {
    const forms = ['= value', ': words', '~ /regex/'];
    scanner.fail(
      'BAD_VALUE',
      'This field is a text, which is neither below nor above.',
      forms,
      written.at,
      written.end,
    );
  }
  const number =
    form === 'any' ? readNumber(written.text) : form === 'number' ? numberOf(scanner, field, written) : undefined;
  if (number !== undefined) return { kind: 'compare', field, operator, number, time: null };
  return comparedTime(field, operator, timeOf(scanner, written, options));
}

function comparedTime(field: Field, operator: CompareQuery['operator'], span: Span): Query {
  const compared = { kind: 'compare', field, number: null } as const;
  if (!span.wholeDay) return { ...compared, operator, time: span.start };
  // After a day is from the next one on, and up to a day is before the next one.
  if (operator === '>') return { ...compared, operator: '>=', time: span.end };
  if (operator === '<=') return { ...compared, operator: '<', time: span.end };
  return { ...compared, operator, time: span.start };
}

function during(field: Field, { start, end }: Span): Query {
  const compared = { kind: 'compare', field, number: null } as const;
  return {
    kind: 'and',
    parts: [
      { ...compared, operator: '>=', time: start },
      { ...compared, operator: '<', time: end },
    ],
  };
}

function timeOf(scanner: Scanner, { text, at, end }: Written, options: ParseOptions): Span {
  if (!isZone(options.zone)) {
    scanner.fail('BAD_TIME', `“${options.zone}” is no time zone.`, ['Europe/Berlin', 'UTC'], at, end);
  }
  const span = readTime(text, options) ?? scanner.fail('BAD_TIME', `“${text}” is no time.`, TIMES, at, end);
  if (span.shown !== undefined) scanner.notes.push({ message: noteOf(text, span, options.zone), at, end });
  return span;
}

/** A moment as a query has it, in a zone and with its offset. */
function zoned(moment: number, zone: string): string {
  return `${wallText(moment, zone).replace(/(?::00)?\.000$/, '')}${offsetText(offsetAt(zone, moment))}`;
}

/** What a time of day is read as that clocks show twice or never. */
function noteOf(text: string, { start, shown }: Span, zone: string): string {
  if (shown === 'never') {
    return `Clocks of ${zone} skip “${text}”: it is read as ${zoned(start, zone)}, when they do.`;
  }
  const [, later = start] = momentsIn(zone, start + offsetAt(zone, start));
  return `Clocks of ${zone} show “${text}” twice: it is read as ${zoned(start, zone)}. The later one is ${zoned(later, zone)}.`;
}

function numberOf(scanner: Scanner, field: Field, { text, at, end }: Written): number {
  const isDuration = field.of === 'record' && isFieldWith(field.name, { unit: 'ms' });
  const number = isDuration ? readDuration(text) : readNumber(text);
  const expected = isDuration ? ['250', '250ms', '2s', '5m'] : ['5', '-1.5'];
  return number ?? scanner.fail('BAD_NUMBER', `“${text}” is no number.`, expected, at, end);
}
