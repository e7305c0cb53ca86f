// The query language (docs/query-language.md): what each form means.
import { describe, expect, it } from 'vitest';
import { type Field, parseQuery, type Query } from '../../../src/actions/index.ts';
import { NOW, OPTIONS } from '../../support/queries.ts';

const words = (...texts: string[]): Query => ({ kind: 'words', field: null, words: texts, lastIsPrefix: false });
const of = (field: Field, ...texts: string[]): Query => ({ kind: 'words', field, words: texts, lastIsPrefix: false });
const not = (part: Query): Query => ({ kind: 'not', part });
const and = (...parts: Query[]): Query => ({ kind: 'and', parts });
const or = (...parts: Query[]): Query => ({ kind: 'or', parts });
const member = (...path: string[]): Field => ({ of: 'payload', path, fromRoot: false });
const fromRoot = (...path: string[]): Field => ({ of: 'payload', path, fromRoot: true });
const tool: Field = { of: 'record', name: 'tool' };
const seq: Field = { of: 'record', name: 'seq' };
const issued: Field = { of: 'record', name: 'issued' };
const duration: Field = { of: 'record', name: 'duration' };
const equals = (field: Field, value: string | number | boolean | null, text = String(value)): Query => ({
  kind: 'equals',
  field,
  value,
  text,
});
const time = (field: Field, operator: '<' | '<=' | '>' | '>=', at: string | number): Query => ({
  kind: 'compare',
  field,
  operator,
  number: null,
  time: typeof at === 'string' ? Date.parse(at) : at,
});
const number = (field: Field, operator: '<' | '<=' | '>' | '>=', value: number): Query => ({
  kind: 'compare',
  field,
  operator,
  number: value,
  time: null,
});
const regex = (field: Field | null, source: string, ignoreCase = false): Query => ({
  kind: 'matches',
  field,
  source,
  ignoreCase,
});

