import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { prepareDurably, syncFolder } from '../../../node/light.ts';
import { codeOf, hasCode } from '../../../protocol/light.ts';
import { RecordError } from '../../base/record-error.ts';

/** The largest configuration seen in use has some tens of kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;

const ANY_WRITE = 0o222;
const OWN_FILE = 0o600;

/** A program's configuration file as it is now. */
export interface ConfigFile {
  /** Where the program looks. */
  readonly path: string;
  /** The file itself: the end of the symbolic links that lead there, as those to a folder of dotfiles. */
  readonly target: string;
  /** Null where there is none. */
  readonly text: string | null;
  /** Its permission bits. */
  readonly mode: number;
}

/**
 * Reads a configuration file, looking at it first: opening a pipe would wait for whoever writes into it.
 * @throws RecordError CONFIG_UNUSABLE
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    if ((await lstat(path).catch(whereMissing)) === null) return { path, target: path, text: null, mode: OWN_FILE };
    const target = await realpath(path);
    const info = await stat(target);
    if (!info.isFile()) throw unusable(path, 'is not a file');
    if (info.size > MAX_BYTES) throw unusable(path, `is larger than ${MAX_BYTES} bytes`);
    return { path, target, text: decode(path, await readFile(target)), mode: info.mode & 0o777 };
  } catch (error) {
    throw asUnusable(path, 'read', error);
  }
}

/**
 * Puts a new text in the place of the one that was read, whole or not at all: at the end of its links, with its mode.
 * @throws RecordError CONFIG_UNUSABLE, also where the file has changed since it was read
 */
export async function writeConfigFile(file: ConfigFile, text: string): Promise<void> {
  const { path, target, mode } = file;
  if ((mode & ANY_WRITE) === 0) throw unusable(path, 'is read-only: make it writable, or edit it yourself');
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const temporary = `${target}.${randomUUID()}.new`;
    const put = await prepareDurably(target, text, temporary);
    try {
      await chmod(temporary, mode);
      if ((await readConfigFile(path)).text !== file.text) throw unusable(path, 'was changed meanwhile: try again');
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await put();
  } catch (error) {
    throw asUnusable(path, 'written', error);
  }
}

/** Removes a file that was made here, durably. @throws RecordError CONFIG_UNUSABLE */
export async function removeConfigFile({ path, target }: ConfigFile): Promise<void> {
  try {
    await rm(target, { force: true });
    await syncFolder(dirname(target));
  } catch (error) {
    throw asUnusable(path, 'removed', error);
  }
}

export function unusable(path: string, why: string, cause?: unknown): RecordError {
  return new RecordError('CONFIG_UNUSABLE', `${path} ${why}`, { cause });
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unusable(path, 'is not UTF-8', error);
  }
}

function asUnusable(path: string, verb: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === null || !(error instanceof Error) || !('syscall' in error)) return error;
  return unusable(path, `cannot be ${verb} (${code})`, error);
}

function whereMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}
