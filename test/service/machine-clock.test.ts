import { describe, expect, it } from 'vitest';
import { machineClock } from '../../src/service/ledger/clock/known-time-file.ts';

const HOUR = 3_600_000;

function machine() {
  const reads = { now: 1_000_000, awake: 500, uptime: 90_000 };
  let asked = 0;
  const clock = machineClock({
    now: () => reads.now,
    awake: () => reads.awake,
    uptime: () => {
      asked++;
      return reads.uptime;
    },
  });
  const pass = (ms: number): void => {
    for (const name of ['now', 'awake', 'uptime'] as const) reads[name] += ms;
  };
  return { clock, reads, pass, asked: () => asked };
}

describe("the machine's uptime", () => {
  it('follows from its other clocks while they go on alike, without asking the system each time', () => {
    const { clock, reads, pass, asked } = machine();
    for (let n = 0; n < 10_000; n++) {
      pass(1);
      expect(clock.uptime()).toBe(reads.uptime);
    }
    expect(asked()).toBe(1);
  });

  it('counts the time that the machine slept', () => {
    const { clock, reads } = machine();
    clock.uptime();
    reads.now += 8 * HOUR;
    reads.uptime += 8 * HOUR;
    expect(clock.uptime()).toBe(reads.uptime);
  });

  it('does not follow a clock that somebody sets, forward or back', () => {
    const { clock, reads, pass } = machine();
    clock.uptime();
    for (const jump of [400 * 24 * HOUR, -30 * 24 * HOUR]) {
      reads.now += jump;
      pass(10);
      expect(clock.uptime()).toBe(reads.uptime);
    }
  });

  it('is asked for again once a minute, so that small differences do not add up', () => {
    const { clock, reads, pass, asked } = machine();
    clock.uptime();
    pass(59_000);
    reads.uptime += 3;
    clock.uptime();
    expect(asked()).toBe(1);
    pass(2000);
    expect(clock.uptime()).toBe(reads.uptime);
  });
});
