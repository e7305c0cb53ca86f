/** What is created once, over any kind of archive (docs/decisions/0095-archive.md). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runPath } from '../../src/service/archive/run-name.ts';
import type { Created } from '../../src/service/archive/run-store.ts';
import type { ArchivePlace, NewPlace } from './archive-places.ts';
import { builtChild } from './built-command.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';

const WRITERS = 20;
const name = { kid: 'A'.repeat(43), orgId: 'org_1', first: 1, last: 2, erased: null, decided: null };

function writer({ at, environment }: ArchivePlace, content: string): ChildProcess {
  const options = { env: { ...process.env, ...environment }, stdio: ['pipe', 'pipe', 'inherit'] as const };
  const child = spawn(process.execPath, [builtChild('archive-writer-child'), at, temporaryFolder(), content], {
    ...options,
    stdio: [...options.stdio],
  });
  atEnd(() => void child.kill('SIGKILL'));
  return child;
}

/** As many processes that create the same name at the same moment. */
async function createdBy(place: ArchivePlace, contentOf: (n: number) => string): Promise<Created[]> {
  const children = Array.from({ length: WRITERS }, (_, n) => writer(place, contentOf(n)));
  const said = children.map(({ stdout }) => text(stdout ?? Readable.from([])));
  await Promise.all(children.map(({ stdout }) => once(stdout ?? process.stdout, 'readable')));
  for (const { stdin } of children) stdin?.end('now');
  const texts = await Promise.all(said);
  return texts.map((said) => JSON.parse(said.slice('ready\n'.length)) as Created);
}

export function creatingCases(newPlace: NewPlace): void {
  describe('twenty writers of one name, each a process', () => {
    it('have one winner, and the others are told that it has the same content', async () => {
      const place = newPlace();
      const created = await createdBy(place, () => 'the same');
      const outcomes = created.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'same')).toHaveLength(WRITERS - 1);
      const run = { ...name, second: null };
      expect(await place.store.list()).toEqual([{ path: runPath(run), name: run }]);
    });

    it('with different content have one winner, and the others are kept next to it', async () => {
      const place = newPlace();
      const created = await createdBy(place, (n) => `content ${n}`);
      expect(created.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(new Set(created.map(({ path }) => path)).size).toBe(WRITERS);
      for (const [n, { path }] of created.entries()) expect((await place.read(path)).toString()).toBe(`content ${n}`);
      const files = await place.store.list();
      expect(files).toHaveLength(WRITERS);
      expect(files.every((file) => file.name !== null)).toBe(true);
    });
  });

  it('reads a part of a file', async () => {
    const place = newPlace();
    await place.put('some/file', Buffer.from('0123456789'));
    expect(await text(place.store.bytes('some/file', { start: 3, end: 5 }))).toBe('345');
    expect(await place.store.digest('some/other')).toBeNull();
  });

  it('leaves nothing where a run could not be written', async () => {
    const place = newPlace();
    const write = async (path: string): Promise<never> => {
      await writeFile(path, 'a part');
      throw new Error('as it happens');
    };
    await expect(place.store.create(name, write)).rejects.toThrow('as it happens');
    expect(await place.store.create(name, async () => false)).toBeNull();
    expect(await place.store.list()).toEqual([]);
  });
}
