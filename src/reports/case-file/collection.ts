import { z } from 'zod';
import { canonicalBytes, DIGEST_PATTERN, type Json } from '../../protocol/index.ts';
import { time } from './manifest.ts';
import { BLOCK, MAX_ENTRY_BYTES, padding, tarHeader } from './tar.ts';

export const COLLECTION = 'countersign.collection.v1';
/** The first entry of a collection. */
export const COLLECTION_ENTRY = 'collection.json';

/** What a collection holds at most (protocol R81). */
export const COLLECTION_LIMITS = {
  manifestBytes: 32 * 1024 * 1024,
  files: 50_000,
  roots: 1_000,
  pathCharacters: 4_096,
  leftOutNamed: 1_000,
} as const;

/** Why a file on the way was not taken: a closed set. */
export const leftOutReason = z.enum([
  'LINK',
  'NOT_A_FILE',
  'NOT_READABLE',
  'NOT_RECOGNISED',
  'TOO_LARGE',
  'TOO_DEEP',
  'TOO_MANY',
]);
export type LeftOutReason = z.infer<typeof leftOutReason>;

const path = z.string().min(1).max(COLLECTION_LIMITS.pathCharacters);

const collectedFile = z.strictObject({
  /** As it was found, below one of `roots`. */
  path,
  bytes: z.int().min(0).max(MAX_ENTRY_BYTES),
  sha256: z.string().regex(DIGEST_PATTERN),
  /** As the file system said when it was copied. */
  modified_at: time.nullable(),
  /** Where it changed while it was copied, or could not be read to its end: what was not read is zeros. */
  changed: z.literal(true).optional(),
});
export type CollectedFile = z.infer<typeof collectedFile>;

/** What a collection says of itself: the word of whoever made it (protocol R81). */
export const collectionManifest = z.strictObject({
  type: z.literal(COLLECTION),
  collected_at: time,
  collected_by: z.string().min(1).max(320).nullable(),
  host: z.string().min(1).max(255).nullable(),
  version: z.string().max(64),
  roots: z.array(path).min(1).max(COLLECTION_LIMITS.roots),
  files: z.array(collectedFile).min(1).max(COLLECTION_LIMITS.files),
  left_out: z.strictObject({
    count: z.int().min(0),
    named: z.array(z.strictObject({ path, reason: leftOutReason })).max(COLLECTION_LIMITS.leftOutNamed),
  }),
});
export type CollectionManifest = z.infer<typeof collectionManifest>;

export function collectionManifestBytes(manifest: CollectionManifest): Uint8Array {
  return canonicalBytes(manifest as unknown as Json);
}

/** How a collection begins: what it says of itself, as the first entry. Null where that is longer than a reader takes. */
export function collectionHead(manifest: CollectionManifest): readonly Uint8Array[] | null {
  const text = collectionManifestBytes(manifest);
  if (text.length > COLLECTION_LIMITS.manifestBytes) return null;
  return [tarHeader(COLLECTION_ENTRY, text.length), text, new Uint8Array(padding(text.length))];
}

/** A path as the manifest has room for it, in characters that JSON can have. */
export function shortenedPath(path: string): string {
  return path.toWellFormed().slice(0, COLLECTION_LIMITS.pathCharacters).toWellFormed() || '.';
}

/** A collection in the making: what was taken, and what was not, and why. */
export class Collection {
  readonly files: CollectedFile[] = [];
  /** What was left out, as far as it is named. */
  readonly named: { path: string; reason: LeftOutReason }[] = [];
  #leftOut: number;

  /** @param passedOver files that nobody looked at */
  constructor(passedOver = 0) {
    this.#leftOut = passedOver;
  }

  leave(path: string, reason: LeftOutReason): void {
    this.#leftOut++;
    if (this.named.length < COLLECTION_LIMITS.leftOutNamed) this.named.push({ path: shortenedPath(path), reason });
  }

  /** Whether there is room for a file that is recognised; else it is left out. */
  hasRoomFor(path: string, size: number): boolean {
    if (this.files.length >= COLLECTION_LIMITS.files) this.leave(path, 'TOO_MANY');
    else if (path.length > COLLECTION_LIMITS.pathCharacters) this.leave(path, 'TOO_DEEP');
    else if (size > MAX_ENTRY_BYTES) this.leave(path, 'TOO_LARGE');
    else return true;
    return false;
  }

  /** What it says of itself. */
  manifest(
    roots: readonly string[],
    made: Pick<CollectionManifest, 'collected_at' | 'collected_by' | 'host' | 'version'>,
  ): CollectionManifest {
    const { files, named } = this;
    const left_out = { count: this.#leftOut, named };
    return { type: COLLECTION, ...made, roots: roots.map(shortenedPath), files, left_out };
  }
}

/** The name of an entry. @param fileNo from 1 */
export function fileEntry(fileNo: number): string {
  return `files/${fileNo}`;
}

/** A file of a collection, and where its bytes begin. */
export interface PlacedFile extends CollectedFile {
  readonly fileNo: number;
  readonly offset: number;
}

/** Where the files lie: behind a manifest of that size, each after its header, in their order. */
export function placesOf({ files }: CollectionManifest, manifestSize: number): PlacedFile[] {
  let at = BLOCK + manifestSize + padding(manifestSize);
  return files.map((file, index) => {
    const placed = { ...file, fileNo: index + 1, offset: at + BLOCK };
    at = placed.offset + file.bytes + padding(file.bytes);
    return placed;
  });
}
