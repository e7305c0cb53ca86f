import { describe, expect, it } from 'vitest';
import {
  fingerprintDigits,
  formatTrustEntry,
  namesKey,
  parseTrustEntry,
  publicKeyOf,
  toBase64Url,
} from '../../src/protocol/index.ts';
import { serviceKid, serviceSeed } from '../support/bundle-maker.ts';

const KID = serviceKid(0);
const GROUPS = fingerprintDigits(KID);

describe('protocol V2: whom a reader trusts, as a text', () => {
  it.each([
    [KID, { key: KID, orgId: null }],
    [`${KID}@org_1`, { key: KID, orgId: 'org_1' }],
    [`${KID}@`, { key: KID, orgId: '' }],
    [`${KID}@someone@example.org`, { key: KID, orgId: 'someone@example.org' }],
    [GROUPS.join(' '), { key: GROUPS.join(''), orgId: null }],
    [`${GROUPS.join('-')}@org 1`, { key: GROUPS.join(''), orgId: 'org 1' }],
  ])('%s', (text, entry) => {
    expect(parseTrustEntry(text)).toEqual(entry);
    expect(parseTrustEntry(formatTrustEntry(entry))).toEqual(entry);
  });

  it('names a key by its kid, by itself and by all of its digits, and no other', () => {
    const key = toBase64Url(publicKeyOf(serviceSeed(0)));
    expect(namesKey(parseTrustEntry(`${key}@org_1`), KID)).toBe(true);
    expect(namesKey(parseTrustEntry(key), serviceKid(1))).toBe(false);
    expect(namesKey(parseTrustEntry(KID), KID)).toBe(true);
    expect(namesKey(parseTrustEntry(GROUPS.join(' ')), KID)).toBe(true);
    expect(namesKey(parseTrustEntry(GROUPS.join(' ')), serviceKid(1))).toBe(false);
    expect(namesKey(parseTrustEntry(GROUPS.slice(0, 11).join(' ')), KID)).toBe(false);
    expect(namesKey(parseTrustEntry(KID.toUpperCase()), KID)).toBe(false);
  });
});
