import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDurably } from '../../node/light.ts';
import type { RecorderHome } from '../base/home.ts';
import { prepareOwnFolder } from '../base/own-files.ts';
import type { ProgramId } from '../base/programs.ts';
import { hookCommandFile } from '../listen/hook-command-file.ts';
import { type HookScriptOptions, hookScript } from '../listen/hook-script.ts';

const IS_WINDOWS = process.platform === 'win32';

/** Makes the recorder's folder and those in it that installation writes to. @throws RecordError FOLDER_UNUSABLE */
export function prepareFolders(home: RecorderHome): void {
  for (const folder of [home.folder, home.agents, home.hooks]) prepareOwnFolder(folder);
}

/** Where the script of a program is: what its hooks run. */
export function scriptPath(home: RecorderHome, feed: ProgramId): string {
  return join(home.hooks, IS_WINDOWS ? `${feed}.cmd` : feed);
}

/** Where a script belongs, and what it starts. */
export type ScriptPlace = Omit<HookScriptOptions, 'onFailure' | 'threshold'>;

/** Writes the hook's script, whole or not at all: a hook may run at this moment. */
export async function writeScript(options: HookScriptOptions): Promise<void> {
  const path = scriptPath(options.home, options.feed);
  const { start } = options;
  const text = IS_WINDOWS && start !== null ? hookCommandFile({ ...options, start }) : hookScript(options);
  const put = await prepareDurably(path, text);
  // What the system keeps has no secret in it, and is run by the person.
  await chmod(`${path}.new`, options.home.isSystem ? 0o755 : 0o700);
  await put();
}
