import { describe, expect, it } from 'vitest';
import { remainingText, sizeText } from '../../src/renderer/lib/size.ts';
import { readOrder, sortCases } from '../../src/renderer/screens/cases/sort-cases.ts';
import type { Case } from '../support/cases.ts';

function aCase(name: string, minute: number, verdict: Case['verdict'], bytes = 0): Case {
  return {
    case_id: name,
    name,
    scope: 'workstation',
    file_name: `${name}.csbundle`,
    bytes,
    sha256: `sha256:${'0'.repeat(64)}`,
    kind: 'bundle',
    receipts: [],
    trusted_kids: [],
    created_at: new Date(minute * 60_000).toISOString(),
    state: verdict === null ? 'importing' : 'ready',
    verifying: false,
    progress: null,
    failure: null,
    pages: null,
    coherence: null,
    verified_at: null,
    verdict,
    verdict_code: null,
    contradicting_items: [],
    checking_items: false,
    unchecked_items: 0,
    report: null,
    issuer_change: null,
    created_by: null,
    items: 1,
    origin: null,
    own_issuer: false,
    resembles_home: false,
  };
}

const CASES = [
  aCase('case 10', 1, 'verified', 5),
  aCase('Case 9', 2, 'failed', 7),
  aCase('case 11', 3, null, 7),
  aCase('case 12', 4, 'incomplete', 1),
];
const sorted = (sort?: string) => sortCases(CASES, readOrder(sort)).map(({ name }) => name);

describe('the list of cases', () => {
  it('is newest first unless the address says otherwise', () => {
    expect(sorted()).toEqual(['case 12', 'case 11', 'Case 9', 'case 10']);
    expect(sorted('imported')).toEqual(['case 10', 'Case 9', 'case 11', 'case 12']);
  });

  it('reads figures in names as figures, and no capitals', () => {
    expect(sorted('name')).toEqual(['Case 9', 'case 10', 'case 11', 'case 12']);
  });

  it('puts first what must be looked at, and last what has no verdict', () => {
    expect(sorted('verdict')).toEqual(['Case 9', 'case 12', 'case 10', 'case 11']);
  });

  it('keeps the newest first among equal ones, whichever way it goes', () => {
    expect(sorted('-size')).toEqual(['case 11', 'Case 9', 'case 10', 'case 12']);
    expect(sorted('size')).toEqual(['case 12', 'case 10', 'case 11', 'Case 9']);
  });
});

describe('sizes and times to wait', () => {
  it('are said in units of their own size', () => {
    expect([0, 1023, 1536, 123_456_789, 5_000_000_000].map(sizeText)).toEqual([
      '0 bytes',
      '1023 bytes',
      '1.5 KiB',
      '118 MiB',
      '4.7 GiB',
    ]);
    expect([0.2, 59.5, 61, 3700].map(remainingText)).toEqual(['1 s left', '60 s left', '2 min left', '1 h 2 min left']);
  });
});
