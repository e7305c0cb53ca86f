// docs/interface.md, Audit: a search result as CSV is opened in spreadsheets, and agents choose what stands in it.
import { expect, it } from 'vitest';
import { csvField } from '../../src/actions/index.ts';

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '\ufeff=1+1',
  '\u200b\u2060=1+1',
  ';=1+1',
  ' ; =1+1',
  '|=1+1',
  '＝1+1',
  '\u202e=1+1',
  '\n=1+1',
])('gives %j an apostrophe', (text) => {
  expect(csvField(text).replace(/^"/, '')).toMatch(/^'/);
});

it.each(['invoice/1', 'a=b', '1-2', '', 'https://x?a=b', 'Ada, 王芳', 7])('leaves %j as it is', (value) => {
  const field = csvField(value);
  expect(field.replaceAll('"', '')).toBe(String(value));
});
