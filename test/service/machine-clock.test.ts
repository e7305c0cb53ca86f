import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  KnownTimeKeeper,
  machineClock,
  readKnownTime,
  startOf,
} from '../../src/service/ledger/clock/known-time-file.ts';
import { ClockWatch } from '../../src/service/store/clock-watch.ts';
import { temporaryFolder } from '../support/folders.ts';

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

describe('the time that an earlier run left', () => {
  const wall = Date.UTC(2026, 2, 1, 18);
  function kept(boot: string | null): string {
    const path = join(temporaryFolder(), 'clock.json');
    writeFileSync(path, JSON.stringify({ wall, uptime: HOUR, boot }));
    return path;
  }

  it('is compared by the uptime within one start of the machine', () => {
    expect(readKnownTime(kept('a'), 0, { boot: 'a', uptime: 2 * HOUR })).toEqual({ wall, uptime: HOUR });
  });

  it.each([
    ['another start', 'a', { boot: 'b', uptime: 2 * HOUR }],
    ['a start with less uptime', 'a', { boot: 'a', uptime: HOUR / 2 }],
    ['a start that the system does not tell from another', null, { boot: null, uptime: 2 * HOUR }],
  ])('is not compared by the uptime over %s', (_, boot, machine) => {
    expect(readKnownTime(kept(boot), 0, machine)).toEqual({ wall, uptime: null });
    expect(readKnownTime(kept(boot), wall + HOUR, machine)).toEqual({ wall: wall + HOUR, uptime: null });
  });

  it('puts no machine in doubt that was off overnight, where nothing tells its starts apart', () => {
    const machine = { boot: null, uptime: 2 * HOUR };
    const clock = { now: () => wall + 12 * HOUR, uptime: () => machine.uptime };
    expect(new ClockWatch(clock, readKnownTime(kept(null), 0, machine)).look()).toBeNull();
  });

  it('tells no start by the boot id of a host where the uptime is that of a container', () => {
    expect(startOf('a', 5 * HOUR, 5 * HOUR)).toBe('a');
    expect(startOf('a', 13 * HOUR, 5 * HOUR)).toBe('a');
    expect(startOf('a', HOUR, 5 * HOUR)).toBeNull();
    expect(startOf(null, 5 * HOUR, 5 * HOUR)).toBeNull();
  });

  it('is written by one at a time, also where the service stops meanwhile', async () => {
    const path = join(temporaryFolder(), 'clock.json');
    const watch = new ClockWatch({ now: () => wall, uptime: () => HOUR }, null);
    const keeper = new KnownTimeKeeper(path, watch, () => undefined);
    await Promise.all([keeper.start(), ...Array.from({ length: 8 }, () => keeper.close())]);
    expect(readKnownTime(path, 0)?.wall).toBe(wall);
    await keeper.close();
  });
});
