import { FolderStore } from './folder-store.ts';
import type { RunStore, StoreStep } from './run-store.ts';
import type { S3Given } from './s3-target.ts';

/** Where an archive is. */
export interface RunPlace {
  /** `s3://BUCKET/PREFIX`, or a folder. */
  readonly at: string;
  /** Folder on this machine for runs that are sent to a bucket, or come from one. */
  readonly spool: string;
  readonly s3?: S3Given;
}

export interface OpenRunStore extends RunPlace {
  /** Ends what is under way with a bucket. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: StoreStep) => void) | undefined;
}

export function isBucket(at: string): boolean {
  return at.startsWith('s3://');
}

/** An archive by where it is. @throws ArchiveError ARCHIVE_UNUSABLE, CREDENTIALS_MISSING */
export async function openRunStore({ at, spool, s3, signal, onStep }: OpenRunStore): Promise<RunStore> {
  if (!isBucket(at)) return new FolderStore(at, onStep);
  const [{ s3Target }, { S3Store }] = await Promise.all([import('./s3-target.ts'), import('./s3-store.ts')]);
  return new S3Store(s3Target(at, s3), spool, { signal, onStep });
}
