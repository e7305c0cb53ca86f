import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RecorderHome, recorderHome } from '../../../src/recorder/base/home.ts';
import { RecordError } from '../../../src/recorder/base/record-error.ts';
import { LeftEvents, leftCount } from '../../../src/recorder/listen/left-events.ts';
import type { Take } from '../../../src/recorder/seen/feed.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { HOOK } from '../../support/hook-runs.ts';
import { noteSeen } from '../../support/stand-in-pipeline.ts';

const IDS = ['0b0f4b9e-3c1d-4f6a-8a3b-2f1e0d9c8b7a', '1b0f4b9e-3c1d-4f6a-8a3b-2f1e0d9c8b7a'] as const;
const NOON = Date.parse('2026-11-22T12:00:00.000Z');

interface Looking {
  readonly home: RecorderHome;
  readonly left: LeftEvents;
  readonly taken: Seen[];
  readonly errors: unknown[];
  /** Leaves a file, as long before noon as is said. */
  put(name: string, text: string, secondsBefore: number): void;
}

function looking(take?: Take): Looking {
  const home = recorderHome({ COUNTERSIGN_RECORDER: temporaryFolder() });
  mkdirSync(home.left);
  const taken: Seen[] = [];
  const errors: unknown[] = [];
  const keep: Take = async (_feed, seen) => {
    taken.push(...seen);
    return { allowed: true, reason: null, operation_ids: [] };
  };
  const onError = (error: unknown): void => void errors.push(error);
  const left = new LeftEvents(home, { take: take ?? keep, installed: () => new Set(), onError });
  const put = (name: string, text: string, secondsBefore: number): void => {
    writeFileSync(join(home.left, name), text);
    const at = NOON / 1_000 - secondsBefore;
    utimesSync(join(home.left, name), at, at);
  };
  return { home, left, taken, errors, put };
}

it('events that hooks left are taken in their order, under their ids and with the time at which they were left', async () => {
  const { home, left, taken, put } = looking();
  put(`claudecode.${IDS[0]}`, HOOK, 10);
  put(`claudecode.${IDS[1]}`, HOOK, 20);
  expect(leftCount(home, 'claudecode')).toBe(2);
  await left.look(NOON);
  expect(taken.map(({ event_id, observed_at }) => [event_id, observed_at])).toEqual([
    [IDS[1], '2026-11-22T11:59:40.000Z'],
    [IDS[0], '2026-11-22T11:59:50.000Z'],
  ]);
  expect(readdirSync(home.left)).toEqual([]);
});

it('an event that its hook had not written to the end is taken as far as it got, once nobody writes any more', async () => {
  const { left, taken, put } = looking();
  put(`claudecode.${IDS[0]}.part`, HOOK.slice(0, -4), 2);
  await left.look(NOON);
  expect(taken).toEqual([]);
  await left.look(NOON + 60_000);
  expect(taken).toMatchObject([{ kind: 'call', call_id: 't', shortened: { cut_off: true } }]);
});

it('an event stays where it cannot be taken now, and becomes a line where its agent is gone', async () => {
  let refusal: 'FOLDER_UNUSABLE' | 'NOT_INSTALLED' = 'FOLDER_UNUSABLE';
  const { home, left, errors, put } = looking(async () => {
    throw new RecordError(refusal, 'no');
  });
  put(`claudecode.${IDS[0]}`, HOOK, 10);
  await left.look(NOON);
  expect(errors).toMatchObject([{ code: 'FOLDER_UNUSABLE' }]);
  expect(leftCount(home, 'claudecode')).toBe(1);
  refusal = 'NOT_INSTALLED';
  await left.look(NOON);
  expect(readdirSync(home.left)).toEqual([]);
  expect(readFileSync(join(home.missed, 'claudecode'), 'utf8')).toMatch(new RegExp(`^\\S+Z ${IDS[0]}\n$`));
});

/** What a proxy hands in. */
function handedIn(...texts: readonly string[]): string {
  return JSON.stringify({ seen: texts.map((text, at) => ({ ...noteSeen(`event ${at}`), source: 'acp', text })) });
}

it('what the library of a service that has an agent to itself left is taken too', async () => {
  const { home, left, taken, put } = looking();
  put(`enterprise@Kasse%203%2E1.${IDS[0]}.library.1`, handedIn('a'), 20);
  expect(leftCount(home, 'enterprise@Kasse%203%2E1')).toBe(1);
  await left.look(NOON);
  expect(taken).toMatchObject([{ kind: 'note', text: 'a' }]);
  expect(readdirSync(home.left)).toEqual([]);
});

it('what proxies left is taken in the same order as what hooks did', async () => {
  const { home, left, taken, errors, put } = looking();
  put(`claudecode.${IDS[0]}`, HOOK, 10);
  put(`claudecode.${IDS[1]}.acp.2`, handedIn('a', 'b'), 20);
  expect(leftCount(home, 'claudecode')).toBe(3);
  await left.look(NOON);
  expect(errors).toEqual([]);
  expect(taken.map((event) => (event.kind === 'note' ? event.text : event.kind))).toEqual(['a', 'b', 'call']);
  expect(readdirSync(home.left)).toEqual([]);
});

it.each([
  ['was killed over', `claudecode.${IDS[0]}.acp.2.part`, handedIn('a', 'b').slice(0, -9), ['-', '-'], false],
  ['has no agent for', `claudecode.${IDS[0]}.acp.2`, handedIn('a', 'b'), ['event 0', 'event 1'], true],
])('what a proxy %s becomes a line for each event', async (_, name, text, ids, isGone) => {
  const { home, left, errors, put } = looking(async () => {
    throw new RecordError(isGone ? 'NOT_INSTALLED' : 'EVENT_INVALID', 'no');
  });
  put(name, text, 60);
  await left.look(NOON);
  expect(errors).toEqual([]);
  const lines = readFileSync(join(home.missed, 'claudecode'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual(ids.map((id) => `${id} acp`));
  expect(readdirSync(home.left)).toEqual([]);
});

it('what no hook left is let alone', async () => {
  const { home, left, taken, errors, put } = looking();
  put('claudecode', HOOK, 10);
  put(`nobody.${IDS[0]}`, HOOK, 10);
  execFileSync('mkfifo', [join(home.left, `claudecode.${IDS[1]}`)]);
  await left.look(NOON);
  expect([taken, errors]).toEqual([[], []]);
  expect(readdirSync(home.left)).toHaveLength(3);
});
