import { version } from '../../../../package.json';
import { HEAD_BYTES, kindOfFound, PACKED_HEAD_BYTES } from '../../../actions/found/light.ts';
import { formatDigest, formatTime, sha256InPieces } from '../../../protocol/index.ts';
import {
  Collection,
  collectionHead,
  fileEntry,
  padding,
  shortenedPath,
  TAR_END,
  tarHeader,
} from '../../../reports/case-file/index.ts';
import type { Folder, FolderFile } from '../../api/folder-files.ts';

/** How far it is: files that were looked at, and bytes that were read of those that are taken. */
export interface Collected {
  readonly looked: number;
  readonly taken: number;
  readonly bytes: number;
}

/** Why no collection was made of a folder. */
export type NotCollected = 'NOTHING_FOUND' | 'LIST_TOO_LONG';

interface Means {
  /** Who collects; null for a workstation without an account. */
  readonly by: string | null;
  readonly signal: AbortSignal;
  readonly onProgress: (collected: Collected) => void;
}

const PIECE = 1024 * 1024;

/**
 * Makes a collection (protocol R80) of what is recognised in a folder, as `countersign import-transcripts` does. Its bytes stay on the
 * disk until they are sent: of each file the page reads a piece at a time.
 * @returns why there is none, where nothing was recognised, or the list of the files is longer than a collection takes
 */
export async function collectFolder(folder: Folder, { by, signal, onProgress }: Means): Promise<File | NotCollected> {
  const collection = new Collection(folder.passedOver);
  const { files } = collection;
  const parts: BlobPart[] = [];
  let [looked, bytes] = [0, 0];
  for (const { path, file } of [...folder.files].sort(byNames)) {
    signal.throwIfAborted();
    onProgress({ looked: ++looked, taken: files.length, bytes });
    const isOne = await unlessUnreadable(isRecognised({ path, file }));
    if (isOne === null) collection.leave(path, 'NOT_READABLE');
    if (isOne !== true || !collection.hasRoomFor(path, file.size)) continue;
    const onBytes = (more: number): void => {
      bytes += more;
      onProgress({ looked, taken: files.length, bytes });
    };
    const sha256 = await unlessUnreadable(digestOf(file, signal, onBytes));
    if (sha256 === null) {
      collection.leave(path, 'NOT_READABLE');
      continue;
    }
    files.push({ path: shortenedPath(path), bytes: file.size, sha256, modified_at: formatTime(file.lastModified) });
    parts.push(headerOf(fileEntry(files.length), file.size), file, zeros(padding(file.size)));
  }
  if (files.length === 0) return 'NOTHING_FOUND';
  const made = { collected_at: formatTime(Date.now()), collected_by: by, host: null, version };
  const head = collectionHead(collection.manifest([folder.name], made));
  if (head === null) return 'LIST_TOO_LONG';
  return new File(
    [...head.map((part) => new Uint8Array(part)), ...parts, TAR_END.slice()],
    `${folder.name}.collection`,
  );
}

/** Name by name, as a walk through the folders would come to them. */
function byNames(a: FolderFile, b: FolderFile): number {
  const [one, other] = [a, b].map(({ path }) => path.replaceAll('/', '\0'));
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

/** What a file has that is gone, or that nobody may read: the browser says so when it is read. */
async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DOMException && error.name !== 'AbortError') return null;
    throw error;
  }
}

async function isRecognised({ path, file }: FolderFile): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  return kindOfFound(head, isPacked ? await unpackedHead(head) : head, path) !== null;
}

/** What the beginning of a compressed file unpacks to. The stream fails at the end, which is not there. */
async function unpackedHead(head: Uint8Array): Promise<Uint8Array | null> {
  const packed = new Blob([new Uint8Array(head.subarray(0, PACKED_HEAD_BYTES))]);
  const reader = packed.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      pieces.push(value);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return pieces.length === 0 ? null : new Uint8Array(await new Blob(pieces).arrayBuffer());
}

async function digestOf(file: File, signal: AbortSignal, onBytes: (more: number) => void): Promise<string> {
  const hash = sha256InPieces();
  for (let at = 0; at < file.size; at += PIECE) {
    signal.throwIfAborted();
    const piece = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
    hash.update(piece);
    onBytes(piece.length);
  }
  return formatDigest(hash.digest());
}

function headerOf(name: string, size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(tarHeader(name, size));
}

function zeros(count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(count);
}
