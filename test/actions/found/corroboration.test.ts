// docs/evidence-from-before.md, Second witnesses: an event fits an action by time, program and arguments, or it does not.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ActionToWitness, Corroborations, differencesOf } from '../../../src/actions/found/index.ts';
import type { LogEvent } from '../../../src/actions/logs/index.ts';
import { runs } from '../../support/extent.ts';

const AT = Date.parse('2026-11-21T10:00:00Z');

function action(n: number, command: string | null, more: Partial<ActionToWitness> = {}): ActionToWitness {
  const at = AT + n * 60_000;
  return { n, fromMs: at, toMs: at, command, paths: [], text: `Bash ${command ?? ''}`, ...more };
}

function event(at: number, args: readonly string[], more: Partial<LogEvent> = {}): LogEvent {
  return {
    kind: 'process',
    at,
    id: '1',
    host: null,
    user: null,
    pid: 1,
    parentPid: null,
    program: `/usr/bin/${args[0] ?? ''}`,
    args,
    isOneText: false,
    path: null,
    succeeded: true,
    line: 1,
    endLine: 1,
    ...more,
  };
}

/** Which actions events fit, and how. */
function fits(actions: readonly ActionToWitness[], ...events: readonly LogEvent[]) {
  const search = new Corroborations(actions);
  const all = events.map((one, index) => ({ eventNo: index + 1, logNo: 1, event: one }));
  for (const one of all) search.measure(one);
  return all.flatMap((one) =>
    search.take(one).map(({ n, by, offsetMs, offsetFrom }) => ({ n, by, offsetMs, offsetFrom })),
  );
}

it('measures no clock by a process that more actions may have been than are looked at', () => {
  // Each command is run a second time, beyond those that are looked at; a clock that is twenty seconds ahead would make them fit.
  const begun = [0, 1_000, 2_000];
  const many = Array.from({ length: 8_000 }, (_, at) => {
    const run = begun.find((one) => one === at || one + 5_500 === at);
    return action(at / 60_000, run === undefined ? null : `tool run-${run}`);
  });
  const events = begun.map((at) => event(AT + at + 20_000, ['tool', `run-${at}`]));
  expect(fits(many, ...events)).toEqual([]);
});

describe('a process', () => {
  it.each([
    ['the whole command line, given to a shell', 'rm -rf build && ls', ['bash', '-c', 'rm -rf build && ls'], 'command'],
    [
      'a program with its arguments',
      'cd /tmp; curl -T a.txt https://x.example',
      ['curl', '-T', 'a.txt', 'https://x.example'],
      'arguments',
    ],
    ['a program without any', 'whoami; date', ['whoami'], 'arguments'],
  ])('fits by %s', (_, command, args, by) => {
    expect(fits([action(1, command)], event(AT + 60_500, args))).toMatchObject([{ n: 1, by }]);
  });

  it.each([
    ['another argument', 'curl -T a.txt https://x.example', ['curl', '-T', 'b.txt', 'https://x.example']],
    ['a program whose name is only a part of a word', 'catalog --all', ['cat']],
    ['a shell with nothing of the line', 'ls', ['bash', '-l']],
  ])('does not fit with %s', (_, command, args) => {
    expect(fits([action(1, command)], event(AT + 60_500, args))).toEqual([]);
  });

  it('in one text fits a command that is there as words, and not as a part of them', () => {
    const told = (line: string) => event(AT + 60_500, [line], { program: null, isOneText: true });
    expect(fits([action(1, 'ls')], told('/usr/bin/tools -l'), told('tools'))).toEqual([]);
    expect(fits([action(1, '')], told('sh -c true'))).toEqual([]);
    expect(fits([action(1, 'ls -l')], told('sh -c "ls -l"'))).toMatchObject([{ by: 'command' }]);
  });

  it('does not fit a file without a name', () => {
    const opened = event(AT + 60_500, [], { kind: 'file', program: '/bin/cat', path: '' });
    expect(fits([action(1, 'cat notes')], opened)).toEqual([]);
  });

  it('does not fit minutes away, where no offset of the clocks is known', () => {
    expect(fits([action(1, 'ls -l')], event(AT + 300_000, ['ls', '-l']))).toEqual([]);
  });

  it('fits a clock that is ahead where three commands say by how much, and says by how many', () => {
    const actions = ['ls -1 one', 'ls -2 two', 'ls -3 three', 'make all'].map((command, index) =>
      action(index + 1, command),
    );
    const ahead = 90_000;
    const events = actions.map(({ fromMs, command }) => event(fromMs + ahead + 200, command?.split(' ') ?? []));
    const found = fits(actions, ...events);
    expect(found.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    expect(found[0]).toMatchObject({ offsetFrom: 4 });
    expect(Math.abs((found[0]?.offsetMs ?? 0) - ahead)).toBeLessThan(1_000);
  });
});

it('fits an opened file by its path, and a call of a cloud by its name', () => {
  const reads = action(1, null, { paths: ['/etc/passwd'] });
  const opened = event(AT + 60_000, [], { kind: 'file', path: '/etc/passwd' });
  expect(fits([reads], opened)).toMatchObject([{ n: 1, by: 'path' }]);
  const cloud = action(1, 'aws ec2 start-instances --instance-ids i-0');
  const called = event(AT + 60_000, [], { kind: 'api', program: 'ec2.amazonaws.com StartInstances' });
  expect(fits([cloud], called)).toMatchObject([{ n: 1, by: 'call' }]);
});

it('never fits an event outside of its window, whatever there is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 50 })),
      fc.array(fc.integer({ min: 0, max: 50 })),
      (ours, theirs) => {
        const actions = ours.map((minute, index) =>
          action(index, 'ls -l', { fromMs: AT + minute * 60_000, toMs: AT + minute * 60_000 }),
        );
        const events = theirs.map((minute) => event(AT + minute * 60_000, ['ls', '-l']));
        for (const { offsetMs, offsetFrom } of fits(actions, ...events)) {
          expect(offsetFrom === 0 ? offsetMs === 0 : offsetFrom >= 3).toBe(true);
        }
      },
    ),
    runs(),
  );
});

describe('two accounts of one call', () => {
  const account = { tool: 'Bash', input: { command: 'ls' }, status: 'ok', exitCode: 0 };

  it('differ in what both say, and in nothing that one of them does not', () => {
    expect(differencesOf(account, account)).toEqual([]);
    expect(differencesOf(account, { tool: null, input: undefined, status: null, exitCode: null })).toEqual([]);
    expect(differencesOf(account, { ...account, input: { command: 'rm' }, exitCode: 2, status: 'error' })).toEqual([
      'input',
      'outcome',
      'exit_code',
    ]);
  });

  it('tell a failure alike, whatever kind of failure each calls it', () => {
    expect(differencesOf({ ...account, status: 'timeout' }, { ...account, status: 'error' })).toEqual([]);
    expect(differencesOf({ ...account, status: 'unknown' }, account)).toEqual([]);
  });
});
