import { describe, expect, it } from 'vitest';
import { fingerprintDigits } from '../../src/protocol/index.ts';
import { readTrustEntries } from '../../src/renderer/screens/verify/trust-entries.ts';
import { serviceKid } from '../support/bundle-maker.ts';

const [one, two] = [serviceKid(0), serviceKid(1)];
const digits = fingerprintDigits(one).join(' ');

describe('whom somebody types that they trust', () => {
  it.each([
    ['', []],
    [one, [one]],
    [`${one} ${two}`, [one, two]],
    [`${one},${two}\n`, [one, two]],
    [digits, [digits]],
    [`${digits}, ${two}@org_1`, [digits, `${two}@org_1`]],
    [(one.match(/.{1,4}/g) ?? []).join(' '), [(one.match(/.{1,4}/g) ?? []).join(' ')]],
  ])('%j', (text, entries) => {
    expect(readTrustEntries(text)).toEqual(entries);
  });
});
