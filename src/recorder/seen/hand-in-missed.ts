import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedId } from '../base/programs.ts';

/**
 * Hands in what a feed without a hook's script noted as missed: the system's recorder cannot see the folder, which is the person's. What was put
 * aside before is handed in, and what there is now is put aside, so that whoever had that file open has finished the line by then.
 *
 * A crash at any moment loses nothing: a file is removed once its gap is durable, and the same file handed in twice makes the same gap.
 * @param post whether the recorder answered that the gap of these lines is durable
 * @throws what the file system does
 */
export async function handInMissed(
  missed: string,
  feed: FeedId,
  post: (lines: Buffer) => Promise<boolean>,
): Promise<void> {
  if (!existsSync(missed)) return;
  const aside = (await readdir(missed)).filter((name) => name.startsWith(`${feed}.`));
  for (const name of aside) {
    const path = join(missed, name);
    if (!(await post(await readFile(path)))) return;
    await rm(path, { force: true });
  }
  const current = join(missed, feed);
  if (existsSync(current)) await rename(current, join(missed, `${feed}.${randomUUID()}`));
}
