import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CancelSignal } from '../../../protocol/index.ts';
import { codeOf } from '../../../protocol/light.ts';
import type { LeftOutReason } from './manifest.ts';

/** Deeper folders, and more entries, are left out and said: whoever had the disk chose both. */
const MAX_DEPTH = 64;
const MAX_ENTRIES = 5_000_000;

/** What is on the way to files of a disk: a file, or what is not taken and why. */
export type Walked =
  | { readonly path: string; readonly stats: Stats; readonly isNamed: boolean }
  | { readonly path: string; readonly reason: LeftOutReason };

/** Names of folders that hold no transcript and much else, and what the running system has in the place of files. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git']);
const OF_SYSTEM: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev']);

/**
 * The files below the paths that somebody named, in an order that is the same each time. Symbolic links are not followed, and devices,
 * pipes and sockets are not opened. A name that is no text in UTF-8 cannot be opened by that text and is told as not readable.
 * @param roots files or folders
 */
export async function* walk(roots: readonly string[], signal: CancelSignal): AsyncGenerator<Walked> {
  let seen = 0;
  async function* below(path: string, depth: number, isNamed: boolean): AsyncGenerator<Walked> {
    signal.throwIfAborted();
    if (seen++ >= MAX_ENTRIES) {
      if (seen === MAX_ENTRIES + 1) yield { path, reason: 'TOO_MANY' };
      return;
    }
    const stats = await lstat(path).catch(() => null);
    if (stats === null) yield { path, reason: 'NOT_READABLE' };
    else if (stats.isSymbolicLink()) yield { path, reason: 'LINK' };
    else if (stats.isFile()) yield { path, stats, isNamed };
    else if (!stats.isDirectory()) yield { path, reason: 'NOT_A_FILE' };
    else if (depth > MAX_DEPTH) yield { path, reason: 'TOO_DEEP' };
    else {
      const names = await namesIn(path);
      if (names === null) yield { path, reason: 'NOT_READABLE' };
      for (const name of names ?? []) {
        const one = join(path, name);
        if (!PASSED_OVER.has(name) && !OF_SYSTEM.has(one)) yield* below(one, depth + 1, false);
      }
    }
  }
  for (const root of roots) yield* below(root, 0, true);
}

/** Sorted by code units; null where the folder cannot be read. */
async function namesIn(path: string): Promise<string[] | null> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(path)) names.push(name);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return null;
  }
  return names.sort();
}
