import { describe, expect, it } from 'vitest';
import { fingerprintDigits, fingerprintGroups, orgFingerprint } from '../../src/protocol/index.ts';
import { compareFingerprint, compareOrganization } from '../../src/renderer/screens/cases/compare-fingerprint.ts';
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

describe('comparing digits', () => {
  const digits = fingerprintDigits(kid);

  it('matches whole, with blanks, hyphens or nothing between the groups', () => {
    for (const between of [' ', '-', '', '\n ']) {
      expect(compareFingerprint(kid, digits.join(between))).toEqual({ state: 'matches' });
    }
  });

  it('does not match while digits are missing, and names the first group that differs', () => {
    expect(compareFingerprint(kid, digits.slice(0, 11).join(' '))).toEqual({ state: 'unfinished', missing: 5 });
    const changed = digits.with(7, digits[7] === '00000' ? '11111' : '00000');
    expect(compareFingerprint(kid, changed.join(' '))).toEqual({ state: 'differs', group: 8 });
    expect(compareFingerprint(kid, fingerprintDigits(serviceKid(1)).join(' ')).state).toBe('differs');
    expect(compareFingerprint(kid, `${digits.join(' ')} 1`)).toEqual({ state: 'differs', group: 12 });
  });

  it('takes the short fingerprint of an organization, and of no other', () => {
    const short = orgFingerprint('org_1');
    expect(compareOrganization('org_1', short.replaceAll(' ', ''))).toEqual({ state: 'matches' });
    expect(compareOrganization('org_1', short.slice(0, 8)).state).toBe('unfinished');
    expect(compareOrganization('org_1', orgFingerprint('org_2')).state).toBe('differs');
    expect(compareOrganization('org_1', '')).toEqual({ state: 'empty' });
  });
});
