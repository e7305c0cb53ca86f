import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../src/renderer/api/answers.ts';
import { shiftOf } from '../../src/renderer/components/open-ends.ts';
import { lagOf } from '../../src/renderer/components/row-source.ts';
import { offsetFor, type Scrolling, shiftAfter } from '../../src/renderer/lib/row-slots.ts';
import { LedgerRows, pagesAround, TurnedRows } from '../../src/renderer/screens/audit/list/ledger-rows.ts';

const row = (seqNo: number): AuditRow => ({
  operation_id: `id-${seqNo}`,
  agent_id: 'agent',
  operation_type: 'file.write',
  subject: 's',
  action: 'write',
  issued_at: '2026-01-01T00:00:00.000Z',
  seq_no: seqNo,
  server_received_at: '2026-01-01T00:00:00.000Z',
});
/** Rows from one sequence number down to another. */
const page = (from: number, to: number): AuditRow[] => Array.from({ length: from - to + 1 }, (_, n) => row(from - n));

describe('more rows than there are places', () => {
  const scrolling = (from: number, to: number): Scrolling => ({
    rows: 2_000_000,
    slots: 500_000,
    rowHeight: 25,
    view: 500,
    from,
    to,
  });
  const end = 500_000 * 25 - 500;

  it('shift through them in proportion where the scroll bar jumps', () => {
    expect(shiftAfter(0, scrolling(0, end / 2))).toBe(750_000);
    expect(shiftAfter(0, scrolling(0, end))).toBe(1_500_000);
    expect(shiftAfter(900_000, scrolling(end / 2, 0))).toBe(0);
  });

  it('stay where they are while somebody goes row by row', () => {
    expect(shiftAfter(123, scrolling(10_000, 11_000))).toBe(123);
    expect(shiftAfter(123, scrolling(11_000, 10_000))).toBe(123);
  });

  it('do not shift where there is a place for each', () => {
    expect(shiftAfter(5, { ...scrolling(0, 90_000), rows: 500_000 })).toBe(0);
  });

  it('are shifted so that a certain one has a place', () => {
    for (const wanted of [0, 499_999, 500_000, 1_234_567, 1_999_999]) {
      const shift = offsetFor(wanted, 0, 2_000_000, 500_000);
      expect(wanted - shift).toBeGreaterThanOrEqual(0);
      expect(wanted - shift).toBeLessThan(500_000);
      expect(shift).toBeLessThanOrEqual(1_500_000);
    }
    expect(offsetFor(10, 7, 2_000_000, 500_000)).toBe(7);
  });
});

describe('the ledger as a list', () => {
  const rows = new LedgerRows(1000, page(1000, 801), [page(600, 401), page(400, 201)], [page(200, 1)]);

  it('finds a row by its place, where that is loaded', () => {
    expect(rows).toHaveLength(1000);
    expect([0, 199, 200, 400, 999].map((index) => rows.at(index)?.seq_no)).toEqual([1000, 801, undefined, 600, 1]);
    expect(rows.findIndex(({ seq_no }) => seq_no === 401)).toBe(599);
    expect(rows.findIndex(({ seq_no }) => seq_no === 700)).toBe(-1);
    expect(rows.loaded).toEqual({ first: 400, last: 799 });
  });

  it('lags behind where nothing is loaded, and shows the nearest rows that are', () => {
    const seen = (first: number) => lagOf(rows, { first: first - 12, last: first + 35 }, { first, last: first + 22 });
    expect(seen(500)).toBe(0);
    expect(seen(50)).toBe(0);
    // Further up: its first rows; further down: its last ones.
    expect(300 - 12 - seen(300)).toBe(400);
    expect(seen(388)).toBe(388 - 12 - 400);
    const further = new LedgerRows(1000, page(1000, 801), [page(600, 401)]);
    const lag = lagOf(further, { first: 788, last: 835 }, { first: 800, last: 822 });
    expect(835 - lag).toBe(599);
  });

  it('is the same list from its other end, whose first page is always there', () => {
    const oldest = page(200, 1).toReversed();
    const begun = new TurnedRows(new LedgerRows(1000, page(1000, 801), []), oldest);
    expect(begun).toHaveLength(1000);
    expect([0, 199, 200, 799, 800, 999].map((index) => begun.at(index)?.seq_no)).toEqual([
      ...[1, 200, undefined, undefined, 801, 1000],
    ]);
    expect(begun.loaded).toEqual({ first: 0, last: 199 });
    const inside = new TurnedRows(new LedgerRows(1000, page(1000, 801), [page(600, 401)]), oldest);
    expect(inside.loaded).toEqual({ first: 400, last: 599 });
    expect(inside.at(400)?.seq_no).toBe(401);
    expect([5, 500, 900, 700].map((seqNo) => inside.findIndex(({ seq_no }) => seq_no === seqNo))).toEqual([
      ...[4, 499, 899, -1],
    ]);
  });

  it('is loaded in pages around what is looked at', () => {
    expect(pagesAround(0, 30, 1000, 200)).toEqual([0, 1, 2]);
    expect(pagesAround(590, 610, 2000, 200)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(pagesAround(990, 999, 1000, 200)).toEqual([2, 3, 4]);
    expect(pagesAround(0, 0, 0, 200)).toEqual([]);
  });
});

describe('a list that is open at both ends', () => {
  const keyOf = ({ seq_no: seqNo }: AuditRow): string => String(seqNo);

  it('is scrolled on by the rows that came in above it', () => {
    expect(shiftOf(page(10, 5), page(13, 5), keyOf)).toBe(3);
  });

  it('is scrolled back by the rows that were dropped above it', () => {
    expect(shiftOf(page(10, 5), page(8, 1), keyOf)).toBe(-2);
  });

  it('stays where rows came in below it, and where no row is left', () => {
    expect(shiftOf(page(10, 5), page(10, 1), keyOf)).toBe(0);
    expect(shiftOf(page(10, 5), page(4, 1), keyOf)).toBe(0);
  });
});
