// Which records a query means: example by example, and against a slow evaluation in the plainest words.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Field,
  foldedWords,
  foldText,
  type Leaf,
  MARK_NAMES,
  type Mark,
  matchesQuery,
  parseQuery,
  type QueriedRecord,
  type Query,
  readingsOf,
} from '../../../src/actions/index.ts';
import { runs } from '../../support/extent.ts';
import { NOW, OPTIONS, queries, recordOf, records } from '../../support/queries.ts';

const leaf = (pointer: string, value: Leaf['value']): Leaf => {
  const path = pointer
    .slice(1)
    .split('/')
    .filter((step) => !/^\d+$/.test(step));
  return { path, pointer, value };
};

const RECORD = recordOf({
  agent: 'airline-agent-3',
  type: 'airline.book',
  tool: 'book_flight',
  outcome: 'failed',
  seq: 42,
  duration: 2500,
  issued: Date.parse('2026-11-22T09:20:00Z'),
  entity: [{ kind: 'user_id', id: 'mia_li_3668' }],
  host: ['a.example'],
  mark: ['FIRST_TOOL', 'FAILED'],
  leaves: [
    leaf('/arguments/user_id', 'mia_li_3668'),
    leaf('/arguments/payments/0/id', 'credit_card_1'),
    leaf('/arguments/payments/1/amount', 250),
    leaf('/arguments/price', '99.50'),
    leaf('/arguments/zip', '00750'),
    leaf('/arguments/chat', '12345678901234567890'),
    leaf('/arguments/other', 12345678901234567000),
    leaf('/arguments/date', '2024-05-20'),
    leaf('/arguments/insured', false),
    leaf('/arguments/note', null),
    leaf('/agent', 'Straße Nr. 5'),
    leaf('/result', 'Error 73: 東京都 is not served'),
  ],
});

