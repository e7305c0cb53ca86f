// docs/evidence-from-before.md: transcripts and logs that are changed at random, read as those of a disk are. No crash, bounded memory,
// and what is not known is said.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { changedJson } from '../../support/changed-messages.ts';
import { run } from '../../support/command-line.ts';
import { IS_NIGHTLY, seedOf } from '../../support/extent.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { execve } from '../../support/found-home.ts';
import { SeededRandom } from '../../support/random.ts';

const SEED = seedOf(20_372);
const FILES_AT_ONCE = 200;
const TIMES = IS_NIGHTLY ? 100 : 1;
const MOST_BYTES = 300 << 20;
const LINE_OF_MEGABYTES = 20;

const FIXTURES = new URL('../../fixtures/transcripts/', import.meta.url).pathname;
const transcripts = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
  .map((name) => readFileSync(join(FIXTURES, name), 'utf8').trimEnd().split('\n'));

const AT = Date.UTC(2026, 10, 27, 7, 50);
const audit = execve(AT, 1, ['ls', '-l', '/home/ada/größe']).trimEnd().split('\n');
const macos = [
  { timestamp: '2026-11-27 07:50:05.123456+0000', processImagePath: '/bin/zsh', processID: 7, eventMessage: 'hello' },
  { traceID: 1, eventMessage: 'ada : COMMAND=/bin/ls -l', timestamp: '2026-11-27 07:50:06.5-0700', processID: 501 },
].map((line) => JSON.stringify(line));
const windows = [
  {
    Id: 4688,
    ProviderName: 'Microsoft-Windows-Security-Auditing',
    TimeCreated: '2026-11-27T07:50:00Z',
    Properties: [{ Value: 'x' }],
  },
].map((line) => JSON.stringify(line));
const cloud = [
  JSON.stringify({
    Records: [
      {
        eventVersion: '1.08',
        eventTime: '2026-11-27T07:50:00Z',
        eventSource: 's3.amazonaws.com',
        eventName: 'PutObject',
      },
    ],
  }),
];
const BASES: readonly (readonly string[])[] = [...transcripts, audit, macos, windows, cloud];

/** A file of which some lines are others, are gone, or stand somewhere else. */
function changedFile(draw: SeededRandom): Buffer {
  const pick = <T>(all: readonly T[]): T => all[draw.below(all.length)] as T;
  const original = pick(BASES);
  const lines = [...original];
  for (let times = draw.below(8); times > 0; times--) {
    const at = draw.below(lines.length);
    const line = lines[at] ?? '';
    const other = pick(original);
    const changed = other.startsWith('{') ? changedJson(draw, [JSON.parse(other)]).toString('latin1') : other.slice(at);
    const instead = [[], [line, line], [changed], [line.slice(0, draw.below(line.length + 1))], [pick(pick(BASES))]];
    lines.splice(at, 1, ...pick(instead));
    if (lines.length === 0) lines.push('{}');
  }
  const bytes = Buffer.from(lines.join(pick(['\n', '\n', '\r\n'])));
  const form = draw.below(12);
  if (form === 0) return gzipSync(bytes).subarray(0, draw.below(bytes.length));
  if (form === 1) return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bytes.toString(), 'utf16le')]);
  for (let n = draw.below(4); n > 0 && bytes.length > 0; n--) bytes[draw.below(bytes.length)] = draw.below(256);
  return bytes;
}

interface Told {
  readonly manifest: { readonly files: readonly unknown[] };
  readonly summary: { readonly unread: number };
  readonly notes: readonly { readonly code: string; readonly message: string }[];
}

async function imported(path: string): Promise<Told> {
  const { code, stdout, stderr } = await run('import-transcripts', path, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe(`transcripts and logs, changed at random (seed ${SEED})`, () => {
  const folder = temporaryFolder();

  it(`end the reading of none of ${TIMES * FILES_AT_ONCE}, in bounded memory`, {
    timeout: TIMES * 30_000,
  }, async () => {
    const draw = new SeededRandom(SEED);
    const before = process.memoryUsage().heapUsed;
    for (let time = 0; time < TIMES; time++) {
      const home = join(folder, 'home');
      mkdirSync(home);
      for (let n = 0; n < FILES_AT_ONCE; n++) writeFileSync(join(home, `${n}.jsonl`), changedFile(draw));
      const { manifest, summary } = await imported(home);
      expect(manifest.files.length).toBeGreaterThan(FILES_AT_ONCE / 4);
      expect(summary.unread).toBeGreaterThan(0);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(MOST_BYTES);
      rmSync(home, { recursive: true });
    }
  });

  it('say of a line what it is where no version that is known has it', async () => {
    const unknown = transcripts.filter((lines) => lines.length > 3);
    for (const [n, lines] of unknown.entries()) {
      const path = join(folder, `unknown-${n}.jsonl`);
      const newer = { type: 'of-a-later-version', table: 'of-a-later-version', uuid: 'u', sessionId: 's', id: 'x' };
      const { sessionId: _, ...ofGemini } = newer;
      writeFileSync(path, [...lines, JSON.stringify(newer), JSON.stringify(ofGemini)].join('\n'));
      const { notes } = await imported(path);
      const said = notes.filter(({ code }) => code === 'UNREAD').map(({ message }) => message);
      expect(said).toContainEqual(expect.stringContaining('of-a-later-version'));
    }
  });

  it('read a line of any length as a part of it, in bounded memory', async () => {
    const [lines = []] = transcripts;
    const path = join(folder, 'long.jsonl');
    const long = JSON.stringify({ type: 'of-a-later-version', uuid: 'u', sessionId: 's', text: 'x'.repeat(1 << 20) });
    writeFileSync(path, [...lines, long.replace('xx', 'x'.repeat(LINE_OF_MEGABYTES << 20))].join('\n'));
    const before = process.memoryUsage().heapUsed;
    expect((await imported(path)).summary.unread).toBeGreaterThan(0);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(MOST_BYTES);
  });
});
