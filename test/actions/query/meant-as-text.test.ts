// docs/query-language.md, "Texts with signs in them": what is offered as a text, and that the text is found.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesQuery, mayBeText, parseQuery, textQuery } from '../../../src/actions/index.ts';
import { runs } from '../../support/extent.ts';
import { OPTIONS, recordOf } from '../../support/queries.ts';

const PASTED = [
  ...['rm -rf /', 'HEAD:main', 'id=7', 'sha256:2c26b46b', 'error: permission denied', 'Subject: hello'],
  ...['/usr/bin/env node', 'foo(bar', 'a <b> "c', 'x == y', '--force', 'git commit -m "a b"', '/tmp/', 'a\nb: c'],
];

describe('a text that reads as a query', () => {
  it.each(PASTED)('is told from one, and found in quotes: %j', (text) => {
    expect(mayBeText(text, OPTIONS)).toBe(true);
    const query = parseQuery(textQuery(text) ?? '', OPTIONS);
    const found = (value: string) =>
      query.ok && matchesQuery(query.query, recordOf({ leaves: [{ path: ['a'], pointer: '/a', value }] }));
    expect([found(`> ${text} <`), found('something else')]).toEqual([true, false]);
    expect(mayBeText(textQuery(text) ?? '', OPTIONS)).toBe(false);
  });
});

it.each([
  ...['', 'refund', 'refund denied', 'credit_card*', '"rm -rf"', 'tool = book_flight', 'seq > 100', 'issued > -15m'],
  ...['tool:(book or cancel)', 'not refund', 'refund not denied', 'tool ~ /^book/', '*part*', 'temperature -5'],
])('leaves %j what it is', (query) => {
  expect(mayBeText(query, OPTIONS)).toBe(false);
});

it('has a query for any text in which there is something to look for', () => {
  expect([textQuery(' '), textQuery('\u200b')]).toEqual([null, null]);
  expect(textQuery(' => ')).toBe('*"=>"*');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const query = textQuery(text);
      if (query === null) return;
      const parsed = parseQuery(query, OPTIONS);
      const record = recordOf({ leaves: [{ path: ['a'], pointer: '/a', value: text }] });
      expect(parsed.ok && matchesQuery(parsed.query, record)).toBe(true);
    }),
    runs(),
  );
});
