import { describe, expect, it } from 'vitest';
import { fingerprintGroups } from '../../src/protocol/index.ts';
import { compareFingerprint } from '../../src/renderer/screens/cases/compare-fingerprint.ts';
import { serviceKid } from '../support/bundle-maker.ts';

const kid = serviceKid(0);
const groups = fingerprintGroups(kid);

describe('comparing a fingerprint', () => {
  it('matches whole, with or without blanks between the groups', () => {
    expect(compareFingerprint(kid, kid)).toEqual({ state: 'matches' });
    expect(compareFingerprint(kid, ` ${groups.join('\n  ')} `)).toEqual({ state: 'matches' });
  });

  it('does not match while characters are missing, and says how many', () => {
    expect(compareFingerprint(kid, '  ')).toEqual({ state: 'empty' });
    expect(compareFingerprint(kid, groups.slice(0, 2).join(' '))).toEqual({
      state: 'unfinished',
      missing: kid.length - groups.slice(0, 2).join('').length,
    });
  });

  it('names the first group that differs, to the last character and in capitals', () => {
    const last = kid.slice(0, -1) + (kid.endsWith('A') ? 'E' : 'A');
    expect(compareFingerprint(kid, last)).toEqual({ state: 'differs', group: groups.length });
    expect(compareFingerprint(kid, kid.toLowerCase()).state).toBe('differs');
    expect(compareFingerprint(kid, serviceKid(1))).toEqual({ state: 'differs', group: 1 });
    expect(compareFingerprint(kid, `${kid}A`)).toEqual({ state: 'differs', group: groups.length });
  });
});
