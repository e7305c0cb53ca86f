// A query with what is made of what it finds behind a bar: docs/query-language.md, Groups and sums.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  completionsAt,
  type Grouping,
  groupedQueryText,
  MEASURES,
  parseGroupedQuery,
  parseQuery,
  type QueryErrorCode,
} from '../../../src/actions/index.ts';
import { runs } from '../../support/extent.ts';
import { OPTIONS } from '../../support/queries.ts';

const grouping = (op: Grouping['op'], of: string, ...by: string[]): Grouping => ({ op, of, by });

describe('a query with groups', () => {
  it.each([
    ['tool = pay | sum amount by payee', 'tool = pay', grouping('sum', 'amount', 'payee')],
    ['| count by agent', '', grouping('count', '', 'agent')],
    ['a|b', 'a|b', null],
    ['a | by agent , day', 'a', grouping('count', '', 'agent', 'day')],
    ['a | COUNT', 'a', grouping('count', '')],
    ['a | sum amount', 'a', grouping('sum', 'amount')],
    ['a | median duration by tool,day', 'a', grouping('median', 'duration', 'tool', 'day')],
    [
      'a | max /input/value/amount by "card holder".name',
      'a',
      grouping('max', '/input/value/amount', '"card holder".name'),
    ],
    ['a | min 金额 by 供应商', 'a', grouping('min', '金额', '供应商')],
    ['"a | count by agent"', '"a | count by agent"', null],
    ['/a | count/', '/a | count/', null],
    ['command ~ /\\|\\s*sh$/ | count by host', 'command ~ /\\|\\s*sh$/', grouping('count', '', 'host')],
    ['', '', null],
  ])('is read: %s', (text, query, groups) => {
    expect(parseGroupedQuery(text, OPTIONS)).toEqual({ ok: true, query, grouping: groups });
  });

  // The part that is meant stands between ‹ and ›.
  it.each<[QueryErrorCode, string]>([
    ['UNEXPECTED_END', 'a |‹›'],
    ['UNEXPECTED_CHARACTER', 'curl -s x.example | ‹sh›'],
    ['UNEXPECTED_END', 'a | sum‹›'],
    ['UNEXPECTED_END', 'a | sum ‹›by payee'],
    ['UNEXPECTED_END', 'a | count by ‹›'],
    ['UNEXPECTED_END', 'a | count by agent, ‹›'],
    ['BAD_VALUE', 'a | sum ‹agent› by payee'],
    ['BAD_VALUE', 'a | count by ‹seq›'],
    ['TOO_MANY_TERMS', 'a | count by agent, tool, ‹day›'],
    ['UNEXPECTED_CHARACTER', 'a | count ‹agent›'],
    ['NO_WORDS', 'a ‹_› | count by agent'],
    ['UNCLOSED_QUOTE', 'a ‹"b› | count by agent'],
  ])('%s: %s', (code, marked) => {
    const at = marked.indexOf('‹');
    const end = marked.indexOf('›') - 1;
    const read = parseGroupedQuery(marked.replaceAll(/[‹›]/g, ''), OPTIONS);
    expect(read).toMatchObject({ ok: false, errors: [{ code, at, end }] });
  });

  it('is a query where it is one as a whole', () => {
    const pieces = fc.constantFrom(
      ' ',
      '|',
      'a',
      'sum',
      'count',
      'by',
      ',',
      '"',
      '/',
      '=',
      'tool',
      '(',
      ')',
      '\\',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (each) => {
        const text = each.join('');
        const [read, alone] = [parseGroupedQuery(text, OPTIONS), parseQuery(text, OPTIONS)];
        if (alone.ok) expect(read).toEqual({ ok: true, query: text.trim(), grouping: null });
        else if (read.ok) expect(parseQuery(read.query, OPTIONS).ok).toBe(true);
      }),
      runs(3000),
    );
  });

  it('is written as it is read', () => {
    const query = fc.constantFrom('', 'a', 'tool = pay outcome = ok', '"a | b"');
    const by = fc.uniqueArray(fc.constantFrom('agent', 'day', 'payee', '/input/value/x'), { maxLength: 2 });
    fc.assert(
      fc.property(query, fc.constantFrom(...MEASURES), by, (given, op, names) => {
        const groups = grouping(op, op === 'count' ? '' : 'amount', ...names);
        const text = groupedQueryText({ query: given, grouping: groups });
        expect(parseGroupedQuery(text, OPTIONS)).toEqual({ ok: true, query: given, grouping: groups });
      }),
      runs(300),
    );
  });

  it.each([
    ['a | ', ['count', 'sum', 'min', 'max', 'median', 'by']],
    ['a | s', ['sum']],
    ['a | sum ', ['duration', 'amount']],
    ['a | sum amount ', ['by']],
    ['a | by ag', ['agent']],
    ['a | by agent, w', ['week']],
    ['a | count by se', ['session']],
  ])('is completed: %s', (text, offered) => {
    const texts = completionsAt(text, text.length, { members: ['amount'], values: {} }).map((each) => each.text);
    expect(texts.slice(0, offered.length)).toEqual(offered);
  });
});
