import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FolderGrowth } from '../../../src/service/operator/health/folder-growth.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';

it('names what in a folder has grown most, folders with all that is in them', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'cases', 'one'), { recursive: true });
  writeFileSync(join(folder, 'ledger.sqlite'), 'x'.repeat(1000));
  let now = 0;
  const growth = new FolderGrowth(folder, () => now);
  atEnd(() => growth.close());
  expect(await growth.most()).toBeNull();
  appendFileSync(join(folder, 'ledger.sqlite'), 'x'.repeat(10));
  writeFileSync(join(folder, 'cases', 'one', 'original'), 'x'.repeat(20));
  now += 60_000;
  expect(await growth.most()).toEqual({ name: 'cases', bytes: 20 });
  rmSync(join(folder, 'cases'), { recursive: true });
  now += 60_000;
  expect(await growth.most()).toEqual({ name: 'ledger.sqlite', bytes: 10 });
});
