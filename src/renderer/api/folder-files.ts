import { MAX_FOLDER_DEPTH, PASSED_OVER } from '../../reports/case-file/light.ts';

/** A file of a folder that somebody chose or dropped, and where it lies in there. */
export interface FolderFile {
  readonly path: string;
  readonly file: File;
}

/** A folder of files, of which only what is recognised is taken. */
export interface Folder {
  readonly name: string;
  readonly files: readonly FolderFile[];
  /** Of those that are too many, or too deep: they are not even looked at. */
  readonly passedOver: number;
}

/** What a folder has at most: more is for the command, which reads it where it lies. */
const MAX_FILES = 200_000;

/** What a field for folders was given; null for none. */
export function chosenFolder(files: readonly File[]): Folder | null {
  const all = files.map((file) => ({ path: file.webkitRelativePath, file }));
  const wanted = all.filter(({ path }) => !path.split('/').some((name) => PASSED_OVER.has(name)));
  const [first] = all;
  if (first === undefined) return null;
  const [name = ''] = first.path.split('/', 1);
  return { name, files: wanted.slice(0, MAX_FILES), passedOver: Math.max(0, wanted.length - MAX_FILES) };
}

/**
 * The folder among what was dropped; null where there is none.
 * @param entries as the drop gave them: later it gives none
 */
export async function droppedFolder(entries: readonly FileSystemEntry[]): Promise<Folder | null> {
  const root = entries.find(isFolder);
  if (root === undefined) return null;
  const files: FolderFile[] = [];
  let passedOver = 0;
  async function read(folder: FileSystemDirectoryEntry, depth: number): Promise<void> {
    for (const entry of await entriesIn(folder)) {
      if (files.length >= MAX_FILES || depth > MAX_FOLDER_DEPTH) passedOver++;
      else if (isFolder(entry)) {
        if (!PASSED_OVER.has(entry.name)) await read(entry, depth + 1);
      } else if (isFile(entry)) {
        const file = await fileOf(entry);
        if (file === null) passedOver++;
        else files.push({ path: entry.fullPath.replace(/^\//, ''), file });
      }
    }
  }
  await read(root, 1);
  return { name: root.name, files, passedOver };
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

/** A reader gives a hundred at a time, and at last none. What cannot be read has none. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(null)));
}
