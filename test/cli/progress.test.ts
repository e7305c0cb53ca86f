// What a terminal shows, and what a program gets.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBundleFile } from '../../src/cli/bundle-file.ts';
import { paragraph, wrap } from '../../src/cli/layout.ts';
import { ProgressMeter, progressLine } from '../../src/cli/progress.ts';
import { Terminal } from '../../src/cli/terminal.ts';
import { temporaryFolder } from '../support/folders.ts';

/** A stream as a terminal of so many columns has it, or as a pipe. */
function stream(columns: number | null): NodeJS.WriteStream & { readonly text: () => string } {
  let text = '';
  const writable = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  const terminal = columns === null ? {} : { isTTY: true, columns, getColorDepth: WriteStream.prototype.getColorDepth };
  return Object.assign(writable, terminal, { text: () => text }) as unknown as NodeJS.WriteStream & {
    text: () => string;
  };
}

beforeEach(() => {
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS', 'CI']) vi.stubEnv(name, undefined);
  vi.stubEnv('TERM', 'xterm-256color');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A task of 100 MiB in ten seconds, on a clock of its own. */
function work(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Terminal {
  let now = 0;
  const terminal = new Terminal(out, err, () => now);
  for (; now <= 5000; now += 50) terminal.progress('verifying', now * 10_485.76, 104_857_600, 'bytes');
  return terminal;
}

describe('progress', () => {
  it('shows on a terminal how far a task is, how fast, and how long it takes', () => {
    const [out, err] = [stream(80), stream(80)];
    const terminal = work(out, err);
    const drawn = stripVTControlCharacters(err.text()).split('\r').slice(1);
    expect(drawn.at(-1)).toMatch(/^verifying {2}█+░+ {3}50 % {2}50 MiB of 100 MiB {2}10 MiB\/s {2}5 s left$/);
    expect(drawn.length).toBeLessThanOrEqual(50);
    expect(out.text()).toBe('');
    terminal.line('done');
    expect(err.text().endsWith('\r\x1b[2K')).toBe(true);
    expect(out.text()).toBe('done\n');
  });

  it('is not shown into a pipe, nor on a terminal that cannot draw over a line, nor for what is over at once', () => {
    const pipe = stream(null);
    work(stream(80), pipe).line();
    expect(pipe.text()).toBe('');
    vi.stubEnv('TERM', 'dumb');
    const dumb = stream(80);
    work(stream(80), dumb).line();
    expect(dumb.text()).toBe('');
    vi.stubEnv('TERM', 'xterm');
    const quick = stream(80);
    let now = 0;
    const terminal = new Terminal(stream(80), quick, () => now);
    for (; now <= 450; now += 50) terminal.progress('reading', now, 450, 'bytes');
    expect(quick.text()).toBe('');
  });

  it('never is wider than the terminal', () => {
    const state = { what: 'writing the report', unit: 'bytes', done: 5e11, total: 9e12, rate: 1e8 } as const;
    for (let columns = 1; columns <= 200; columns++) {
      expect(progressLine(state, columns).length).toBeLessThan(Math.max(1, columns));
    }
    expect(progressLine(state, 60)).toContain('left');
    expect(progressLine(state, 30)).not.toContain('left');
  });

  it('has the rate of the last seconds, and none before there is one', () => {
    const meter = new ProgressMeter('copying', 'pages');
    expect(meter.step(0, 1000, 0).rate).toBeNull();
    for (let second = 1; second <= 10; second++) meter.step(second * 50, 1000, second * 1000);
    expect(meter.step(500, 1000, 10_000).rate).toBeCloseTo(50);
    // It stands still from here on.
    for (let second = 11; second <= 30; second++) meter.step(500, 1000, second * 1000);
    expect(meter.step(500, 1000, 30_000).rate).toBe(0);
    expect(progressLine(meter.step(500, 1000, 30_000), 80)).not.toContain('left');
    expect(meter.continues('copying', 'pages', 600)).toBe(true);
    expect(meter.continues('copying', 'pages', 0)).toBe(false);
  });

  it('counts and has a rate where nobody knows the total', () => {
    const meter = new ProgressMeter('reading the ledger', 'records');
    meter.step(0, null, 0);
    expect(progressLine(meter.step(5000, null, 2000), 80)).toBe('reading the ledger  5,000 records  2,500/s');
    expect(progressLine(meter.step(5000, null, 2000), 12)).toBe('reading the');
  });

  it('of a compressed bundle is that of the compressed file', async () => {
    const path = join(temporaryFolder(), 'a.csbundle.gz');
    writeFileSync(path, gzipSync(`{"padding": "${'x'.repeat(5_000_000)}"}`));
    const told: [number, number][] = [];
    const { source, size } = await openBundleFile(path, (done, total) => told.push([done, total]));
    let unpacked = 0;
    for await (const chunk of source()) unpacked += chunk.length;
    expect(unpacked).toBeGreaterThan(5_000_000);
    expect(told.at(-1)).toEqual([size, size]);
  });
});

describe('colours', () => {
  const styled = (columns: number | null, name = ''): string => {
    const out = stream(columns);
    const terminal = new Terminal(out, stream(columns));
    const badge = terminal.badge(['bold', 'red'], 'Verdict: failed');
    terminal.wrapped(`${name}${terminal.style('red', `${name}FAIL`)} ${badge}`, 2);
    return out.text().trimEnd();
  };

  it('are used on a terminal, and nowhere else', () => {
    expect(styled(80)).toContain('\x1b[31mFAIL');
    expect(styled(80)).toContain(' Verdict: failed \x1b');
    expect(styled(null)).toBe('FAIL Verdict: failed');
    vi.stubEnv('NO_COLOR', '1');
    expect(styled(80)).toBe('FAIL Verdict: failed');
    vi.stubEnv('NO_COLOR', undefined);
    vi.stubEnv('TERM', 'dumb');
    expect(styled(80)).toBe('FAIL Verdict: failed');
  });

  it.each([80, null])('are no text’s own, which could hide what is behind it, on %s columns', (columns) => {
    const [hidden, shown] = ['\x1b[8ma', '⟨U+001B⟩[8ma'];
    expect(styled(columns, hidden)).toBe(styled(columns, shown));
    expect(styled(columns, hidden)).toContain(`${shown}${columns === null ? '' : '\x1b[31m'}${shown}FAIL`);
  });
});

describe('a long line', () => {
  const text = '       The record does not continue the chain of the agent where the record before it ended.';

  it('is broken on a terminal, below its own beginning', () => {
    const out = stream(50);
    new Terminal(out, stream(50)).wrapped(text, 7);
    const lines = out.text().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^ {7}\S.{0,42}$/);
  });

  it('is whole for a program', () => {
    const out = stream(null);
    new Terminal(out, stream(null)).wrapped(text, 7);
    expect(out.text()).toBe(`${text}\n`);
  });

  it('keeps a word that is longer than the line', () => {
    expect(wrap(`a ${'x'.repeat(60)} b`, 40)).toEqual(['a', 'x'.repeat(60), 'b']);
    expect(paragraph('one two', 80, 2, 4)).toEqual(['  one two']);
  });
});