const FORMS: readonly (readonly [title: string, ...(readonly [text: string, query: Query])[]])[] = [
  ['nothing means every record', ['', { kind: 'all' }], ['  ', { kind: 'all' }], ['*', { kind: 'all' }]],
  [
    'words are found whatever their case, those that hang together one after the other',
    ['Credit', words('credit')],
    ['credit_card', words('credit', '_', 'card')],
    ['credit-card', words('credit', 'card')],
    ['"credit card"', words('credit', 'card')],
    ['mia@example.com', words('mia', 'example', 'com')],
    ['10:00', words('10', '00')],
    ['https://a.b/c?d=e', words('https', 'a', 'b', 'c', 'd', 'e')],
    ['"a \\"b\\" c"', words('a', 'b', 'c')],
    ['東京', words('東', '京')],
    ['2001:db8::1', words('2001', 'db8', '1')],
    ['::1', words('1')],
    ['00:1b:44:11:3a:b7', words('00', '1b', '44', '11', '3a', 'b7')],
    ['C:\\Users\\kim.lee', words('c', 'users', 'kim', 'lee')],
    ['std::string a', and(words('std', 'string'), words('a'))],
  ],
  [
    'a * stands for the rest of a word, or around a part',
    ['cred*', { kind: 'words', field: null, words: ['cred'], lastIsPrefix: true }],
    ['credit_c*', { kind: 'words', field: null, words: ['credit', '_', 'c'], lastIsPrefix: true }],
    ['"credit c"*', { kind: 'words', field: null, words: ['credit', 'c'], lastIsPrefix: true }],
    ['credit-*', words('credit')],
    ['*Redit*', { kind: 'part', field: null, text: 'redit' }],
    ['*"it ca"*', { kind: 'part', field: null, text: 'it ca' }],
    ['tool:*ook*', { kind: 'part', field: tool, text: 'ook' }],
  ],
  [
    'and binds closer than or, not closest; and may be left out',
    ['a b', and(words('a'), words('b'))],
    ['a AND b and c', and(words('a'), words('b'), words('c'))],
    ['a b or c', or(and(words('a'), words('b')), words('c'))],
    ['a (b or c)', and(words('a'), or(words('b'), words('c')))],
    ['not a b', and(not(words('a')), words('b'))],
    ['not (a b)', not(and(words('a'), words('b')))],
    ['not not a', not(not(words('a')))],
    ['-a b-c', and(not(words('a')), words('b', 'c'))],
    ['-tool:a', not(of(tool, 'a'))],
    ['((a))', words('a')],
    ['"not" "or"', and(words('not'), words('or'))],
    ['nothing order', and(words('nothing'), words('order'))],
  ],
  [
    'a field takes words, blanks around the operator or not',
    ['tool:book', of(tool, 'book')],
    ['tool : book', of(tool, 'book')],
    ['tool:"book flight"', of(tool, 'book', 'flight')],
    ['url:https://x.y/z', of(member('url'), 'https', 'x', 'y', 'z')],
    ['tool:(a or not "b c")', or(of(tool, 'a'), not(of(tool, 'b', 'c')))],
    ['tool:*', { kind: 'exists', field: tool }],
    ['user_id : *', { kind: 'exists', field: member('user_id') }],
    ['user_id = *', { kind: 'exists', field: member('user_id'), itself: true }],
    ['user_id=*', { kind: 'exists', field: member('user_id'), itself: true }],
    ['tool != *', not({ kind: 'exists', field: tool, itself: true })],
    ['user_id = "*"', equals(member('user_id'), '*')],
  ],
  [
    'other names are members of the payload, by the end of their path or from the root',
    ['arguments.user_id:mia', of(member('arguments', 'user_id'), 'mia')],
    ['/arguments/user_id:mia', of(fromRoot('arguments', 'user_id'), 'mia')],
    ['/agent = x', equals(fromRoot('agent'), 'x')],
    ['/a~1b/c~0d = 1', equals(fromRoot('a/b', 'c~d'), 1)],
    ['"agent" = x', equals(member('agent'), 'x')],
    ['a."b c".d = x', equals(member('a', 'b c', 'd'), 'x')],
    ['/"a b"/"c" = x', equals(fromRoot('a b', 'c'), 'x')],
  ],
  [
    '= takes exactly a value',
    ['tool = book_flight', equals(tool, 'book_flight')],
    ['tool != "a b"', not(equals(tool, 'a b'))],
    ['tool = 007', equals(tool, '007')],
    ['n = 007', equals(member('n'), 7, '007')],
    ['n = -1.50', equals(member('n'), -1.5, '-1.50')],
    ['n = "7"', equals(member('n'), '7')],
    ['n = true', equals(member('n'), true)],
    ['n = null', equals(member('n'), null)],
    ['n = True', equals(member('n'), 'True')],
    ['n = 1e999', equals(member('n'), '1e999')],
    ['n = foo*', equals(member('n'), 'foo*')],
    ['entity = user_id:mia', equals({ of: 'record', name: 'entity' }, 'user_id:mia')],
    ['result = "a\\n\\u00e9\\\\"', equals(member('result'), 'a\né\\')],
    ['seq = 5', equals(seq, 5)],
    ['seq:5', equals(seq, 5)],
    ['duration = 2s', equals(duration, 2000, '2s')],
  ],
  [
    '<, <=, > and >= take numbers, durations and times',
    ['n<5', number(member('n'), '<', 5)],
    ['seq >= 5', number(seq, '>=', 5)],
    ['duration > 1.5s', number(duration, '>', 1500)],
    ['duration <= 5m', number(duration, '<=', 300_000)],
    ['duration < 250', number(duration, '<', 250)],
    ['date < 2026-11-21', time(member('date'), '<', '2026-11-21')],
    ['issued > -15m', time(issued, '>', NOW - 900_000)],
    ['issued >= 10:00', time(issued, '>=', '2026-11-22T10:00Z')],
    ['issued >= 2026-11-21 10:00:05 a', and(time(issued, '>=', '2026-11-21T10:00:05Z'), words('a'))],
    ['issued >= today or a', or(time(issued, '>=', '2026-11-22'), words('a'))],
    ['(issued < yesterday 9:30)', time(issued, '<', '2026-11-21T09:30Z')],
  ],
  [
    'a day is the whole day',
    ['issued:today', and(time(issued, '>=', '2026-11-22'), time(issued, '<', '2026-11-23'))],
    ['issued = 2026-11-21', and(time(issued, '>=', '2026-11-21'), time(issued, '<', '2026-11-22'))],
    ['issued > 2026-11-21', time(issued, '>=', '2026-11-22')],
    ['issued <= 2026-11-21', time(issued, '<', '2026-11-22')],
    ['issued != yesterday', not(and(time(issued, '>=', '2026-11-21'), time(issued, '<', '2026-11-22')))],
  ],
  [
    'regular expressions stand between slashes, or in quotes behind ~',
    ['/Error \\d+/i', regex(null, 'Error \\d+', true)],
    ['/a\\/b/', regex(null, 'a/b')],
    ['/user_id=\\d+/', regex(null, 'user_id=\\d+')],
    ['* ~ /a = b/', regex(null, 'a = b')],
    ['tool ~ /^book/', regex(tool, '^book')],
    ['tool~book', regex(tool, 'book')],
    ['path ~ "a/b\\d \\"x"', regex(member('path'), 'a/b\\d "x')],
    ['/a/ or /b c/', or(regex(null, 'a'), regex(null, 'b c'))],
  ],
];

