// docs/decisions/0095-archive.md: a shipping that is killed at every step leaves what the next one continues from: no run is lost, none is there
// twice, and nobody takes a part of one for a run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { followArchive, type RefusedRun } from '../../src/service/archive/follow.ts';
import type { ShippedRun } from '../../src/service/archive/ship.ts';
import { archiveHost, at, shipped } from '../support/archive.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';

const CHILD = fileURLToPath(new URL('../support/archive-child.ts', import.meta.url));

/** Ships in a process that ends itself at a point. @returns the signal that it ended by */
async function killedAt(point: string, dataDir: string, folder: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [CHILD, dataDir, folder, point], { stdio: ['ignore', 'ignore', 'inherit'] });
  atEnd(() => void child.kill('SIGKILL'));
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal;
}

const whole = temporaryFolder();
let dataDir = '';
let kid = '';
let run: ShippedRun;

beforeAll(async () => {
  const host = await archiveHost();
  ({ dataDir, kid } = host.service);
  await host.seal(40);
  const [one] = await shipped(dataDir, new FolderStore(whole));
  if (one === undefined) throw new Error('nothing was shipped');
  run = one;
});

describe.each([
  ['before the first byte', '0', false],
  ['within the first line', '700', false],
  ['within the records', 'half', false],
  ['before the last byte', 'all but one', false],
  ['behind the last byte', 'written', false],
  ['behind link(2)', 'named', true],
  ['once the name is durable', 'synced', true],
  ['once the temporary name is gone', 'removed', true],
] as const)('a shipping that is killed %s', (_, place, isNamed) => {
  it(`leaves ${isNamed ? 'a whole run' : 'nothing that is taken for a run'}, and is completed by the next one`, async () => {
    const { size } = statSync(at(whole, run));
    const point = { half: String(size >> 1), 'all but one': String(size - 1) }[place as string] ?? place;
    const folder = temporaryFolder();
    const store = new FolderStore(folder);
    expect(await killedAt(point, dataDir, folder)).toBe('SIGKILL');
    const refused: RefusedRun[] = [];
    const accepted: unknown[] = [];
    await followArchive({
      store,
      trustedKids: [kid],
      accepted: [],
      recheck: false,
      signal: new AbortController().signal,
      onAccepted: (one) => void accepted.push(one),
      onRefused: (one) => void refused.push(one),
    });
    expect({ accepted: accepted.length, refused }).toEqual({ accepted: isNamed ? 1 : 0, refused: [] });
    expect(await shipped(dataDir, store)).toEqual(isNamed ? [] : [run]);
    expect(readdirSync(join(folder, run.path, '..'))).toHaveLength(1);
    expect(readFileSync(at(folder, run)).equals(readFileSync(at(whole, run)))).toBe(true);
  });
});
