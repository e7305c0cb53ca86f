import { expect, it } from 'vitest';
import { withinTime } from '../../src/node/index.ts';

it('runs what ends in time, and tells what it throws', () => {
  let sum = 0;
  const add = (): void => {
    sum = 1 + 1;
  };
  expect(withinTime(60_000, add)).toBe(true);
  expect(sum).toBe(2);
  const fails = (): void => {
    throw new RangeError('its own');
  };
  expect(() => withinTime(60_000, fails)).toThrow(RangeError);
});

it('stops what does not end, and is good for the next', () => {
  let turns = 0;
  const endless = (): void => {
    for (;;) turns++;
  };
  expect(withinTime(20, endless)).toBe(false);
  expect(turns).toBeGreaterThan(0);
  expect(withinTime(60_000, () => undefined)).toBe(true);
});
