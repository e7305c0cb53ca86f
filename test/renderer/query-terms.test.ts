// A query that is narrowed by what somebody clicks, and what of it is marked.
import { describe, expect, it } from 'vitest';
import { parseQuery, printQuery, type Query } from '../../src/actions/index.ts';
import { facetsOf } from '../../src/renderer/screens/audit/facets/facet-fields.ts';
import { onlyThese } from '../../src/renderer/screens/audit/list/picked-query.ts';
import { pointerField, standingOf, termsOf, toggledTerm, valueTerm } from '../../src/renderer/screens/audit/terms.ts';

const CONTEXT = { zone: 'UTC' };
const failed = valueTerm({ of: 'record', name: 'outcome' }, 'failed');
const toggled = (text: string, term: Query, want: 'with' | 'without' = 'with') =>
  toggledTerm(text, term, want, CONTEXT);

describe('a term that is clicked', () => {
  it.each([
    ['', 'outcome = failed'],
    ['credit_card', 'credit_card outcome = failed'],
    ['tool:a or tool:b', '(tool:a or tool:b) outcome = failed'],
    ['issued > -15m', 'issued > -15m outcome = failed'],
  ])('is added to %j, which stays as it was typed', (text, expected) => {
    expect(toggled(text, failed)).toBe(expected);
  });

  it('is left out with not', () => {
    expect(toggled('credit_card', failed, 'without')).toBe('credit_card not outcome = failed');
  });

  it.each([
    ['outcome = failed', ''],
    ['credit_card outcome = failed', 'credit_card'],
    ['issued > -15m outcome = failed', 'issued > -15m'],
    ['outcome=failed credit_card', 'credit_card'],
  ])('is taken out of %j again', (text, expected) => {
    expect(toggled(text, failed)).toBe(expected);
  });

  it('turns into its opposite', () => {
    expect(toggled('credit_card outcome = failed', failed, 'without')).toBe('credit_card not outcome = failed');
    expect(toggled('not outcome = failed', failed)).toBe('outcome = failed');
  });

  it('changes nothing in a text that is no query', () => {
    expect(toggled('tool = (', failed)).toBeNull();
  });

  it('is known to be asked for, left out, or neither', () => {
    const standing = (text: string) => standingOf(termsOf(text, CONTEXT), failed);
    expect(standing('x outcome=failed')).toBe('with');
    expect(standing('x -outcome=failed')).toBe('without');
    expect(standing('x or outcome=failed')).toBeNull();
    expect(standing('x (')).toBeNull();
  });
});

describe('the member that a pointer names', () => {
  it('is the same at whatever place in an array', () => {
    const field = pointerField('/result/flights/0/a~1b');
    expect(field).toEqual({ of: 'payload', path: ['result', 'flights', 'a/b'], fromRoot: true });
    const text = printQuery(valueTerm(field, 'HAT069'));
    expect(parseQuery(text, { now: 0, zone: 'UTC' })).toEqual({ ok: true, query: valueTerm(field, 'HAT069') });
  });
});

describe('a query for some records', () => {
  it('finds them by their numbers', () => {
    expect(printQuery(onlyThese([{ seq_no: 3 }, { seq_no: 12 }]))).toBe('seq = 3 or seq = 12');
    expect(printQuery(onlyThese([{ seq_no: 3 }]))).toBe('seq = 3');
  });
});

describe('the facets', () => {
  it('are the fixed ones, and the members that the rules name', () => {
    const fields = facetsOf({ version: 1, facets: ['/arguments/cabin'] }).map(({ field }) => field);
    expect(fields).toContain('outcome');
    expect(fields.at(-1)).toBe('/arguments/cabin');
    expect(facetsOf(undefined).every(({ of }) => of.of === 'record')).toBe(true);
  });
});
