import { describe, expect, it } from 'vitest';
import { TwoKeys } from '../../src/renderer/app/two-keys.ts';

describe('two keys, one after the other', () => {
  it('are two within 2.5 seconds, and only they', () => {
    const keys = new TwoKeys();
    keys.begin(10_000);
    expect(keys.take(12_499)).toBe(true);
    expect(keys.take(12_499)).toBe(false);
    keys.begin(20_000);
    expect(keys.take(22_500)).toBe(false);
  });

  it('are not any key that is pressed right after the page was opened', () => {
    expect(new TwoKeys().take(100)).toBe(false);
  });
});
