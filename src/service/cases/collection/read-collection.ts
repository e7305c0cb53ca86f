import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pieceOf } from '../../../node/light.ts';
import { type CancelSignal, equalBytes, ProtocolError, parseJsonBytes } from '../../../protocol/index.ts';
import {
  BLOCK,
  COLLECTION_ENTRY,
  COLLECTION_LIMITS,
  type CollectionManifest,
  collectionManifest,
  collectionManifestBytes,
  fileEntry,
  type PlacedFile,
  padding,
  placesOf,
  TAR_END,
  tarHeader,
} from '../../../reports/case-file/index.ts';
import { CaseRefused } from '../case-source.ts';

/** A collection whose manifest was read; nothing is known yet of its files. */
export interface OpenCollection {
  readonly path: string;
  readonly manifest: CollectionManifest;
  readonly files: readonly PlacedFile[];
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = await pieceOf(file, offset, length);
  if (bytes.length < length) throw new CaseRefused('FILE_CUT_OFF', 'the collection ends too early');
  return bytes;
}

/** Whether a file begins as a collection. @param head its first 512 bytes, or more */
export function isCollection(head: Buffer): boolean {
  return (
    head.subarray(0, COLLECTION_ENTRY.length + 1).toString('latin1') === `${COLLECTION_ENTRY}\0` &&
    head.subarray(257, 262).toString('latin1') === 'ustar'
  );
}

/**
 * Reads the manifest of a collection, and holds every header against it. The files themselves are not read.
 * @throws CaseRefused FILE_DAMAGED, FILE_CUT_OFF
 */
export async function openCollection(path: string): Promise<OpenCollection> {
  const file = await open(path, 'r');
  try {
    const { size: fileSize } = await file.stat();
    const head = await readAt(file, 0, BLOCK);
    const size = Number.parseInt(head.subarray(124, 135).toString('latin1'), 8);
    if (
      !(size > 0 && size <= COLLECTION_LIMITS.manifestBytes) ||
      !equalBytes(tarHeader(COLLECTION_ENTRY, size), head)
    ) {
      throw new CaseRefused('FILE_DAMAGED', `the header of ${COLLECTION_ENTRY} is not that of a collection`);
    }
    const manifest = readCollectionManifest(await readAt(file, BLOCK, size));
    const files = placesOf(manifest, size);
    await needZeros(file, BLOCK + size, padding(size));
    for (const { fileNo, offset, bytes } of files) {
      if (!equalBytes(tarHeader(fileEntry(fileNo), bytes), await readAt(file, offset - BLOCK, BLOCK))) {
        throw new CaseRefused('FILE_DAMAGED', `the header of ${fileEntry(fileNo)} is not the one of its size`);
      }
      await needZeros(file, offset + bytes, padding(bytes));
    }
    const last = files.at(-1);
    const end = last === undefined ? BLOCK + size + padding(size) : last.offset + last.bytes + padding(last.bytes);
    await needZeros(file, end, TAR_END.length);
    if (fileSize !== end + TAR_END.length) throw new CaseRefused('FILE_DAMAGED', 'bytes follow the end of the archive');
    return { path, manifest, files };
  } finally {
    await file.close();
  }
}

/** Reads a manifest in the one spelling that it has. @throws CaseRefused FILE_DAMAGED */
function readCollectionManifest(bytes: Uint8Array): CollectionManifest {
  const refuse = (message: string): never => {
    throw new CaseRefused('FILE_DAMAGED', `${COLLECTION_ENTRY}: ${message}`);
  };
  try {
    const read = collectionManifest.safeParse(parseJsonBytes(bytes, { oneSpelling: true }));
    if (!read.success) {
      const [issue] = read.error.issues;
      return refuse(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'has another form'}`);
    }
    if (!Buffer.from(collectionManifestBytes(read.data)).equals(bytes)) return refuse('is not in canonical form');
    return read.data;
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(error.message);
    throw error;
  }
}

async function needZeros(file: FileHandle, offset: number, length: number): Promise<void> {
  if ((await readAt(file, offset, length)).some((byte) => byte !== 0)) {
    throw new CaseRefused('FILE_DAMAGED', 'bytes stand where padding has to be');
  }
}

/** The bytes of a file of a collection. */
export async function* bytesOf(
  { path }: Pick<OpenCollection, 'path'>,
  { offset, bytes }: Pick<PlacedFile, 'offset' | 'bytes'>,
): AsyncGenerator<Buffer> {
  if (bytes === 0) return;
  yield* createReadStream(path, { start: offset, end: offset + bytes - 1 }) as AsyncIterable<Buffer>;
}

/** @throws CaseRefused FILE_DAMAGED where a file has not the digest that the manifest says */
export async function checkDigests(
  collection: OpenCollection,
  signal: CancelSignal,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<void> {
  for (const file of collection.files) {
    const hash = createHash('sha256');
    for await (const chunk of bytesOf(collection, file)) {
      signal.throwIfAborted();
      hash.update(chunk);
      onBytes(chunk.length);
    }
    if (`sha256:${hash.digest('hex')}` !== file.sha256) {
      throw new CaseRefused('FILE_DAMAGED', `${fileEntry(file.fileNo)}: its bytes are not those that were collected`);
    }
  }
}
