// The pure parts of the search: filters, times, cells, and what is marked in a text.
import { describe, expect, it } from 'vitest';
import { printQuery } from '../../src/actions/index.ts';
import { PRESETS } from '../../src/renderer/components/time-menu/time-presets.ts';
import { readTime, readTyped } from '../../src/renderer/lib/read-time.ts';
import { auditSearch } from '../../src/renderer/lib/search-params.ts';
import { headInZone, offsetText } from '../../src/renderer/lib/time-zone.ts';
import { stepped } from '../../src/renderer/screens/audit/bar/query-box.tsx';
import { cellValues, rowValues } from '../../src/renderer/screens/audit/list/cell-values.ts';
import { MAX_PICKED, toggled, withRows } from '../../src/renderer/screens/audit/list/selection.ts';
import { markedParts } from '../../src/renderer/screens/audit/preview/marked-parts.ts';
import { filterOf, hasFilters, withoutFilters } from '../../src/renderer/screens/audit/search-filter.ts';
import { timeText } from '../../src/renderer/ui/time.tsx';

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
    expect(filterOf(search, false, 'UTC')).toEqual({ query: 'x', unit: 'actions' });
    expect(filterOf(search, true, 'UTC')).toEqual({ query: '(x) tag = mine', unit: 'actions' });
  });

  it('names the zone in which times of a query, and days of a chart, are meant', () => {
    const zone = 'Asia/Kathmandu';
    expect(filterOf(auditSearch.parse({ query: 'x' }), false, zone)).toEqual({ query: 'x', unit: 'actions', zone });
    expect(filterOf(auditSearch.parse({ query: 'x' }), false, 'UTC')).toEqual({ query: 'x', unit: 'actions' });
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

const ZONES = ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia', 'America/New_York', 'UTC'];

describe('a time that is shown in a zone', () => {
  it.each(ZONES)('of %s reads back as the same moment, whenever it was', (zone) => {
    for (const time of [
      '0000-02-29T11:12:13.014Z',
      '1800-06-01T00:00:00.000Z',
      '2011-12-30T09:59:59.999Z',
      '2011-12-30T10:00:00.000Z',
      '2026-01-15T03:04:05.678Z',
      '2026-04-04T14:45:00.000Z',
      '2026-04-04T15:15:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]) {
      expect(readTime(timeText(time, zone), 0, true, zone)).toBe(time);
    }
  });

  it('tells the two of a doubled hour apart', () => {
    expect(timeText('2026-10-25T00:30:00.002Z', 'Europe/Berlin')).toBe('2026-10-25 02:30:00.002 +02:00');
    expect(timeText('2026-10-25T01:30:00.002Z', 'Europe/Berlin')).toBe('2026-10-25 02:30:00.002 +01:00');
    expect(timeText('2026-04-04T14:45:00Z', 'Australia/Lord_Howe')).toBe('2026-04-05 01:45:00.000 +11:00');
    expect(timeText('2026-04-04T15:15:00Z', 'Australia/Lord_Howe')).toBe('2026-04-05 01:45:00.000 +10:30');
  });

  it('has the offset of its zone, to the second before standard time', () => {
    expect(timeText('2026-01-01T00:00:00Z', 'Asia/Kathmandu')).toBe('2026-01-01 05:45:00.000 +05:45');
    expect(timeText('2011-12-30T09:59:59Z', 'Pacific/Apia')).toBe('2011-12-29 23:59:59.000 -10:00');
    expect(timeText('2011-12-30T10:00:00Z', 'Pacific/Apia')).toBe('2011-12-31 00:00:00.000 +14:00');
    expect(timeText('1800-01-01T00:00:00Z', 'Europe/Berlin')).toBe('1800-01-01 00:53:28.000 +00:53:28');
    expect(timeText('0000-01-01T00:00:00Z', 'Europe/Berlin')).toBe('0000-01-01 00:53:28.000 +00:53:28');
    expect(timeText('no time', 'Europe/Berlin')).toBe('no time');
  });

  it('is named in heads where it is UTC, and has its offset elsewhere', () => {
    expect(headInZone('Issued (UTC)', 'Europe/Berlin')).toBe('Issued');
    expect(headInZone('Issued (UTC)', 'UTC')).toBe('Issued (UTC)');
    expect(offsetText(0, 'Europe/Berlin')).toBe('+01:00');
  });
});

describe('a time that is typed in a zone', () => {
  const NOON = Date.parse('2026-11-21T10:00:00.000Z');

  it('is left alone where it names a zone, or a distance', () => {
    expect(readTime('2026-11-21 10:00Z', NOON, true, 'Europe/Berlin')).toBe('2026-11-21T10:00:00.000Z');
    expect(readTime('2026-11-21 10:00+02:00', NOON, true, 'Europe/Berlin')).toBe('2026-11-21T08:00:00.000Z');
    expect(readTime('-15m', NOON, true, 'Europe/Berlin')).toBe('2026-11-21T09:45:00.000Z');
  });

  it.each([
    ['2026-10-25 14:00', 'Europe/Berlin', '2026-10-25T13:00:00.000Z'],
    ['2026-10-25 02:30 +01:00', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['00:30', 'Asia/Kathmandu', '2026-11-20T18:45:00.000Z'],
    ['2026-10-04 03:00', 'Australia/Lord_Howe', '2026-10-03T16:00:00.000Z'],
  ])('%s in %s is read', (typed, zone, time) => {
    expect(readTyped(typed, zone, NOON)).toEqual({ time });
  });

  it('is asked for again where clocks show it twice or never', () => {
    const twice = readTyped('2026-10-25 02:30', 'Europe/Berlin', NOON).problem;
    expect(twice).toContain('twice. Type +02:00 behind the time for the first, +01:00 for the later one.');
    expect(readTyped('2026-04-05 01:45', 'Australia/Lord_Howe', NOON).problem).toContain('+11:00');
    expect(readTyped('2026-03-29 02:30', 'Europe/Berlin', NOON).problem).toContain('skip');
    expect(readTyped('2026-10-04 02:15', 'Australia/Lord_Howe', NOON).problem).toContain('skip');
    expect(readTyped('2011-12-30 12:00', 'Pacific/Apia', NOON).problem).toContain('skip');
    expect(readTyped('soon', 'Europe/Berlin', NOON).problem).toContain('Not a date or time');
  });
});

describe('presets', () => {
  it('end where the day began, for yesterday', () => {
    const now = Date.parse('2026-03-01T10:00:00.000Z');
    const yesterday = PRESETS.find(({ label }) => label === 'Yesterday')?.reach(now, 'UTC');
    expect(yesterday).toEqual({ from: Date.UTC(2026, 1, 28), to: Date.UTC(2026, 2, 1) });
    const inBerlin = PRESETS.find(({ label }) => label === 'Yesterday')?.reach(Date.UTC(2026, 9, 26), 'Europe/Berlin');
    // A day of 25 hours.
    expect(inBerlin).toEqual({ from: Date.UTC(2026, 9, 24, 22), to: Date.UTC(2026, 9, 25, 23) });
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