function isMeant(text: string): boolean {
  const parsed = parseQuery(text, OPTIONS);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.errors[0]?.message}`);
  return matchesQuery(parsed.query, RECORD);
}

describe('a record is meant by', () => {
  it.each([
    ...[
      '*',
      'ERROR',
      'credit_card',
      '"error 73"',
      'arguments',
      'user_id',
      'payments',
      '250',
      '東京',
      '京都',
      'STRAßE',
      'false',
    ],
    ...['cred*', 'credit_ca*', '*redit_c*', '*"3: 東"*', '/Error \\d+:/', '/error/i', '/^user_id$/'],
    ...['tool:book', 'tool = book_flight', 'agent:airline', 'agent ~ /-3$/', 'outcome:failed', 'mark:first_tool'],
    ...['mark = "New tool"', 'mark:tool', 'mark = failed'],
    ...['mark = first_tool', 'mark = FIRST_TOOL', 'mark != retried'],
    ...[
      'entity = mia_li_3668',
      'entity = user_id:mia_li_3668',
      'entity:mia',
      'host = a.example',
      'host:*',
      '-person:*',
    ],
    ...['seq = 42', 'seq > 41', 'duration > 2s', 'duration <= 2.5s', 'issued > -15m', 'issued:today', 'issued < 10:00'],
    ...['user_id:mia', 'arguments.user_id:mia', 'arguments:mia', '/arguments:mia', 'payments.id = credit_card_1'],
    ...[
      'amount = 250',
      'amount > 249.5',
      'price > 99',
      'price <= 99.5',
      'zip = 00750',
      'chat = 12345678901234567890',
      '12345678901234567890',
      'other = 12345678901234567000',
      'chat > 12345678901234560000',
      'zip = "00750"',
      'insured = false',
    ],
    ...[
      'note = null',
      'note:*',
      'note = *',
      'arguments:*',
      '/arguments/payments/amount = 250',
      '"agent":straße',
      '/agent = "Straße Nr. 5"',
    ],
    ...[
      'date < 2024-06-01',
      'date >= 2024-05-20',
      'tool:(cancel or book)',
      'not cancel',
      'user_id:mia zip:*',
      'x or error',
    ],
  ])('%s', (text) => {
    expect(isMeant(text)).toBe(true);
  });

  it.each([
    ...[
      'cred',
      'card_credit',
      '"credit card"',
      '"73 error"',
      'strass',
      '"user_id mia"',
      '東都',
      '/ERROR/',
      '*"redit c"*',
    ],
    ...[
      'tool:boo',
      'tool = book',
      'agent = Airline-agent-3',
      'outcome = Failed',
      'entity = mia',
      'person:*',
      'tool = "book_flight "',
    ],
    ...['seq != 42', 'seq > 42', 'duration > 2.5s', 'issued > -5m', 'issued:yesterday', 'issued > today'],
    ...[
      'id:mia',
      'user_id.arguments:*',
      '/user_id:*',
      'zip = 751',
      'other = 12345678901234567890',
      'chat = 12345678901234567000',
      'amount = "250"',
      'price < 99',
      'amount > 2020-01-01',
      'date > 5',
    ],
    ...[
      'result > 5',
      'insured = "true"',
      'Arguments:*',
      'user_id:user',
      '/arguments/payments/1/amount = 250',
      'not error',
    ],
  ])('not by %s', (text) => {
    expect(isMeant(text)).toBe(false);
  });

  it('what the agent says of it, with a payload and without', () => {
    const record = { ...RECORD, subject: 'konto/4711', action: 'Überweisung', leaves: [] };
    for (const text of ['4711', 'uberweisung', 'airline', '*konto/*', '/^konto/', 'not 4712', '"airline book"']) {
      const parsed = parseQuery(text, OPTIONS);
      expect(parsed.ok && matchesQuery(parsed.query, record), text).toBe(true);
    }
  });

  it('nothing that asks for content, where the payload is withheld', () => {
    const withheld = { ...RECORD, leaves: [] };
    for (const text of ['error', '*rror*', '/rror/', 'arguments:*', 'amount < 1000']) {
      const parsed = parseQuery(text, OPTIONS);
      expect(parsed.ok && matchesQuery(parsed.query, withheld), text).toBe(false);
    }
  });
});

it('evaluates any query as the plain words say', () => {
  fc.assert(
    fc.property(queries, records, (query, record) => {
      expect(matchesQuery(query, record)).toBe(naively(query, record));
    }),
    runs(5000),
  );
});

/** The same again, written down as the documentation has it. */
function naively(query: Query, record: QueriedRecord): boolean {
  if (query.kind === 'all') return true;
  if ('parts' in query) {
    const meant = query.parts.filter((part) => naively(part, record)).length;
    return query.kind === 'and' ? meant === query.parts.length : meant > 0;
  }
  if (query.kind === 'not') return !naively(query.part, record);
  if (query.kind === 'session') return record.session !== null && naively(query.part, record);
  const { field } = query;
  const isExact = query.kind === 'equals' || query.kind === 'compare';
  const values = field === null ? namesAndValues(record) : naiveValues(record, field, isExact);
  const texts = values.map(String);
  const readings = texts.flatMap((text) => readingsOf(text));
  switch (query.kind) {
    case 'exists':
      return values.length > 0;
    case 'equals':
      if (field?.of === 'record' && field.name === 'mark')
        return texts.some((text) => foldText(text) === foldText(query.text));
      return values.some((value) => value === query.value || (field?.of === 'payload' && value === query.text));
    case 'compare':
      return values.some((value) =>
        naiveCompare(value, query.operator, query.number, query.time, field?.of === 'record'),
      );
    case 'part':
      return readings.some((text) => foldText(text).split(query.text).length > 1);
    case 'matches':
      return texts.some((text) => new RegExp(query.source, query.ignoreCase ? 'iu' : 'u').test(text));
    case 'words': {
      // Between bars, so that whole words are compared.
      const phrase = `|${query.words.join('|')}${query.lastIsPrefix ? '' : '|'}`;
      return readings.some((text) => `|${foldedWords(text).join('|')}|`.includes(phrase));
    }
  }
}

function namesAndValues({ leaves, subject, action, type }: QueriedRecord): Leaf['value'][] {
  return [...leaves.flatMap(({ path }) => path), ...leaves.map(({ value }) => value), subject ?? '', action, type];
}

function naiveValues(record: QueriedRecord, field: Field, isExact: boolean): Leaf['value'][] {
  if (field.of === 'payload') {
    const names = JSON.stringify(field.path).slice(1, -1);
    const found = record.leaves.filter(({ path }) => {
      const ends = path
        .map((_, index) => path.slice(0, index + 1))
        .filter((to) => !isExact || to.length === path.length);
      const starts = field.fromRoot ? [0] : path.map((_, index) => index);
      return ends.some((to) => starts.some((from) => JSON.stringify(to.slice(from)).slice(1, -1) === names));
    });
    return found.map(({ value }) => value);
  }
  const { entity, host, mark: marks, tag, leaves, ...rest } = record;
  const named = new Map<string, unknown>(Object.entries(rest));
  if (field.name === 'entity') return entity.flatMap(({ kind, id }) => [id, `${kind}:${id}`]);
  if (field.name === 'host') return [...host];
  if (field.name === 'mark') return marks.flatMap((mark) => [mark, MARK_NAMES[mark as Mark] ?? mark]);
  if (field.name === 'tag') return [...tag];
  return [named.get(field.name) as Leaf['value']].filter((value) => value !== null);
}

function naiveCompare(
  value: Leaf['value'],
  operator: string,
  number: number | null,
  time: number | null,
  isOfRecord: boolean,
): boolean {
  const limit = number ?? time ?? 0;
  const moments: Readonly<Record<string, number>> = {
    '2026-11-22': Date.parse('2026-11-22'),
    '2026-11-22T09:30:00Z': NOW - 500,
  };
  const isNumber = typeof value === 'string' && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value);
  const asNumber = typeof value === 'number' ? value : isNumber ? Number(value) : undefined;
  const asTime = isOfRecord ? asNumber : moments[String(value)];
  const compared = number === null ? asTime : asNumber;
  if (compared === undefined) return false;
  const order = Math.sign(compared - limit);
  return order === 0 ? operator.length === 2 : operator.startsWith(order < 0 ? '<' : '>');
}
