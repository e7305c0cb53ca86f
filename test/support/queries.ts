/** Queries and records for the tests of the query language, small enough that they often meet. */
import fc from 'fast-check';
import { type Field, foldedWords, type Leaf, type QueriedRecord, type Query } from '../../src/actions/index.ts';
import { joined } from '../../src/actions/query/query.ts';
import { JOINT } from '../../src/actions/query/words.ts';

/** Half past ten in Berlin, on a Sunday in winter. */
export const NOW = Date.parse('2026-11-22T09:30:00.500Z');
export const OPTIONS = { now: NOW, zone: 'UTC' };

const WORDS = ['credit', 'card', 'cred', '73', '007', 'error', 'not', 'or', 'ete', 'i', '日', '本', 'กิ', 'ア', 'σ'];
const TEXTS = [
  ...[
    'credit_card',
    'Credit card 73',
    'Error 73: not found',
    '007',
    '73',
    '-1.5',
    'true',
    'ÉTÉ',
    'İ',
    '日本',
    'กิน',
    'ΟΣ',
  ],
  ...['cr\u00ad\u200bedit%5Fcard', 'c&eacute;r&#69;d', '\u001b[31mcred\u001b[0m', 'сard', 'credit\\ncard'],
  ...['', '/', '"', '\\', 'a\nb', 'ｱ', '😀', '2026-11-22', '2026-11-22T09:30:00Z', 'card credit', 'cred'],
];
const NAMES = [
  ...[
    'user_id',
    'card',
    'arguments',
    'a b',
    'agent',
    'not',
    '10',
    'a.b',
    'x"y',
    '/s',
    '*',
    '-q',
    'ñ',
    '~0',
    '',
    'a=b',
    '日本',
  ],
];
const SOURCES = [
  ...[
    'card',
    '^Error \\d+',
    'a/b',
    'user_id=\\d+',
    '[a-z]+ ?$',
    '\\\\',
    '"',
    'a = b',
    'é|日',
    '(?:x y)*z',
    '\\.',
    '/i',
    ':',
  ],
];

const word = fc.constantFrom(...WORDS);
const text = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...TEXTS) }, fc.string({ unit: 'binary', maxLength: 6 }));
const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...NAMES) }, fc.string({ unit: 'binary', maxLength: 4 }));
const number = fc.oneof(fc.constantFrom(73, 7, -1.5, 0, 1e21), fc.double({ noNaN: true, noDefaultInfinity: true }));
const noNegativeZero = number.map((value) => value + 0);
const time = fc.oneof(
  fc.constantFrom(NOW, Date.parse('2026-11-22'), 0),
  fc.integer({ min: Date.parse('0001-01-01'), max: Date.parse('9999-12-31') }),
);

const payloadField: fc.Arbitrary<Field> = fc.record({
  of: fc.constant('payload' as const),
  path: fc.array(name, { minLength: 1, maxLength: 3 }),
  fromRoot: fc.boolean(),
});
const textField: fc.Arbitrary<Field> = fc.record({
  of: fc.constant('record' as const),
  name: fc.constantFrom('agent', 'subject', 'session', 'entity', 'host', 'mark', 'error', 'tool'),
});
const numberField: fc.Arbitrary<Field> = fc.record({
  of: fc.constant('record'),
  name: fc.constantFrom('seq', 'duration'),
});
const timeField: fc.Arbitrary<Field> = fc.record({
  of: fc.constant('record'),
  name: fc.constantFrom('issued', 'received'),
});
const anywhere = fc.option(fc.oneof(payloadField, textField), { nil: null });
const anyField = fc.oneof(payloadField, textField, numberField, timeField);
const operator = fc.constantFrom('<', '<=', '>', '>=');

