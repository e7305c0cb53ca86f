import { closeSync, cpSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly size?: number;
  /** Where it begins behind the header, in decimal. */
  readonly offset?: string;
  /** It lies beside the archive, in `….asar.unpacked`. */
  readonly unpacked?: boolean;
}

export interface PackedFile {
  /** With forward slashes, without one at the beginning. */
  readonly path: string;
  readonly size: number;
  readonly unpacked: boolean;
}

interface Header {
  readonly root: Entry;
  readonly start: number;
}

/** The form of an asar archive: two pickled lengths, a header in JSON, then the files one after the other. */
function readHeader(file: number): Header {
  const sizes = Buffer.alloc(16);
  readSync(file, sizes, 0, 16, 0);
  const json = Buffer.alloc(sizes.readUInt32LE(12));
  readSync(file, json, 0, json.length, 16);
  return { root: JSON.parse(json.toString('utf8')) as Entry, start: 8 + sizes.readUInt32LE(4) };
}

function* walk(entry: Entry, path: string): Generator<[string, Entry]> {
  if (entry.files === undefined) yield [path, entry];
  else
    for (const [name, below] of Object.entries(entry.files)) yield* walk(below, path === '' ? name : `${path}/${name}`);
}

/** The files of an archive. */
export function listArchive(archive: string): PackedFile[] {
  const file = openSync(archive, 'r');
  try {
    const { root } = readHeader(file);
    return [...walk(root, '')].map(([path, { size = 0, unpacked = false }]) => ({ path, size, unpacked }));
  } finally {
    closeSync(file);
  }
}

/** Reads files of an archive, by path; one that lies beside it is not among them. */
export function readArchive(archive: string, wanted: (path: string) => boolean): Map<string, Buffer> {
  const file = openSync(archive, 'r');
  try {
    const { root, start } = readHeader(file);
    const contents = new Map<string, Buffer>();
    for (const [path, { size = 0, offset, unpacked }] of walk(root, '')) {
      if (unpacked === true || offset === undefined || !wanted(path)) continue;
      const content = Buffer.alloc(size);
      readSync(file, content, 0, size, start + Number(offset));
      contents.set(path, content);
    }
    return contents;
  } finally {
    closeSync(file);
  }
}

/** Lays an archive out as a folder, with what lies beside it. */
export function extractArchive(archive: string, folder: string): void {
  for (const [path, content] of readArchive(archive, () => true)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  cpSync(`${archive}.unpacked`, folder, { recursive: true });
}
