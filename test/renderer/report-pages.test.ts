// What a form says of the size of a report that prints every record.
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/api/index.ts';
import { pagesOf } from '../../src/renderer/lib/report-pages.ts';
import { DETAILED_RECORDS } from '../../src/reports/pdf/pdf-report.ts';

it.each([
  [1, { from: 1, to: 1 }],
  [201, { from: 51, to: 110 }],
  [1164, { from: 300, to: 590 }],
  [50_000, { from: 13_000, to: 25_000 }],
])('says of %i records roughly how many pages they take', (records, pages) => {
  expect(pagesOf(records)).toEqual(pages);
});

it('offers the choice where reports are summaries otherwise', () => {
  expect(LIMITS.detailedRecords).toBe(DETAILED_RECORDS);
});