/** Every term as a parser makes it. */
const term: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    kind: fc.constant('words' as const),
    field: anywhere,
    words: fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.tuple(word, word).map(([first, second]) => [first, JOINT, second]),
    ),
    lastIsPrefix: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('part' as const),
    field: anywhere,
    text: fc.oneof(word, fc.constantFrom('d c', '_', '"', '\\', 'a*', 'or', '1.')),
  }),
  fc.record({ kind: fc.constant('exists' as const), field: anyField }),
  fc.record({ kind: fc.constant('equals' as const), field: payloadField, text }).map(asText),
  fc.record({ kind: fc.constant('equals' as const), field: textField, text }).map(asText),
  fc
    .record({ kind: fc.constant('equals' as const), field: fc.oneof(payloadField, numberField), value: noNegativeZero })
    .filter(({ field, value }) => field.of === 'payload' || (value >= 0 && value < 1e15 && Number.isInteger(value)))
    .map(({ value, ...rest }): Query => ({ ...rest, value, text: String(value) })),
  fc
    .record({ kind: fc.constant('equals' as const), field: payloadField, value: fc.constantFrom(true, false, null) })
    .map(({ value, ...rest }): Query => ({ ...rest, value, text: String(value) })),
  fc.record({
    kind: fc.constant('equals' as const),
    field: payloadField,
    value: fc.constant(7),
    text: fc.constant('007'),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    field: fc.oneof(payloadField, timeField),
    operator,
    number: fc.constant(null),
    time,
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    field: payloadField,
    operator,
    number: noNegativeZero,
    time: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    field: numberField,
    operator,
    number: fc.nat(),
    time: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('matches' as const),
    field: anywhere,
    source: fc.constantFrom(...SOURCES),
    ignoreCase: fc.boolean(),
  }),
);

function asText({ kind, field, text: value }: { kind: 'equals'; field: Field; text: string }): Query {
  return { kind, field, value, text: value };
}

/** Queries as `parseQuery` gives them. */
export const queries: fc.Arbitrary<Query> = fc.letrec<{ query: Query; group: Query; not: Query; session: Query }>(
  (tie) => ({
    query: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: term },
      fc.constant<Query>({ kind: 'all' }),
      tie('group'),
      tie('not'),
      tie('session'),
    ),
    group: fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('query'), { minLength: 2, maxLength: 3 }))
      .map(([kind, parts]) => joined(kind, parts)),
    not: tie('query').map((part): Query => ({ kind: 'not', part })),
    session: tie('query').map((part): Query => ({ kind: 'session', part })),
  }),
).query;

const leaf: fc.Arbitrary<Leaf> = fc
  .record({
    path: fc.array(fc.constantFrom('user_id', 'card', 'arguments', 'a b', 'agent', '10', 'ñ'), {
      minLength: 1,
      maxLength: 3,
    }),
    value: fc.oneof({ weight: 3, arbitrary: text }, fc.constantFrom(73, 7, -1.5, 0, true, false, null)),
  })
  .map(({ path, value }) => ({ path, value, pointer: path.map((step) => `/${step}`).join('') }));

const short = fc.constantFrom('credit_card', '73', 'Error 73', 'card', '007', 'ÉTÉ');
const maybe = fc.option(short);

export const records: fc.Arbitrary<QueriedRecord> = fc.record({
  agent: short,
  type: short,
  action: short,
  subject: short,
  operation: short,
  phase: short,
  seq: fc.nat(100),
  issued: time,
  received: time,
  session: maybe,
  tool: maybe,
  outcome: maybe,
  call: maybe,
  person: maybe,
  entity: fc.array(fc.record({ kind: short, id: short }), { maxLength: 2 }),
  host: fc.array(short, { maxLength: 2 }),
  organization: maybe,
  issuer: maybe,
  error: maybe,
  duration: fc.option(fc.nat(100)),
  mark: fc.array(short, { maxLength: 2 }),
  tag: fc.constant([]),
  bookmarked: fc.constant('false'),
  leaves: fc.array(leaf, { maxLength: 5 }),
});

/** A record of which nothing is known but what is given. */
export function recordOf(known: Partial<QueriedRecord>): QueriedRecord {
  return {
    agent: 'a',
    type: 't',
    action: 'x',
    subject: 's',
    operation: 'o',
    seq: 1,
    issued: NOW,
    received: NOW,
    session: null,
    phase: 'record',
    tool: null,
    outcome: null,
    call: null,
    person: null,
    entity: [],
    host: [],
    organization: null,
    issuer: null,
    error: null,
    duration: null,
    mark: [],
    tag: [],
    bookmarked: 'false',
    leaves: [],
    ...known,
  };
}

/** Whether every word of the support file is one: the arbitraries rely on it. */
export const allAreWords = (): boolean => WORDS.every((each) => foldedWords(each).join() === each);
