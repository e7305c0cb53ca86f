import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SetupFile } from '../settings-files.ts';
import { type ConfigFile, readConfigFile, removeConfigFile, unusable, writeConfigFile } from './config-file.ts';
import { TextUnusable } from './json-text.ts';
import { unifiedDiff } from './unified-diff.ts';

const entry = z.object({
  path: z.string(),
  /** Whether installation made the file. */
  created: z.boolean(),
  /** Where the file lies as it was before; null where there was none. */
  backup: z.string().nullable(),
  /** SHA-256 of the file as installation left it, in hex. */
  sha256: z.string(),
});

/** What `uninstall` has to know of a file that was edited: a member of `config` in agents/FEED.json. */
export type EditedFile = z.infer<typeof entry>;

/** Entries of other forms are nobody's that is known here. */
export function readEditedFiles(config: readonly unknown[]): EditedFile[] {
  return config.flatMap((given) => {
    const { success, data } = entry.safeParse(given);
    return success ? [data] : [];
  });
}

/** A file as it is to become. */
export interface PlannedEdit {
  readonly edited: EditedFile;
  /** In the unified format; empty where nothing changes. */
  readonly diff: string;
  /** @throws RecordError CONFIG_UNUSABLE */
  carryOut(): Promise<void>;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** @param earlier what an earlier installation left of it @throws RecordError CONFIG_UNUSABLE */
export async function planAdding(setup: SetupFile, earlier: EditedFile | undefined): Promise<PlannedEdit> {
  const file = await readConfigFile(setup.path);
  const after = inFile(file.path, () => setup.add(file.text));
  const diff = after === file.text ? '' : unifiedDiff(file.path, file.text, after);
  const isAsLeft = earlier !== undefined && file.text !== null && sha256(file.text) === earlier.sha256;
  const before =
    isAsLeft || file.text === null ? file.text : inFile(file.path, () => withoutOurs(setup, file.text ?? ''));
  const created = isAsLeft ? earlier.created : before === null;
  const backup = isAsLeft ? earlier.backup : created ? null : `${file.target}.before-countersign`;
  const carryOut = async (): Promise<void> => {
    if (!isAsLeft && backup !== null && before !== null) await writeBackup(backup, before, file.mode);
    const made = file.text === null && setup.mode !== undefined ? { ...file, mode: setup.mode } : file;
    if (diff !== '') await writeConfigFile(made, after);
  };
  return { edited: { path: setup.path, created, backup, sha256: sha256(after) }, diff, carryOut };
}

/** @throws RecordError CONFIG_UNUSABLE */
export async function planRemoving(setup: SetupFile, edited: EditedFile): Promise<PlannedEdit> {
  const file = await readConfigFile(edited.path);
  const after = await textBefore(setup, edited, file);
  const diff = after === file.text ? '' : unifiedDiff(edited.path, file.text, after);
  const carryOut = async (): Promise<void> => {
    if (after === null) await removeConfigFile(file);
    else if (after !== file.text) await writeConfigFile(file, after);
    if (edited.backup !== null) await removeConfigFile(await readConfigFile(edited.backup));
  };
  return { edited, diff, carryOut };
}

/** The very bytes of before where nobody else wrote since; else what is there without our part. */
async function textBefore(setup: SetupFile, edited: EditedFile, file: ConfigFile): Promise<string | null> {
  if (file.text === null) return null;
  const isAsLeft = sha256(file.text) === edited.sha256;
  if (isAsLeft && edited.backup !== null) {
    const { text } = await readConfigFile(edited.backup);
    if (text !== null) return text;
  }
  if (isAsLeft && edited.created) return null;
  // A file that is all ours, and that somebody wrote into, is no longer that.
  if (!isAsLeft && setup.empty === null) return file.text;
  const left = inFile(file.path, () => setup.remove(file.text ?? ''));
  return left ?? (edited.created ? null : setup.empty);
}

/** @returns null where nothing but ours is in it */
function withoutOurs(setup: SetupFile, text: string): string | null {
  return setup.hooked(text).length === 0 ? text : setup.remove(text);
}

async function writeBackup(path: string, text: string, mode: number): Promise<void> {
  const file = await readConfigFile(path);
  await writeConfigFile({ ...file, mode: mode | 0o200 }, text);
}

function inFile<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof TextUnusable) throw unusable(path, error.message, error);
    throw error;
  }
}
