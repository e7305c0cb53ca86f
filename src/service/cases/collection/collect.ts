import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import packageJson from '../../../../package.json' with { type: 'json' };
import { HEAD_BYTES } from '../../../actions/found/light.ts';
import { pieceOf, syncFile } from '../../../node/index.ts';
import { type CancelSignal, formatTime } from '../../../protocol/index.ts';
import { codeOf } from '../../../protocol/light.ts';
import {
  type CollectedFile,
  Collection,
  type CollectionManifest,
  collectionHead,
  fileEntry,
  type LeftOutReason,
  MAX_FOLDER_DEPTH,
  PASSED_OVER,
  padding,
  shortenedPath,
  TAR_END,
  tarHeader,
} from '../../../reports/case-file/index.ts';
import { CollectRefused } from './collect-refused.ts';
import { kindOfHead } from './found-kind.ts';

/** More entries are left out and said, as deeper folders are: whoever had the disk chose both. */
const MAX_ENTRIES = 5_000_000;

/** What is on the way to files of a disk: a file, or what is not taken and why. */
type Walked =
  | { readonly path: string; readonly stats: Stats; readonly isNamed: boolean }
  | { readonly path: string; readonly reason: LeftOutReason };

/** What the running system has in the place of files. */
const OF_SYSTEM: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev']);

/**
 * The files below the paths that somebody named, in an order that is the same each time. Symbolic links are not followed, and devices,
 * pipes and sockets are not opened. A name that is no text in UTF-8 cannot be opened by that text and is told as not readable.
 * @param roots files or folders
 */
async function* walk(roots: readonly string[], signal: CancelSignal): AsyncGenerator<Walked> {
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
    else if (depth > MAX_FOLDER_DEPTH) yield { path, reason: 'TOO_DEEP' };
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

/** Who collects, when, and from where: what the collection says of itself. */
export interface Collecting {
  readonly roots: readonly string[];
  readonly by: string | null;
  readonly host: string | null;
  readonly at: number;
}

export interface CollectMeans {
  readonly signal: CancelSignal;
  /** Is told how many files were taken, and how many bytes. */
  readonly onProgress?: (files: number, bytes: number) => void;
}

/**
 * Copies what is recognised below some paths into one file (protocol R80). Nothing is opened for writing but that file, and nothing of
 * what is found is run or changed. A crash leaves `outPath` and `outPath.part`, which the next call replaces.
 * @throws CollectRefused NOTHING_FOUND, FILE_TOO_LARGE; what writing fails with
 */
export async function collect(
  { roots, by, host, at }: Collecting,
  outPath: string,
  { signal, onProgress }: CollectMeans,
): Promise<CollectionManifest> {
  const collection = new Collection();
  const { files } = collection;
  let bytes = 0;
  async function* body(): AsyncGenerator<Uint8Array> {
    for await (const found of walk(roots, signal)) {
      if ('reason' in found) {
        collection.leave(found.path, found.reason);
        continue;
      }
      const { path, isNamed } = found;
      const head = await headOf(path);
      const kind = head === null ? null : kindOfHead(head, path);
      // Nearly everything on a disk is something else, which nobody wants listed: named are only files that somebody named.
      if (head === null) collection.leave(path, 'NOT_READABLE');
      else if (kind === null) {
        if (isNamed) collection.leave(path, 'NOT_RECOGNISED');
      } else if (collection.hasRoomFor(path, found.stats.size)) {
        const copied: { file?: CollectedFile } = {};
        yield* entryOf(path, files.length + 1, copied, signal);
        if (copied.file === undefined) {
          collection.leave(path, 'NOT_READABLE');
          continue;
        }
        files.push(copied.file);
        bytes += copied.file.bytes;
        onProgress?.(files.length, bytes);
      }
    }
    yield TAR_END;
  }
  const part = `${outPath}.part`;
  try {
    await pipeline(body, createWriteStream(part, { mode: 0o600 }));
    const made = { collected_at: formatTime(at), collected_by: by, host, version: packageJson.version };
    const manifest = collection.manifest(roots, made);
    if (files.length === 0) throw new CollectRefused('NOTHING_FOUND', nothingFound(roots, collection.named));
    const head = collectionHead(manifest);
    if (head === null) {
      throw new CollectRefused('FILE_TOO_LARGE', 'the list of files is too long: collect fewer folders at a time');
    }
    await pipeline(
      async function* () {
        yield* head;
        yield* createReadStream(part) as AsyncIterable<Uint8Array>;
      },
      createWriteStream(outPath, { mode: 0o600 }),
    );
    await syncFile(outPath);
    return manifest;
  } catch (error) {
    await rm(outPath, { force: true });
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

function nothingFound(roots: readonly string[], named: Collection['named']): string {
  const [first] = named;
  const why = first === undefined ? '' : `; ${JSON.stringify(first.path)}: ${first.reason}`;
  return `no transcript or log that is known was found below ${roots.map((root) => JSON.stringify(root)).join(', ')}${why}`;
}

/** Opens what is a file now as well: a link or a pipe that took its place meanwhile is refused, and waited for by nobody. */
function openFile(path: string) {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) => {
    if (codeOf(error) === undefined) throw error;
    return null;
  });
}

async function headOf(path: string): Promise<Buffer | null> {
  const file = await openFile(path);
  if (file === null) return null;
  try {
    return await pieceOf(file, 0, HEAD_BYTES);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return null;
  } finally {
    await file.close();
  }
}

/** The entry of a file, as long as the file was at first, whatever happens to it meanwhile. */
async function* entryOf(
  path: string,
  fileNo: number,
  copied: { file?: CollectedFile },
  signal: CancelSignal,
): AsyncGenerator<Uint8Array> {
  const file = await openFile(path);
  if (file === null) return;
  try {
    const before = await file.stat();
    if (!before.isFile()) return;
    const { size } = before;
    let isWhole = true;
    const hash = createHash('sha256');
    yield tarHeader(fileEntry(fileNo), size);
    for (let at = 0; at < size; ) {
      signal.throwIfAborted();
      const length = Math.min(COPY_BYTES, size - at);
      const { buffer, bytesRead } = await readAt(file, at, length);
      if (bytesRead === 0) isWhole = false;
      // What it lost while it was copied, or a bad sector, is zeros: the entry keeps the size that its header says.
      const chunk = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
      hash.update(chunk);
      at += chunk.length;
      yield chunk;
    }
    yield Buffer.alloc(padding(size));
    const after = await file.stat();
    copied.file = {
      path: shortenedPath(path),
      bytes: size,
      sha256: `sha256:${hash.digest('hex')}`,
      modified_at: timeOrNull(before.mtimeMs),
      ...(isWhole && after.size === size && after.mtimeMs === before.mtimeMs ? {} : { changed: true as const }),
    };
  } finally {
    await file.close();
  }
}

const COPY_BYTES = 1024 * 1024;

/** `bytesRead` is 0 behind the end, and where the disk cannot be read. */
async function readAt(file: FileHandle, at: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }> {
  const buffer = Buffer.alloc(length);
  try {
    return await file.read(buffer, 0, length, at);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return { buffer, bytesRead: 0 };
  }
}

/** The time of a file, as far as the protocol has such times. */
function timeOrNull(milliseconds: number): string | null {
  const at = Math.floor(milliseconds);
  return at >= 0 && at < Date.UTC(10_000, 0) ? formatTime(at) : null;
}
