// The form for people who do not type the language: rows that must all hold.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FORM_OPERATORS,
  type FormOperator,
  type FormRow,
  formOfQuery,
  formOperators,
  narrowed,
  parseField,
  parseQuery,
  printQuery,
  type Query,
  queryOfForm,
} from '../../../src/actions/index.ts';
import { runs } from '../../support/extent.ts';
import { OPTIONS, queries } from '../../support/queries.ts';

const row = (field: string, operator: FormOperator, value = ''): FormRow => ({ field, operator, value });

function queryOf(text: string): Query {
  const parsed = parseQuery(text, OPTIONS);
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message);
  return parsed.query;
}

describe('a form', () => {
  it.each<[string, FormRow[]]>([
    ['*', []],
    ['refund', [row('', 'contains', 'refund')]],
    ['credit_ca*', [row('', 'contains', 'credit_ca*')]],
    ['not "a b"', [row('', 'contains_not', 'a b')]],
    ['*it_c*', [row('', 'has_part', 'it_c')]],
    ['* ~ /a b/', [row('', 'matches', 'a b')]],
    ['/a\\/b/i', [row('', 'matches', '/a/b/i')]],
    ['tool:book', [row('tool', 'contains', 'book')]],
    ['tool = book_flight', [row('tool', 'is', 'book_flight')]],
    ['tool != "a b"', [row('tool', 'is_not', 'a b')]],
    ['tool:*', [row('tool', 'present')]],
    ['not tool:*', [row('tool', 'absent')]],
    ['tool:*oo*', [row('tool', 'has_part', 'oo')]],
    ['not tool ~ /^b/', [row('tool', 'matches_not', '^b')]],
    ['seq > 5 seq <= 9', [row('seq', 'above', '5'), row('seq', 'at_most', '9')]],
    ['duration >= 2000', [row('duration', 'at_least', '2000')]],
    ['issued < 2026-11-21T10:00:00.000Z', [row('issued', 'below', '2026-11-21T10:00:00.000Z')]],
    ['zip = 00750 n = true', [row('zip', 'is', '00750'), row('n', 'is', 'true')]],
    ['arguments.user_id:mia', [row('arguments.user_id', 'contains', 'mia')]],
    ['/a/"b c" = x', [row('/a/"b c"', 'is', 'x')]],
    ['"agent" = x', [row('"agent"', 'is', 'x')]],
  ])('asks %s', (text, rows) => {
    expect(formOfQuery(queryOf(text))).toEqual(rows);
    expect(queryOfForm(rows, OPTIONS)).toEqual({ ok: true, query: queryOf(text) });
  });

  it.each(['a or b', 'not (a b)', 'a (b or c)', 'not not a', 'insession(a)', 'issued != today', 'n = "7"', '-*'])(
    'cannot ask %s',
    (text) => {
      expect(formOfQuery(queryOf(text))).toBeNull();
    },
  );

  it('reads what people type into it', () => {
    const rows = [
      row('issued', 'at_least', 'yesterday 10:00'),
      row('duration', 'above', '2s'),
      row('path', 'is', 'C:\\n "x"'),
    ];
    const query = queryOf('issued >= "yesterday 10:00" duration > 2s path = "C:\\\\n \\"x\\""');
    expect(queryOfForm(rows, OPTIONS)).toEqual({ ok: true, query });
  });

  it('says which rows are wrong, and why', () => {
    const rows = [
      row('tool', 'is', 'x'),
      row('a or b', 'is', 'x'),
      row('seq', 'is', 'many'),
      row('agent', 'below', '5'),
      row('', 'is', 'x'),
      row('', 'contains', '!'),
      row('', 'matches', '('),
    ];
    const read = queryOfForm(rows, OPTIONS);
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.errors.map((error) => [error.row, error.code])).toEqual([
      [1, 'BAD_VALUE'],
      [2, 'BAD_NUMBER'],
      [3, 'UNKNOWN_OPERATOR'],
      [4, 'UNKNOWN_OPERATOR'],
      [5, 'NO_WORDS'],
      [6, 'BAD_REGEX'],
    ]);
  });

  it('offers the operators that fit a field', () => {
    const offered = (field: string): readonly FormOperator[] =>
      formOperators(field === '' ? null : (parseField(field) ?? null));
    expect(offered('n')).toEqual(FORM_OPERATORS);
    expect(offered('')).toEqual(['contains', 'contains_not', 'has_part', 'has_part_not', 'matches', 'matches_not']);
    expect(offered('tool')).not.toContain('below');
    expect(offered('seq')).toEqual(['is', 'is_not', 'below', 'at_most', 'above', 'at_least', 'present', 'absent']);
  });

  it('asks the same as any query that it shows', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const rows = formOfQuery(query);
        fc.pre(rows !== null);
        expect(queryOfForm(rows, OPTIONS)).toEqual({ ok: true, query });
      }),
      runs(3000),
    );
  });

  it('reads any rows or says what is wrong, and never throws', () => {
    const text = fc.oneof(
      fc.constantFrom('tool', 'a b', '"', '/', '/(/', '*', '5', 'x or y', '\\'),
      fc.string({ unit: 'binary' }),
    );
    const rows = fc.array(fc.record({ field: text, operator: fc.constantFrom(...FORM_OPERATORS), value: text }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(rows, (given) => {
        const read = queryOfForm(given, OPTIONS);
        if (read.ok) expect(queryOf(printQuery(read.query))).toEqual(read.query);
        else expect(read.errors.length).toBeGreaterThan(0);
      }),
      runs(3000),
    );
  });
});

it.each([
  ['', 'tool = book'],
  ['*', 'tool = book'],
  ['a = ', 'tool = book'],
  ['credit_card', 'credit_card tool = book'],
  ['a  b ', 'a  b tool = book'],
  ['a or b', '(a or b) tool = book'],
])('narrows %j to %j', (text, result) => {
  expect(narrowed(text, queryOf('tool = book'), OPTIONS)).toBe(result);
});

it('narrows by any condition', () => {
  expect(narrowed('x', queryOf('a or b'), OPTIONS)).toBe('x (a or b)');
  expect(narrowed('x', queryOf('not (a b)'), OPTIONS)).toBe('x not (a b)');
});
