// The pure parts of the search: filters, times, cells, and what is marked in a text.
import { describe, expect, it } from 'vitest';
import { printQuery } from '../../src/actions/index.ts';
import { readTime } from '../../src/renderer/lib/read-time.ts';
import { auditSearch } from '../../src/renderer/lib/search-params.ts';
import { headInZone, momentText, offsetText } from '../../src/renderer/lib/time-zone.ts';
import { stepped } from '../../src/renderer/screens/audit/bar/query-box.tsx';
import { PRESETS } from '../../src/renderer/screens/audit/bar/time-presets.ts';
import { cellValues, rowValues } from '../../src/renderer/screens/audit/list/cell-values.ts';
import { MAX_PICKED, toggled, withRows } from '../../src/renderer/screens/audit/list/selection.ts';
import { markedParts } from '../../src/renderer/screens/audit/preview/marked-parts.ts';
import { filterOf, hasFilters, withoutFilters } from '../../src/renderer/screens/audit/search-filter.ts';

const row = (seqNo: number) => ({
  operation_id: `id-${seqNo}`,
  seq_no: seqNo,
  agent_id: 'a',
  operation_type: 't',
  subject: 's',
  action: 'act',
  issued_at: '2026-11-21T10:00:00.000Z',
  server_received_at: '2026-11-21T10:00:01.000Z',
});

describe('the filter of a search', () => {
  it('is the same for rows, counts and chart, without how rows are shown', () => {
    const search = auditSearch.parse({ query: 'x', order: 'oldest', columns: ['agent'], selected: 'id', tag: 'mine' });
    expect(filterOf(search, false, 'utc')).toEqual({ query: 'x', unit: 'actions' });
    expect(filterOf(search, true, 'utc')).toEqual({ query: '(x) tag = mine', unit: 'actions' });
  });

  it('names the zone where a query is read in local time', () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(filterOf(auditSearch.parse({ query: 'x' }), false, 'local')).toEqual({
      query: 'x',
      unit: 'actions',
      zone: timeZone,
    });
    expect(filterOf(auditSearch.parse({ subject: 'x' }), false, 'local')).toEqual({ subject: 'x', unit: 'actions' });
  });

  it('takes a number in the address as a word', () => {
    expect(auditSearch.parse({ query: 4421 }).query).toBe('4421');
  });

  it('is cleared as a whole', () => {
    const search = auditSearch.parse({ query: 'x', beforeSeq: 4, columns: ['agent'] });
    expect(hasFilters(search)).toBe(true);
    expect(hasFilters(withoutFilters(search))).toBe(false);
    expect(withoutFilters(search)).toEqual({ ...withoutFilters({}), columns: ['agent'] });
    expect(withoutFilters(search).beforeSeq).toBeUndefined();
  });
});

describe('local time', () => {
  it.each(['2026-01-15T03:04:05.678Z', '2026-07-15T23:59:59.001Z'])('of %s reads back as the same moment', (time) => {
    const text = momentText(new Date(time), 'local');
    expect(readTime(text, 0, true, 'local')).toBe(time);
  });

  it('leaves what names a zone, or a distance, alone', () => {
    const now = Date.parse('2026-11-21T10:00:00.000Z');
    expect(readTime('2026-11-21 10:00Z', now, true, 'local')).toBe('2026-11-21T10:00:00.000Z');
    expect(readTime('2026-11-21 10:00+02:00', now, true, 'local')).toBe('2026-11-21T08:00:00.000Z');
    expect(readTime('-15m', now, true, 'local')).toBe('2026-11-21T09:45:00.000Z');
  });

  it('is named in heads and offsets', () => {
    expect(headInZone('Issued (UTC)', 'local')).toBe('Issued (local)');
    expect(headInZone('Issued (UTC)', 'utc')).toBe('Issued (UTC)');
    expect(offsetText(new Date(0))).toMatch(/^[+-]\d\d:\d\d$/);
  });
});

describe('presets', () => {
  it('end where the day began, for yesterday', () => {
    const now = Date.parse('2026-03-01T10:00:00.000Z');
    const yesterday = PRESETS.find(({ label }) => label === 'Yesterday')?.reach(now, 'utc');
    expect(yesterday).toEqual({ from: Date.UTC(2026, 1, 28), to: Date.UTC(2026, 2, 1) });
  });
});

describe('the suggestions', () => {
  it('are gone through in a circle that passes the field', () => {
    expect([stepped(-1, 1, 3), stepped(2, 1, 3), stepped(-1, -1, 3), stepped(0, -1, 3)]).toEqual([0, -1, 2, -1]);
  });
});

describe('the cells of a row', () => {
  it('are filtered by what they show', () => {
    const texts = cellValues('agent', row(1)).map(({ term }) => term && printQuery(term));
    expect(texts).toEqual(['agent = a']);
    expect(cellValues('summary', row(1))[0]?.term).toBeNull();
  });

  it('give each term once', () => {
    const labels = rowValues(['tool', 'action', 'agent'], row(1)).map(({ label }) => label);
    expect(labels).toEqual(['Action', 'Agent']);
  });
});

describe('picked rows', () => {
  it('are no more than can be worked with', () => {
    const many = withRows(
      new Map(),
      Array.from({ length: MAX_PICKED + 3 }, (_, n) => row(n)),
    );
    expect(many.size).toBe(MAX_PICKED);
    expect(toggled(many, row(-1)).size).toBe(MAX_PICKED);
    expect(toggled(many, row(0)).size).toBe(MAX_PICKED - 1);
  });
});

describe('what was found in a text', () => {
  const texts = (parts: ReturnType<typeof markedParts>['parts'], kind: string) =>
    parts.filter((part) => part.kind === kind).map(({ text }) => text);

  it('is told apart', () => {
    const { parts, isCut } = markedParts('a credit_card b', [{ start: 2, end: 13 }], false);
    expect(parts.map(({ text }) => text)).toEqual(['a ', 'credit_card', ' b']);
    expect([texts(parts, 'hit'), isCut]).toEqual([['credit_card'], false]);
  });

  it('is shown with what is around it where the text is long', () => {
    const text = `${'x'.repeat(1000)}HIT${'y'.repeat(1000)}`;
    const { parts, isCut } = markedParts(text, [{ start: 1000, end: 1003 }], false);
    expect([texts(parts, 'hit'), texts(parts, 'gap').length, isCut]).toEqual([['HIT'], 2, true]);
    expect(parts.map((part) => part.text).join('').length).toBeLessThan(300);
    const whole = markedParts(text, [{ start: 1000, end: 1003 }], true);
    expect(whole.parts.map((part) => part.text).join('')).toBe(text);
  });

  it('is the whole text where the whole value was asked for', () => {
    expect(texts(markedParts('12', null, false).parts, 'hit')).toEqual(['12']);
  });
});
