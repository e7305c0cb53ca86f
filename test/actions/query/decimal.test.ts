import { expect, it } from 'vitest';
import {
  decimalText,
  halfOf,
  readDecimal,
  scaledTo,
  spanOfStep,
  TIME_STEPS,
  timeStep,
} from '../../../src/actions/index.ts';

function read(text: string) {
  return readDecimal(text) ?? expect.fail(`${text} is no number`);
}

it('reads and writes decimal numbers with nothing rounded', () => {
  const texts = ['0', '12.50', '-0.07', '123456789012345678.123456789012345678', '0.10'];
  expect(texts.map((text) => decimalText(read(text)))).toEqual(texts);
  expect([decimalText(read('1e3')), decimalText(read('2.5e-4')), decimalText(read('007'))]).toEqual([
    '1000',
    '0.00025',
    '7',
  ]);
  expect(['', 'x', '1,5', '0x10', '1.'].map(readDecimal)).toEqual([null, null, null, null, null]);
});

it('adds and halves exactly', () => {
  const sum = scaledTo(read('0.1'), 2) + scaledTo(read('0.25'), 2);
  expect(decimalText({ digits: sum, scale: 2 })).toBe('0.35');
  expect(decimalText(halfOf(read('0.35')))).toBe('0.175');
  expect(decimalText(halfOf(read('-4')))).toBe('-2');
});

it('names hours, days, weeks and months as clocks of a zone have them', () => {
  const at = Date.parse('2026-10-25T00:30:00Z');
  const hours = [at, at + 3_600_000].map((moment) => timeStep(moment, 'hour', 'Europe/Berlin'));
  // Clocks are put back: 2:30 comes twice.
  expect(hours).toEqual(['2026-10-25T02:00+02:00', '2026-10-25T02:00+01:00']);
  expect(timeStep(at, 'day', 'America/New_York')).toBe('2026-10-24');
  expect(timeStep(at, 'week', 'UTC')).toBe('2026-10-19');
  expect(timeStep(Date.parse('2026-12-31T23:30:00Z'), 'month', 'Asia/Tokyo')).toBe('2027-01');
});

it.each(TIME_STEPS)('knows when a named %s begins and ends, over nights on which clocks change', (step) => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']) {
    for (const day of ['2026-03-29', '2026-10-25', '2026-11-01', '2026-12-31']) {
      for (let quarter = 0; quarter < 96; quarter++) {
        const moment = Date.parse(`${day}T00:00Z`) + quarter * 900_000;
        const name = timeStep(moment, step, zone);
        const [from, to] = spanOfStep(name, step, zone) ?? expect.fail();
        expect(moment).toBeGreaterThanOrEqual(from);
        expect(moment).toBeLessThan(to);
        expect([from - 1, from, to - 1, to].map((at) => timeStep(at, step, zone) === name)).toEqual([
          false,
          true,
          true,
          false,
        ]);
      }
    }
  }
  expect(spanOfStep('no time', step, 'UTC')).toBeNull();
});
