import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RecorderHome, recorderHome } from '../../../src/recorder/base/home.ts';
import { RecordError } from '../../../src/recorder/base/record-error.ts';
import { MissedEvents } from '../../../src/recorder/listen/missed-events.ts';
import type { Take } from '../../../src/recorder/seen/feed.ts';
import type { SeenGap } from '../../../src/recorder/seen/seen.ts';
import { temporaryFolder } from '../../support/folders.ts';

const A = '2026-11-22T10:00:00Z 0b0f4b9e-3c1d-4f6a-8a3b-2f1e0d9c8b7a\n';
const B = '2026-11-22T10:05:00Z -\n';

interface Looking {
  readonly home: RecorderHome;
  readonly missed: MissedEvents;
  readonly gaps: { readonly feed: string; readonly gap: SeenGap }[];
}

function looking(take?: Take, isTaken: (feed: string, eventId: string) => boolean = () => false): Looking {
  const home = recorderHome({ COUNTERSIGN_RECORDER: temporaryFolder() });
  mkdirSync(home.missed);
  const gaps: { feed: string; gap: SeenGap }[] = [];
  const keep: Take = async (feed, [gap]) => {
    if (gap?.kind === 'gap') gaps.push({ feed, gap });
    return { allowed: true, reason: null, operation_ids: [] };
  };
  return { home, gaps, missed: new MissedEvents(home, take ?? keep, isTaken) };
}

describe('events that did not reach a recorder', () => {
  it('become one gap of each program', async () => {
    const { home, missed, gaps } = looking();
    writeFileSync(join(home.missed, 'codex'), A + B);
    writeFileSync(join(home.missed, 'gemini'), B);
    await missed.look();
    await missed.look();
    expect(gaps.map(({ feed, gap }) => [feed, gap.count, gap.first_at, gap.last_at])).toEqual([
      ['codex', 2, '2026-11-22T10:00:00Z', '2026-11-22T10:05:00Z'],
      ['gemini', 1, '2026-11-22T10:05:00Z', '2026-11-22T10:05:00Z'],
    ]);
    expect(readdirSync(home.missed)).toEqual([]);
  });

  const NO_FILES: readonly { readonly name: string; readonly put: (path: string) => void }[] = [
    { name: 'a pipe that nobody writes to', put: (path) => execFileSync('mkfifo', [path]) },
    { name: 'a folder with something in it', put: (path) => mkdirSync(join(path, 'x'), { recursive: true }) },
    { name: 'a link to what has no end', put: (path) => symlinkSync('/dev/zero', path) },
    {
      name: 'a file of more than is read',
      put: (path) => {
        writeFileSync(path, A);
        truncateSync(path, 3 * 1024 ** 3);
      },
    },
  ];
  it.each(NO_FILES)('are a gap of an unknown number where there is $name, once', async ({ put }) => {
    const { home, missed, gaps } = looking();
    put(join(home.missed, 'codex'));
    for (let look = 0; look < 3; look++) await missed.look();
    expect(gaps.map(({ feed, gap }) => [feed, gap.count])).toEqual([['codex', null]]);
    expect(readdirSync(home.missed)).toEqual([]);
  });

  it('are stated as whoever saw them noted: a hook that names nobody, a proxy, a library, or several', async () => {
    const { home, missed, gaps } = looking();
    const by = (source: string): string => B.replace('\n', ` ${source}\n`);
    writeFileSync(join(home.missed, 'codex'), A);
    writeFileSync(join(home.missed, 'gemini'), by('mcp') + by('mcp'));
    writeFileSync(join(home.missed, 'gui'), by('mcp') + A);
    writeFileSync(join(home.missed, 'other'), by('nobody'));
    await missed.look();
    await missed.look();
    expect(gaps.map(({ feed, gap }) => [feed, gap.count, gap.source, gap.reason])).toEqual([
      ['codex', 1, 'hook', 'no recorder answered'],
      ['gemini', 2, 'mcp', 'no recorder answered'],
      ['gui', 2, 'other', 'no recorder answered'],
      ['other', 1, 'other', 'no recorder answered'],
    ]);
  });

  it('are read only after who had the file open could finish', async () => {
    const { home, missed, gaps } = looking();
    writeFileSync(join(home.missed, 'codex'), A);
    await missed.look();
    expect(gaps).toEqual([]);
    const [aside = ''] = readdirSync(home.missed);
    writeFileSync(join(home.missed, aside), B, { flag: 'a' });
    await missed.look();
    expect(gaps[0]?.gap.count).toBe(2);
  });

  it('become a gap with the same id where a crash came before the file was removed', async () => {
    const { home, missed, gaps } = looking();
    writeFileSync(join(home.missed, 'codex'), A);
    await missed.look();
    const [aside = ''] = readdirSync(home.missed);
    await missed.look();
    writeFileSync(join(home.missed, aside), A);
    await missed.look();
    expect(gaps).toHaveLength(2);
    expect(gaps[0]?.gap.event_id).toBe(gaps[1]?.gap.event_id);
  });

  it('stay as long as nothing can be recorded of them', async () => {
    let refusal: 'NOT_INSTALLED' | 'SPOOL_FULL' | null = 'SPOOL_FULL';
    const take: Take = async () => {
      if (refusal !== null) throw new RecordError(refusal, 'no');
      return { allowed: true, reason: null, operation_ids: [] };
    };
    const { home, missed } = looking(take);
    writeFileSync(join(home.missed, 'codex'), A);
    await missed.look();
    await expect(missed.look()).rejects.toMatchObject({ code: 'SPOOL_FULL' });
    refusal = 'NOT_INSTALLED';
    await missed.look();
    const [aside = ''] = readdirSync(home.missed);
    expect(readFileSync(join(home.missed, aside), 'utf8')).toBe(A);
    refusal = null;
    await missed.look();
    expect(readdirSync(home.missed)).toEqual([]);
  });

  it('are none where the recorder has them all the same', async () => {
    const { home, missed, gaps } = looking(undefined, (_feed, eventId) => A.includes(eventId));
    writeFileSync(join(home.missed, 'codex'), A);
    writeFileSync(join(home.missed, 'gemini'), A + B);
    await missed.look();
    await missed.look();
    expect(gaps.map(({ feed, gap }) => [feed, gap.count])).toEqual([['gemini', 1]]);
    expect(readdirSync(home.missed)).toEqual([]);
  });

  it('are counted also where a line is not one of ours', async () => {
    const { home, missed, gaps } = looking();
    writeFileSync(join(home.missed, 'codex'), `${A}\xff\0 garbage\n${'x'.repeat(500)}`);
    writeFileSync(join(home.missed, 'not a feed'), A);
    await missed.look();
    renameSync(join(home.missed, 'not a feed'), join(home.missed, 'constructor'));
    await missed.look();
    expect(gaps.map(({ gap }) => gap.count)).toEqual([3]);
    expect(readdirSync(home.missed)).toEqual(['constructor']);
  });
});
