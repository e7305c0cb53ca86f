// docs/operations.md, The data folder: it is for one user alone, and nothing in it leads elsewhere.
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeBundle } from '../support/bundle-maker.ts';
import { enterWorkstation, importCase } from '../support/cases.ts';
import { temporaryFolder } from '../support/folders.ts';
import { refusedStart } from '../support/refused-start.ts';
import { exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Everything below a folder. */
function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
}

function newFolder(mode: number): string {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  it('has nothing that other users can read, whatever makes it', async () => {
    const before = process.umask(0o022);
    try {
      const service = await TestService.start();
      const owner = await service.signUp();
      await submitNext(owner, await registerAgent(owner));
      await owner.client.ok('closeEpoch');
      await exportOf(owner);
      const bytes = Buffer.from(makeBundle({ agents: 1, epochs: [2] }).text);
      const desk = await enterWorkstation(service);
      const found = await importCase(desk, { name: 'a', bytes });
      const params = {
        case_id: found.case_id,
        operation_id: makeBundle({ agents: 1, epochs: [2] }).receipts[0]?.operation_id ?? '',
      };
      await desk.call('annotate', { params, body: { tags: ['seen'], note: '' } });
      const open = below(service.dataDir).filter((path) => (modeOf(path) & 0o077) !== 0);
      expect(open).toEqual([]);
      expect(readdirSync(service.dataDir)).toEqual(expect.arrayContaining(['index.sqlite', 'lock.sqlite', 'cases']));
    } finally {
      process.umask(before);
    }
  });

  it('is closed to other users where they could read it', async () => {
    const dataDir = newFolder(0o755);
    await TestService.start({ dataDir });
    expect(modeOf(dataDir)).toBe(0o700);
  });

  it.each([0o777, 0o775, 0o722, 0o1777])('is refused where others can write to it: mode %o', async (mode) => {
    const dataDir = newFolder(mode);
    const error = await refusedStart({ dataDir });
    expect(error).toMatchObject({ code: 'DATA_DIR_UNUSABLE', message: expect.stringContaining('chmod 700') });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)('is refused where it is another user’s, or something in it is', async () => {
    const foreign = newFolder(0o700);
    chownSync(foreign, 12_345, 12_345);
    expect(await refusedStart({ dataDir: foreign })).toMatchObject({
      code: 'DATA_DIR_UNUSABLE',
      message: expect.stringContaining('uid 12345'),
    });
    const dataDir = newFolder(0o700);
    mkdirSync(join(dataDir, 'exports'));
    chownSync(join(dataDir, 'exports'), 12_345, 12_345);
    expect(await refusedStart({ dataDir })).toMatchObject({ message: expect.stringContaining('exports') });
  });

  it.each(['exports', 'cases', 'backups'])('is refused with a symbolic link in place of %s', async (name) => {
    const dataDir = newFolder(0o700);
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(dataDir, name));
    expect(await refusedStart({ dataDir })).toMatchObject({
      code: 'DATA_DIR_UNUSABLE',
      message: expect.stringContaining(`symbolic link in place of ${name}`),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it.each(['index.sqlite', 'lock.sqlite', 'ledger.sqlite'])('is refused with a link in place of %s', async (name) => {
    const dataDir = newFolder(0o700);
    const target = join(temporaryFolder(), 'target');
    writeFileSync(target, '');
    symlinkSync(target, join(dataDir, name));
    expect(await refusedStart({ dataDir })).toMatchObject({ message: expect.stringContaining(name) });
    expect(statSync(target).size).toBe(0);
  });
});
