import { describe, expect, it } from 'vitest';
import { parseQuery, printQuery, type QueriedRecord, selectRecords } from '../../../src/actions/index.ts';
import { recordOf } from '../../support/queries.ts';

/** Records of a tool in a session, each with a text in its payload. */
const RECORDS = (
  [
    ['s1', 'get_user', 'mia'],
    ['s1', 'cancel', 'HATHAU'],
    ['s2', 'get_user', 'tom'],
    ['s2', 'cancel', 'QQQ111'],
    [null, 'get_user', 'mia'],
    [null, 'cancel', 'ZZZ999'],
    ['s3', 'cancel', 'mia'],
  ] as const
).map(([session, tool, text], index): QueriedRecord => {
  return recordOf({ seq: index + 1, session, tool, leaves: [{ path: ['text'], pointer: '/text', value: text }] });
});

function parsed(text: string) {
  const found = parseQuery(text, { now: 0, zone: 'UTC' });
  if (!found.ok) throw new Error(found.errors[0]?.message);
  return found.query;
}

function found(text: string): number[] {
  return selectRecords(parsed(text), RECORDS).map(({ seq }) => seq);
}

describe('insession(…)', () => {
  it('means every record of a session that has a record of that kind', () => {
    expect(found('insession(mia)')).toEqual([1, 2, 7]);
  });

  it('stands beside other terms, which each record has to meet itself', () => {
    expect(found('insession(mia) tool = cancel')).toEqual([2, 7]);
    expect(found('tool = cancel and not InSession ( mia )')).toEqual([4, 6]);
  });

  it('asks a single record of the session for all terms of this record', () => {
    expect(found('insession(tool = cancel mia)')).toEqual([7]);
    expect(found('insession(tool = cancel) insession(mia) tool = get_user')).toEqual([1]);
  });

  it('has others within it', () => {
    expect(found('insession(not insession(mia) tom)')).toEqual([3, 4]);
  });

  it('is printed as it is read', () => {
    for (const text of ['insession(mia or tom) tool = cancel', 'not insession(insession(mia) tom)']) {
      expect(parsed(printQuery(parsed(text)))).toEqual(parsed(text));
    }
  });

  it('is an ordinary word where no bracket follows', () => {
    expect(parsed('insession')).toMatchObject({ kind: 'words', words: ['insession'] });
  });
});
