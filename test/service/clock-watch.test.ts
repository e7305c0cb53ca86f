// What puts the machine's clock in doubt, and what does not.
import { describe, expect, it } from 'vitest';
import { ClockWatch, type KnownTime } from '../../src/service/store/clock-watch.ts';
import { codeOf } from '../support/ledger-checks.ts';

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const START = Date.UTC(2026, 2, 1);

/** A machine whose two clocks are the test's. */
function machine() {
  const reading = { wall: START, up: 5 * DAY };
  const pass = (milliseconds: number): void => {
    reading.wall += milliseconds;
    reading.up += milliseconds;
  };
  const watch = (last: KnownTime | null = null): ClockWatch =>
    new ClockWatch({ now: () => reading.wall, uptime: () => reading.up }, last);
  return { reading, pass, watch };
}

describe('the watch over the clock', () => {
  it.each([2 * 3600 * SECOND, 30 * DAY, 400 * DAY])(
    'holds everything back once the clock jumped by %i ms',
    async (jump) => {
      const { reading, pass, watch } = machine();
      const clock = watch();
      pass(10 * SECOND);
      clock.check();
      reading.wall += jump;
      expect(await codeOf(Promise.resolve().then(() => clock.check()))).toBe('CLOCK_IN_DOUBT');
      pass(60 * SECOND);
      expect(clock.look()).toMatchObject({
        cause: 'jump',
        expected: START + 10 * SECOND,
        reads: START + 10 * SECOND + jump,
      });
      expect(clock.known).toBeNull();
    },
  );

  it('continues by itself once the clock is right again', () => {
    const { reading, pass, watch } = machine();
    const clock = watch();
    reading.wall += 400 * DAY;
    expect(clock.look()).not.toBeNull();
    pass(3600 * SECOND);
    reading.wall -= 400 * DAY;
    expect(clock.look()).toBeNull();
    pass(SECOND);
    clock.check();
  });

  it('takes a person at their word, once and for this doubt alone', () => {
    const { reading, watch } = machine();
    const clock = watch();
    reading.wall += 2 * 3600 * SECOND;
    const id = clock.look()?.id ?? '';
    expect(clock.confirm('0000000000000000')).toBe(false);
    expect(clock.confirm(id)).toBe(true);
    clock.check();
    reading.wall += 2 * 3600 * SECOND;
    expect(clock.look()?.id).not.toBe(id);
  });

  it.each([
    ['a night in which the machine slept', 9 * 3600 * SECOND, 9 * 3600 * SECOND],
    ['half a minute by which the clock was put right', 30 * SECOND, 0],
    ['a clock that stepped back by a day', -DAY, 0],
  ])('says nothing of %s', (_, wall, up) => {
    const { reading, watch } = machine();
    const clock = watch();
    reading.wall += wall;
    reading.up += up;
    expect(clock.look()).toBeNull();
    clock.check();
  });

  it('sees a jump over a restart of the service', () => {
    const { watch, reading } = machine();
    const last = { wall: reading.wall - 2 * 3600 * SECOND - DAY, uptime: reading.up - DAY };
    expect(watch(last).look()).toMatchObject({ cause: 'jump' });
    expect(watch({ ...last, wall: reading.wall - DAY }).look()).toBeNull();
    // The same doubt is named the same at each start, so that the start that was named it can answer it.
    expect(watch(last).look()?.id).toBe(watch(last).look()?.id);
  });

  it('asks after a machine that was off for weeks, and not after one that was off for days', () => {
    const { watch, reading } = machine();
    expect(watch({ wall: reading.wall - 13 * DAY, uptime: null }).look()).toBeNull();
    expect(watch({ wall: reading.wall - 30 * DAY, uptime: null }).look()).toMatchObject({ cause: 'gap' });
    // An uptime that is higher than the present one is of another start.
    expect(watch({ wall: reading.wall - 3 * DAY, uptime: reading.up + 1 }).look()).toBeNull();
  });

  it('believes agents that are all late by the same, before the first that is in time', () => {
    const { watch, pass, reading } = machine();
    const clock = watch({ wall: reading.wall - DAY, uptime: null });
    for (let n = 0; n < 3; n++) {
      expect(clock.look()).toBeNull();
      pass(10 * SECOND);
      clock.expired('agent', reading.wall - 2 * 3600 * SECOND);
    }
    expect(clock.look()).toMatchObject({ cause: 'submitters', expected: reading.wall - 2 * 3600 * SECOND });
    expect(clock.confirm(clock.look()?.id ?? '')).toBe(true);
    for (let n = 0; n < 5; n++) {
      pass(10 * SECOND);
      clock.expired('agent', reading.wall - 2 * 3600 * SECOND);
    }
    expect(clock.look()).toBeNull();
  });

  it('takes records that waited somewhere for what they are', () => {
    const { watch, reading } = machine();
    const clock = watch({ wall: reading.wall - DAY, uptime: null });
    for (let n = 0; n < 10; n++) clock.expired('agent', reading.wall - 3 * 3600 * SECOND + n * 60 * SECOND);
    expect(clock.look()).toBeNull();
  });

  it('lets no agent stop a service that has taken a record in time', () => {
    const { watch, pass, reading } = machine();
    const clock = watch({ wall: reading.wall - DAY, uptime: null });
    clock.accepted();
    for (let n = 0; n < 5; n++) {
      pass(10 * SECOND);
      clock.expired('agent', reading.wall - 2 * 3600 * SECOND);
    }
    expect(clock.look()).toBeNull();
  });
});
