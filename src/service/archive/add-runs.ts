import { copyFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipFile, syncFile } from '../../node/index.ts';
import { firstKidOf, readRunHead } from './run-head.ts';
import { readRunPath } from './run-name.ts';
import type { Created, RunStore } from './run-store.ts';

/**
 * Copies a run into an archive, under the name that it has by what it says of itself. It is not verified: that is for whoever follows the archive.
 * @returns null where the file is no run
 */
export async function addRun(path: string, store: RunStore): Promise<Created | null> {
  // The numbers are the file's name; whose run it is, its content.
  const numbers = readRunPath(`${'A'.repeat(43)}/o/${basename(path)}`);
  const head = await readRunHead(() => gunzipFile(path));
  const kid = firstKidOf(head?.serviceKeys ?? []);
  const orgId = head?.orgId ?? null;
  if (numbers === null || kid === null || orgId === null) return null;
  const { first, last, erased, decided } = numbers;
  return await store.create({ kid, orgId, first, last, erased, decided }, async (to) => {
    await copyFile(path, to);
    await syncFile(to);
    return true;
  });
}
