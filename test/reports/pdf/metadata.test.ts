// What a PDF says of itself: readable ASCII, whatever people call a report.
import { describe, expect, it } from 'vitest';
import { plain } from '../../../src/reports/pdf/document/new-document.ts';

describe('a text in the metadata of a PDF', () => {
  it.each([
    ['Report of chosen records: the invoice', 'Report of chosen records: the invoice'],
    ['Fünf Vorgänge – Ōta', 'Funf Vorgange - Ota'],
    ['a 五件 b', 'a _ b'],
    ['</rdf:li>"&\u202e', '_rdf:li_'],
    ['x'.repeat(300), 'x'.repeat(200)],
  ])('is readable and no XML: %s', (text, told) => {
    expect(plain(text)).toBe(told);
  });
});
