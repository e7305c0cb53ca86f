import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFile, syncFolder } from '../../node/index.ts';
import { type CaseFile, saveCaseFile, unverifiedCase } from './case-file.ts';
import { NAMES, receiptsName } from './case-folder.ts';
import type { Examiner } from './custody/custody-log.ts';
import { type Asker, ownerFor } from './scope.ts';
import type { TakenUpload } from './uploads.ts';

/** What a case is made of. */
export interface NewCase {
  readonly upload_id: string;
  readonly receipts_upload_ids: readonly string[];
  readonly name?: string | undefined;
  readonly trusted_kids: readonly string[];
}

/** The files that a case is made of. */
export interface CaseUploads {
  readonly taken: TakenUpload;
  readonly receipts: readonly TakenUpload[];
}

function fileOf({ upload: { name, bytes, sha256 } }: TakenUpload) {
  return { name, bytes, sha256 };
}

/** What is kept of a case that was just made. */
export function newCaseFile(
  asker: Asker,
  given: NewCase,
  { taken, receipts }: CaseUploads,
  { at, by }: Pick<Examiner, 'at' | 'by'>,
): CaseFile {
  const { upload } = taken;
  return {
    ...unverifiedCase(ownerFor(asker), given.trusted_kids),
    case_id: randomUUID(),
    name: given.name ?? upload.name,
    file_name: upload.name,
    bytes: upload.bytes,
    sha256: upload.sha256,
    kind: upload.kind,
    receipts: receipts.map(fileOf),
    created_at: at,
    created_by: by,
    items: { count: 0, bytes: 0, due: false, unchecked: 0, contradicting: [], found: [] },
    origin: null,
  };
}

/** A crash before the last rename leaves a folder that the next start removes; after it a case that is imported again. */
export async function moveIn(parent: string, about: CaseFile, { taken, receipts }: CaseUploads): Promise<void> {
  const folder = join(parent, about.case_id);
  const half = `${folder}.new`;
  await mkdir(half, { mode: 0o700 });
  try {
    const moves = [
      [taken.path, NAMES.original],
      ...receipts.map(({ path }, index) => [path, receiptsName(index)] as const),
    ] as const;
    for (const [from, name] of moves) {
      await syncFile(from);
      await rename(from, join(half, name));
    }
    await saveCaseFile(half, about);
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(parent);
}
