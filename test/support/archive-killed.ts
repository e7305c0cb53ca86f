/** A shipping that is killed at every step, over any kind of archive (docs/decisions/0095-archive.md). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { followArchive, type RefusedRun } from '../../src/service/archive/follow.ts';
import { openRunStore } from '../../src/service/archive/open-run-store.ts';
import type { ShippedRun } from '../../src/service/archive/ship.ts';
import { archiveHost, shipped } from './archive.ts';
import { type ArchivePlace, folderPlace, type NewPlace } from './archive-places.ts';
import { builtChild } from './built-command.ts';
import { atEnd } from './cleanup.ts';

/** Ships in a process that ends itself at a point. @returns the signal that it ended by */
export async function killedAt(
  point: string,
  dataDir: string,
  { at, environment }: ArchivePlace,
  ...archiveKeys: readonly string[]
): Promise<NodeJS.Signals | null> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [builtChild('archive-child'), dataDir, at, point, ...archiveKeys], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  atEnd(() => void child.kill('SIGKILL'));
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal;
}

/** @param ends what a shipping can end behind once all is written, and whether the run has its name there */
export function killedCases(newPlace: NewPlace, ends: readonly (readonly [string, string, boolean])[]): void {
  const whole = folderPlace();
  let dataDir = '';
  let kid = '';
  let run: ShippedRun;
  let bytes: Buffer;

  beforeAll(async () => {
    const host = await archiveHost();
    ({ dataDir, kid } = host.service);
    await host.seal(40);
    const [one] = await shipped(dataDir, whole.store);
    if (one === undefined) throw new Error('nothing was shipped');
    run = one;
    bytes = await whole.read(run.path);
  });

  describe.each([
    ['before the first byte', '0', false],
    ['within the first line', '700', false],
    ['within the records', 'half', false],
    ['before the last byte', 'all but one', false],
    ...ends,
  ] as const)('a shipping that is killed %s', (_, step, isNamed) => {
    it(`leaves ${isNamed ? 'a whole run' : 'nothing that is taken for a run'}, and is completed by the next one`, async () => {
      const size = bytes.length;
      const point = { half: String(size >> 1), 'all but one': String(size - 1) }[step as string] ?? step;
      const place = newPlace();
      expect(await killedAt(point, dataDir, place)).toBe('SIGKILL');
      const refused: RefusedRun[] = [];
      const accepted: unknown[] = [];
      await followArchive({
        store: place.store,
        trustedKids: [kid],
        accepted: [],
        recheck: false,
        signal: new AbortController().signal,
        onAccepted: (one) => void accepted.push(one),
        onRefused: (one) => void refused.push(one),
      });
      expect({ accepted: accepted.length, refused }).toEqual({ accepted: isNamed ? 1 : 0, refused: [] });
      const store = await openRunStore({ at: place.at, spool: dataDir, ...(place.s3 && { s3: place.s3 }) });
      expect(await shipped(dataDir, store)).toEqual(isNamed ? [] : [run]);
      expect(await place.store.list()).toHaveLength(1);
      expect((await place.read(run.path)).equals(bytes)).toBe(true);
      const folders = place.s3 === undefined ? [dataDir, place.at] : [dataDir];
      const left = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }));
      expect(left.filter((path) => path.endsWith('.part'))).toEqual([]);
    });
  });
}
