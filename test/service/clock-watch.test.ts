// What puts the machine's clock in doubt, and what does not.
import { describe, expect, it } from 'vitest';
import { ClockWatch, type KnownTime, type LateSubmitter } from '../../src/service/store/clock-watch.ts';
import { codeOf } from '../support/ledger-checks.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 1);

/** A machine whose two clocks are the test's. */
function machine() {
  const reading = { wall: START, up: 5 * DAY };
  const pass = (milliseconds: number): void => {
    reading.wall += milliseconds;
    reading.up += milliseconds;
  };
  const watch = (last: KnownTime | null = null, told?: () => KnownTime | null): ClockWatch =>
    new ClockWatch({ now: () => reading.wall, uptime: () => reading.up }, last, told);
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
        expected: START + 70 * SECOND,
        reads: START + 70 * SECOND + jump,
      });
      expect(clock.known).toMatchObject({ wall: START + 10 * SECOND });
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
    expect(clock.confirm('0000000000000000')).toBeNull();
    expect(clock.confirm(id)).toMatchObject({ id });
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

  it('names another doubt once the clock reads something else, and confirms what it then reads', () => {
    const { reading, pass, watch } = machine();
    const clock = watch();
    reading.wall += 2 * HOUR;
    const first = clock.look();
    pass(HOUR);
    expect(clock.look()).toMatchObject({ id: first?.id, reads: START + 3 * HOUR, expected: START + HOUR });
    reading.wall += 400 * DAY;
    expect(clock.confirm(first?.id ?? '')).toBeNull();
    const second = clock.look();
    expect(second?.id).not.toBe(first?.id);
    pass(HOUR);
    const reads = START + 400 * DAY + 4 * HOUR;
    expect(clock.confirm(second?.id ?? '')).toMatchObject({ reads, expected: START + 2 * HOUR });
    expect(clock.look()).toBeNull();
  });

  it('knows by its name the doubt of an earlier start, and not what the clock reads since', () => {
    const { reading, pass, watch } = machine();
    const last = { wall: reading.wall - DAY, uptime: reading.up - DAY };
    reading.wall += 2 * HOUR;
    const { id = '' } = watch(last).look() ?? {};
    pass(10 * HOUR);
    reading.wall += 5 * SECOND;
    expect(watch(last).isNamed(id)).toBe(true);
    reading.wall += HOUR;
    const later = watch(last);
    expect([later.look()?.cause, later.isNamed(id), later.isNamed(null)]).toEqual(['jump', false, false]);
  });

  it('keeps the last good reading for the next start, which knows the doubt by its name', () => {
    const { reading, pass, watch } = machine();
    const clock = watch();
    pass(HOUR);
    expect(clock.known).toEqual({ wall: reading.wall, uptime: reading.up });
    pass(40 * SECOND);
    clock.check();
    const right = { wall: reading.wall, uptime: reading.up };
    reading.wall += 2 * HOUR;
    const { id = '' } = clock.look() ?? {};
    pass(20 * SECOND);
    expect(clock.known).toEqual(right);
    expect(watch(clock.known).isNamed(id)).toBe(true);
  });

  it('lets a clock return to where it was before it stepped back, for a while and no further', () => {
    const { reading, pass, watch } = machine();
    const clock = watch();
    reading.wall -= 5 * HOUR;
    pass(60 * SECOND);
    expect(clock.look()).toBeNull();
    reading.wall += 7 * HOUR;
    expect(clock.look()).toMatchObject({ cause: 'jump' });
    reading.wall -= 2 * HOUR;
    expect(clock.look()).toBeNull();
    reading.wall -= 5 * HOUR;
    expect(clock.look()).toBeNull();
    pass(2 * HOUR);
    expect(clock.look()).toBeNull();
    reading.wall += 5 * HOUR;
    expect(clock.look()).toMatchObject({ cause: 'jump' });
  });

  it('lets a machine that has just started learn the time after the service', () => {
    const { reading, pass, watch } = machine();
    reading.up = 20 * SECOND;
    // It has no clock of its own and begins where it was shut down.
    const clock = watch({ wall: reading.wall, uptime: null });
    pass(30 * SECOND);
    expect(clock.look()).toBeNull();
    reading.wall += 12 * HOUR;
    expect(clock.look()).toBeNull();
    reading.wall += 15 * DAY;
    expect(clock.look()).toMatchObject({ cause: 'jump' });
    reading.wall -= 15 * DAY;
    pass(HOUR);
    expect(clock.look()).toBeNull();
    reading.wall += 12 * HOUR;
    expect(clock.look()).toMatchObject({ cause: 'jump' });
  });

  const late = 2 * HOUR;
  /** Records of these agents by turns, each late by the same. */
  function expire(
    { pass, reading }: ReturnType<typeof machine>,
    clock: ClockWatch,
    agents: readonly LateSubmitter[],
  ): void {
    for (let n = 0; n < 3; n++) {
      pass(10 * SECOND);
      for (const agent of agents) clock.expired(agent, reading.wall - late);
    }
  }
  const OF_HOME = { orgId: 'home', agentId: 'agent', isHome: true };
  const GUEST = { orgId: 'guest', agentId: 'agent', isHome: false };
  const OTHER_GUEST = { ...GUEST, orgId: 'another' };

  it.each([
    ['one of the home organization', [OF_HOME]],
    ['those of two guests', [GUEST, OTHER_GUEST]],
  ])('believes agents that are all late by the same, before one that is in time: %s', (_, agents) => {
    const test = machine();
    const clock = test.watch({ wall: test.reading.wall - DAY, uptime: null });
    expect(clock.look()).toBeNull();
    expire(test, clock, agents);
    expect(clock.look()).toMatchObject({ cause: 'submitters', expected: test.reading.wall - late });
    expect(clock.confirm(clock.look()?.id ?? '')).not.toBeNull();
    expire(test, clock, agents);
    expect(clock.look()).toBeNull();
  });

  it('lets no guest alone stop the service, with however many agents', () => {
    const test = machine();
    const clock = test.watch({ wall: test.reading.wall - DAY, uptime: null });
    expire(test, clock, [GUEST, { ...GUEST, agentId: 'second' }, { ...GUEST, agentId: 'third' }]);
    expect(clock.look()).toBeNull();
  });

  it('hears no agents where the same start of the machine vouches for the clock', () => {
    const test = machine();
    const clock = test.watch({ wall: test.reading.wall - HOUR, uptime: test.reading.up - HOUR });
    expire(test, clock, [OF_HOME, GUEST, OTHER_GUEST]);
    expect(clock.look()).toBeNull();
  });

  it('forgets what late agents told once an agent agrees with the clock', () => {
    const test = machine();
    const clock = test.watch({ wall: test.reading.wall - DAY, uptime: null });
    expire(test, clock, [GUEST, OTHER_GUEST]);
    expect(clock.look()).toMatchObject({ cause: 'submitters' });
    // In time by what its agent allows, and as late as the others.
    clock.inTime(test.reading.wall - late);
    expect(clock.look()).toMatchObject({ cause: 'submitters' });
    clock.inTime(test.reading.wall - SECOND);
    expect(clock.look()).toBeNull();
    expire(test, clock, [OF_HOME, GUEST, OTHER_GUEST]);
    expect(clock.look()).toBeNull();
  });

  it('takes records that waited somewhere for what they are', () => {
    const { watch, reading } = machine();
    const clock = watch({ wall: reading.wall - DAY, uptime: null });
    for (let n = 0; n < 10; n++) clock.expired(OF_HOME, reading.wall - 3 * HOUR + n * 60 * SECOND);
    expect(clock.look()).toBeNull();
  });

  it('lets no agent stop a service that has taken a record in time', () => {
    const test = machine();
    const clock = test.watch({ wall: test.reading.wall - DAY, uptime: null });
    clock.inTime(test.reading.wall);
    expire(test, clock, [OF_HOME, GUEST, OTHER_GUEST]);
    expect(clock.look()).toBeNull();
  });

  it('ends no other doubt by what an agent says', () => {
    const { reading, watch } = machine();
    const clock = watch();
    reading.wall += late;
    clock.look();
    clock.inTime(reading.wall);
    expect(clock.look()).toMatchObject({ cause: 'jump' });
  });
});

