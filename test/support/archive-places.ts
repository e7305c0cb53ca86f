/** Where archives of tests are: a folder, or a bucket of a real object store. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import type { RunStore } from '../../src/service/archive/run-store.ts';
import type { S3Given } from '../../src/service/archive/s3-target.ts';
import { temporaryFolder } from './folders.ts';
import type { ObjectStore } from './object-store.ts';

/** An archive, and what somebody may do to it who writes to its folder or bucket. */
export interface ArchivePlace {
  /** As commands take it. */
  readonly at: string;
  readonly store: RunStore;
  /** Of a bucket: how it is reached. */
  readonly s3?: S3Given;
  /** The same for a process. */
  readonly environment: Readonly<Record<string, string>>;
  put(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  read(path: string): Promise<Buffer>;
}

export type NewPlace = () => ArchivePlace;

export function folderPlace(): ArchivePlace {
  const at = temporaryFolder();
  return {
    at,
    store: new FolderStore(at),
    environment: {},
    put: async (path, bytes) => {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), bytes);
    },
    remove: async (path) => rmSync(join(at, path)),
    read: async (path) => readFileSync(join(at, path)),
  };
}

export function bucketPlace(objects: ObjectStore): ArchivePlace {
  const at = objects.newPlace();
  const store = objects.at(at);
  return {
    at,
    store,
    environment: objects.environment,
    s3: { endpoint: objects.endpoint, credentials: objects.credentials },
    put: (path, bytes) => objects.put(at, path, bytes),
    remove: (path) => objects.remove(at, path),
    read: (path) => buffer(store.bytes(path)),
  };
}

/** Everything of one archive in another. */
export async function copyPlace(from: ArchivePlace, to: ArchivePlace): Promise<void> {
  for (const { path } of await from.store.list()) await to.put(path, await from.read(path));
}
