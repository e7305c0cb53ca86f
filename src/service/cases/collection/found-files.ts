import { open } from 'node:fs/promises';
import { type FoundKind, HEAD_BYTES } from '../../../actions/found/light.ts';
import { pieceOf } from '../../../node/light.ts';
import type { CollectionManifest } from '../../../reports/case-file/index.ts';
import type { ItemFile } from '../items/item-file.ts';
import { kindOfHead } from './found-kind.ts';
import { isCollection, openCollection } from './read-collection.ts';

/** A file that was found, where its bytes lie: in a collection, or by itself as an item of a case. */
export interface FoundFile {
  readonly itemNo: number;
  /** From 1, within its item. */
  readonly fileNo: number;
  /** The file that its bytes are in. */
  readonly path: string;
  readonly offset: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Where it was found; of an item by itself its name. */
  readonly foundAt: string;
  /** Milliseconds since 1970, as the file system said; null where nobody knows. */
  readonly modifiedMs: number | null;
  readonly changed: boolean;
  readonly kind: FoundKind | null;
}

/** An item of a case of which nothing was signed, and its files. */
export interface FoundItem {
  readonly itemNo: number;
  readonly name: string;
  /** Null of a file that is an item by itself: nobody said how it was collected. */
  readonly manifest: CollectionManifest | null;
  readonly files: readonly FoundFile[];
}

/** @throws CaseRefused FILE_DAMAGED, FILE_CUT_OFF of a collection that is damaged */
export async function openFoundItem(item: ItemFile & { readonly itemNo: number }): Promise<FoundItem> {
  const { itemNo, name, path, bytes, sha256 } = item;
  const file = await open(path, 'r');
  const headAt = (offset: number, length: number) => pieceOf(file, offset, Math.min(HEAD_BYTES, length));
  try {
    if (!isCollection(await headAt(0, bytes))) {
      const kind = kindOfHead(await headAt(0, bytes), name);
      const only = {
        itemNo,
        fileNo: 1,
        path,
        offset: 0,
        bytes,
        sha256,
        foundAt: name,
        modifiedMs: null,
        changed: false,
        kind,
      };
      return { itemNo, name, manifest: null, files: [only] };
    }
    const { manifest, files } = await openCollection(path);
    const found: FoundFile[] = [];
    for (const { fileNo, path: foundAt, offset, bytes: size, sha256: digest, modified_at, changed = false } of files) {
      const kind = kindOfHead(await headAt(offset, size), foundAt);
      const modifiedMs = modified_at === null ? null : Date.parse(modified_at);
      found.push({ itemNo, fileNo, path, offset, bytes: size, sha256: digest, foundAt, modifiedMs, changed, kind });
    }
    return { itemNo, name, manifest, files: found };
  } finally {
    await file.close();
  }
}
