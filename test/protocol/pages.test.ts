import { describe, expect, it } from 'vitest';
import { describePages, isPagesCheck, PAGES_REASONS, type PagesCheck } from '../../src/protocol/index.ts';

const REASONED = PAGES_REASONS.map((reason): PagesCheck => ({ status: 'not_comparable', reason, version: '0.1.0' }));

describe('what is said of the pages of a PDF', () => {
  it('that match is said of the bundle’s own rendering, and no verdict of theirs is taken over', () => {
    const { title, text } = describePages({ status: 'match', reason: null, version: '0.1.0' });
    expect(title).toMatch(/match/);
    expect(text).toContain('the verdict here is yours');
  });

  it('that differ is said to be no reading', () => {
    expect(describePages({ status: 'differ', reason: null, version: null }).title).toContain('do not read them');
  });

  it.each(REASONED)('that cannot be compared ($reason) is said to be not verified, with the reason', (check) => {
    const { title, text } = describePages(check);
    expect(title).toContain('not verified');
    expect(text).toContain('(version 0.1.0)');
    expect(describePages({ ...check, version: null }).text).not.toContain('version 0.1.0');
    const others = REASONED.filter(({ reason }) => reason !== check.reason).map((other) => describePages(other).text);
    expect(others).not.toContain(text);
  });

  it('takes from a file what has its form only', () => {
    for (const check of REASONED) expect(isPagesCheck(check)).toBe(true);
    expect(isPagesCheck({ status: 'match', reason: null, version: null })).toBe(true);
    expect(isPagesCheck({ status: 'differ', reason: null, version: '1' })).toBe(true);
    for (const value of [
      null,
      'match',
      {},
      { status: 'match', reason: null, version: 1 },
      { status: 'match', reason: 'too_large', version: null },
      { status: 'not_comparable', reason: null, version: null },
      { status: 'not_comparable', reason: 'because', version: null },
      { status: 'verified', reason: null, version: null },
    ]) {
      expect(isPagesCheck(value), JSON.stringify(value)).toBe(false);
    }
  });
});