describe('the query language', () => {
  for (const [title, ...examples] of FORMS) {
    it.each(examples)(`${title}: %s`, (text, query) => {
      expect(parseQuery(text, OPTIONS)).toEqual({ ok: true, query });
    });
  }

  it.each(['tag', 'bookmarked'] as const)('has the field %s, of what people gave records', (name) => {
    const query = of({ of: 'record', name }, 'x');
    expect(parseQuery(`${name}:x`, OPTIONS)).toEqual({ ok: true, query });
  });

  it('reads times in the zone of its reader', () => {
    const berlin = { ...OPTIONS, zone: 'Europe/Berlin' };
    const query = time(issued, '>=', '2026-11-22T09:00:00Z');
    expect(parseQuery('issued >= 10:00', berlin)).toEqual({ ok: true, query });
  });

  it.each([
    [
      '2026-10-25T02:30',
      'Europe/Berlin',
      '2026-10-25T00:30:00Z',
      'twice',
      '2026-10-25 02:30+02:00',
      '2026-10-25 02:30+01:00',
    ],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:00:00Z', 'skip', '2026-03-29 03:00+02:00', ''],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00Z', 'twice', '01:45+11:00', '01:45+10:30'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00Z', 'skip', '2026-10-04 02:30+11:00', ''],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T10:00:00Z', 'skip', '2011-12-31 00:00+14:00', ''],
  ])('says how it reads %s in %s, which clocks show twice or never', (text, zone, read, how, first, later) => {
    const parsed = parseQuery(`issued >= ${text}`, { ...OPTIONS, zone });
    expect(parsed).toMatchObject({ ok: true, query: time(issued, '>=', read) });
    const [note] = parsed.ok ? (parsed.notes ?? []) : [];
    expect(note).toMatchObject({ at: 10, end: 10 + text.length, message: expect.stringContaining(how) });
    expect(note?.message).toContain(first);
    expect(note?.message).toContain(later);
  });

  it('says nothing of what is shown once, or has its offset', () => {
    const berlin = { ...OPTIONS, zone: 'Europe/Berlin' };
    for (const text of ['2026-10-25T03:30', '2026-10-25T02:30+01:00', '2026-10-25', '-15m', 'now']) {
      expect(parseQuery(`issued >= ${text}`, berlin)).not.toHaveProperty('notes');
    }
  });
});