describe('the watch over the clock of a node', () => {
  it('holds everything back where it is ahead of what all others tell, until it is not', () => {
    const { reading, pass, watch } = machine();
    let told: KnownTime | null = { wall: START - HOUR, uptime: reading.up };
    const clock = watch(null, () => told);
    pass(10 * SECOND);
    expect(clock.look()).toMatchObject({ cause: 'nodes', expected: START - HOUR + 10 * SECOND });
    told = { wall: START, uptime: reading.up };
    expect(clock.look()).toBeNull();
  });

  it('asks no others where it is behind them, or nothing was heard of them', () => {
    const { reading, watch } = machine();
    expect(watch(null, () => ({ wall: START + HOUR, uptime: reading.up })).look()).toBeNull();
    expect(watch(null, () => null).look()).toBeNull();
  });

  it('takes a person at their word until it agrees with the others again', () => {
    const { reading, watch } = machine();
    let told = { wall: START - HOUR, uptime: reading.up };
    const clock = watch(null, () => told);
    expect(clock.confirm(clock.look()?.id ?? '')).toMatchObject({ cause: 'nodes' });
    expect(clock.look()).toBeNull();
    told = { wall: START, uptime: reading.up };
    expect(clock.look()).toBeNull();
    told = { wall: START - HOUR, uptime: reading.up };
    expect(clock.look()).toMatchObject({ cause: 'nodes' });
  });
});
