import { describe, expect, it } from 'vitest';
import { type ComparisonResult, comparisonMeaning } from '../../src/renderer/screens/cases/comparison-meaning.ts';

const differing = (parts: readonly string[]) => ({ seq_no: 1, parts, changed: null, this: {}, other: {} });

function meaningOf(given: object) {
  const result = {
    relation: 'same',
    content_differing: 0,
    first_content_differing: [],
    payloads_uncompared: 0,
    ...given,
  };
  return comparisonMeaning(result as unknown as ComparisonResult);
}

describe('a comparison', () => {
  it('is called the same only where all content was compared and is the same', () => {
    expect(meaningOf({})).toMatchObject({ title: 'The same', outcome: 'pass' });
  });

  it.each(['same', 'this_extends', 'other_extends', 'overlap'])('fails where content differs (%s)', (relation) => {
    const one = { relation, content_differing: 1, first_content_differing: [differing(['payload'])] };
    expect(meaningOf(one)).toMatchObject({
      outcome: 'fail',
      title: 'Receipts agree, 1 record differs in its payload',
    });
  });

  it('says how many records differ, and whether in more than payloads', () => {
    const two = { content_differing: 2, first_content_differing: [differing(['payload']), differing(['payload'])] };
    expect(meaningOf(two).title).toBe('Receipts agree, 2 records differ in their payloads');
    const mixed = { content_differing: 1, first_content_differing: [differing(['payload', 'record'])] };
    expect(meaningOf(mixed).title).toBe('Receipts agree, 1 record differs in content');
  });

  it('is not called the same where a payload was not compared', () => {
    expect(meaningOf({ payloads_uncompared: 1 })).toMatchObject({
      title: 'The same receipts',
      outcome: 'cannot_check',
    });
  });

  it('stays a contradiction, whatever else differs', () => {
    expect(meaningOf({ relation: 'contradiction', content_differing: 1 })).toMatchObject({ outcome: 'fail' });
    expect(meaningOf({ relation: 'contradiction', content_differing: 1 }).title).toMatch(/contradict/);
  });
});
