// docs/query-language.md: every example is a query, or the error that it is an example of.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/support/paths.ts';
import {
  MARKS,
  MAX_QUERY_DEPTH,
  MAX_QUERY_LENGTH,
  MAX_QUERY_TERMS,
  OUTCOMES,
  parseQuery,
  QUERY_ERROR_CODES,
  RECORD_FIELD_NAMES,
} from '../../../src/actions/index.ts';
import { LIMITS } from '../../../src/api/index.ts';
import { OPTIONS } from '../../support/queries.ts';

const TEXT = readFileSync(join(ROOT, 'docs', 'query-language.md'), 'utf8');

/** Rows of the tables whose first column has this title, as cells. */
function rowsUnder(title: string): string[][] {
  const tables = TEXT.split('\n\n').filter((block) => block.startsWith(`| ${title} |`));
  return tables
    .flatMap((table) => table.split('\n').slice(2))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

const codesIn = (text = ''): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);

describe('the documentation of the query language', () => {
  it.each(rowsUnder('Query').map((cells) => codesIn(cells[1])[0] ?? ''))('has the example %s', (query) => {
    expect(parseQuery(query, OPTIONS)).toMatchObject({ ok: true });
  });

  it.each(
    rowsUnder('Code').flatMap((cells) => codesIn(cells[2]).map((query) => [codesIn(cells[1])[0], query] as const)),
  )('has for %s the example %s', (code, query) => {
    expect(parseQuery(query, OPTIONS)).toMatchObject({ ok: false, errors: [{ code }] });
  });

  it('names every error code, field, outcome and limit', () => {
    expect(rowsUnder('Code').flatMap((cells) => codesIn(cells[1]))).toEqual([...QUERY_ERROR_CODES]);
    expect(new Set(rowsUnder('Field').flatMap((cells) => codesIn(cells[1])))).toEqual(new Set(RECORD_FIELD_NAMES));
    for (const outcome of OUTCOMES) expect(TEXT).toContain(`\`${outcome}\``);
    expect(MARKS).toContain('FIRST_TOOL');
    expect(TEXT).toContain(`${MAX_QUERY_LENGTH} characters, ${MAX_QUERY_DEPTH} levels, ${MAX_QUERY_TERMS} terms`);
    expect(LIMITS.query).toBe(MAX_QUERY_LENGTH);
  });
});
