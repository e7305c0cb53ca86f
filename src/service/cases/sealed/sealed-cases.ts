import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case } from '../../../api/index.ts';
import { syncFolder } from '../../../node/index.ts';
import { type CaseSignature, formatTime } from '../../../protocol/index.ts';
import { statedTrust } from '../../../reports/case-file/index.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { type CaseFile, ownerOf, saveCaseFile, unverifiedCase } from '../case-file.ts';
import type { Cases } from '../cases.ts';
import { bytesToSpare } from '../disk-space.ts';
import { type FileJobs, fileJobsOf, refuseFile } from '../file-jobs.ts';
import { firstItem, firstKind } from '../items/first-item.ts';
import type { SealTask } from '../job-messages.ts';
import { resultOf } from '../job-thread.ts';
import { type Asker, ownerFor, type Waiting } from '../scope.ts';
import type { OpenedCase, Opener } from './open-case-file.ts';

/** How long a file that was made can be downloaded, in milliseconds. */
const LIFETIME_MS = 3_600_000;
const SWEEP_MS = 60_000;

interface Kept {
  readonly caseId: string;
  readonly path: string;
  readonly name: string;
  readonly endsAt: number;
}

/** What a window signs. */
export interface Sealed {
  readonly made_at: string;
  readonly manifest_sha256: string;
  readonly signature: CaseSignature;
}

export interface SealedCasesContext {
  readonly cases: Cases;
  readonly jobs: Jobs;
  /** Where the cases are. */
  readonly folder: string;
  /** A folder that the next start empties. */
  readonly scratch: string;
  readonly now: () => number;
}

/** Cases as files that are moved to another machine: made here, and opened here. */
export class SealedCases {
  readonly #context: SealedCasesContext;
  readonly #kept = new Map<string, Kept>();
  /** Each reads and writes a whole case. */
  readonly #jobs: FileJobs;
  readonly #sweeper: NodeJS.Timeout;

  constructor(context: SealedCasesContext) {
    this.#context = context;
    this.#jobs = fileJobsOf(context.jobs, context.cases.threads, 'case files');
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
  }

  /** The manifest that a case would be saved with now. @throws ServiceError NOT_FOUND, CONFLICT, FORBIDDEN */
  async draft(asker: Waiting, caseId: string, madeBy: string | null) {
    const { cases, now } = this.#context;
    const about = cases.store.findToChange(asker, caseId);
    cases.store.findImported(asker, caseId);
    const made_at = formatTime(now());
    const { manifest, manifestSha256, damage } = await this.#seal(asker, about, {
      made_at,
      made_by: madeBy,
      write: null,
    });
    return { case_sha256: about.sha256, manifest, manifest_sha256: manifestSha256, made_at, damage: [...damage] };
  }

  /**
   * Makes the file of a case, which can be downloaded for an hour. The one that was made before goes.
   * @param sealed null for one that nobody signs
   * @throws ServiceError NOT_FOUND, FORBIDDEN, STORAGE_FULL; CONFLICT, also where the case changed since it was drafted
   */
  async save(asker: Waiting, caseId: string, madeBy: string | null, sealed: Sealed | null) {
    const { cases, scratch, now } = this.#context;
    const about = cases.store.findToChange(asker, caseId);
    cases.store.findImported(asker, caseId);
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    cases.needDisk(ownerOf(about), about.bytes + about.items.bytes);
    if ((await bytesToSpare(scratch)) < about.bytes + about.items.bytes) {
      throw new ServiceError('STORAGE_FULL', 'the disk has no room for the file of this case');
    }
    const file_id = randomUUID();
    const outPath = join(scratch, `${file_id}.cscase`);
    const write = { outPath, manifestSha256: sealed?.manifest_sha256 ?? null, seal: sealed?.signature ?? null };
    const { file, damage } = await this.#seal(asker, about, {
      made_at: sealed?.made_at ?? formatTime(now()),
      made_by: madeBy,
      write,
    });
    if (file === null) throw new Error('the thread of a case file wrote none');
    for (const [id, kept] of this.#kept) if (kept.caseId === caseId) await this.#drop(id, kept);
    this.#kept.set(file_id, { caseId, path: outPath, name: about.name, endsAt: now() + LIFETIME_MS });
    return { file_id, ...file, signed: sealed !== null, damage: [...damage] };
  }

  async #seal(
    { waits }: Waiting,
    about: CaseFile,
    {
      made_at,
      made_by,
      write,
    }: { readonly made_at: string; readonly made_by: string | null; readonly write: SealTask['write'] },
  ) {
    const { cases, scratch } = this.#context;
    const folder = cases.store.folderOf(about.case_id);
    // Begins its tables where nobody looked at the case yet.
    await cases.items.stored(about.case_id);
    const own = join(scratch, randomUUID());
    const { name, bytes, sha256, kind, verdict, code, added_at, added_by } = firstItem(about);
    const contents = {
      folder,
      case_id: about.case_id,
      name: about.name,
      created_at: formatTime(about.created_at),
      made_at,
      made_by,
      first: {
        name,
        bytes,
        sha256,
        kind,
        verdict,
        code,
        added_at,
        added_by,
        verified_with: about.verified_with,
        ...(about.receipts.length === 0 ? {} : { receipts: about.receipts }),
      },
    };
    try {
      await mkdir(own, { recursive: true, mode: 0o700 });
      const task = { kind: 'seal', contents, scratch: own, write } as const;
      const work = { owner: ownerOf(about), caseId: about.case_id, task };
      return resultOf(await this.#jobs.run(work, waits()), 'sealed');
    } catch (error) {
      return refuseFile(error);
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  /** @throws ServiceError NOT_FOUND */
  file(asker: Asker, caseId: string, fileId: string): Pick<Kept, 'path' | 'name'> {
    const { cases, now } = this.#context;
    cases.store.find(asker, caseId);
    const kept = this.#kept.get(fileId);
    if (kept === undefined || kept.caseId !== caseId || kept.endsAt <= now()) {
      throw new ServiceError('NOT_FOUND', 'there is no such file of this case: save the case again');
    }
    return kept;
  }

  /**
   * Opens a case file that was uploaded: what it holds is checked, then each item is verified here. A file that is refused
   * leaves nothing, the upload included, and so does one whose opener is gone before it was checked.
   * @throws ServiceError NOT_FOUND, QUOTA_EXCEEDED, STORAGE_FULL, VALIDATION_ERROR; CASE_FILE_REFUSED with the finding
   */
  async open(
    asker: Waiting,
    given: { readonly upload_id: string; readonly name?: string | undefined; readonly trusted_kids: readonly string[] },
    examiner: Opener,
  ): Promise<Case> {
    const { cases, folder, now } = this.#context;
    const taken = cases.uploads.find(asker, given.upload_id);
    const { kind, bytes, sha256 } = taken.upload;
    if (kind !== 'case-file') throw new ServiceError('VALIDATION_ERROR', 'upload_id: this file is no case file');
    const release = cases.takeRoom(ownerFor(asker), bytes);
    const case_id = randomUUID();
    const half = join(folder, `${case_id}.new`);
    try {
      cases.uploads.forget(given.upload_id);
      const opener = { ...examiner, caseId: case_id };
      const task = { kind: 'open', path: taken.path, folder: half, examiner: opener, fileSha256: sha256 } as const;
      const work = { owner: ownerFor(asker), caseId: null, task };
      const done = await this.#jobs.run(work, asker.waits()).catch(refuseFile);
      const { opened } = resultOf(done, 'opened');
      const about = openedCase(asker, given, { case_id, fileSha256: sha256, opened, examiner, now: now() });
      await saveCaseFile(half, about);
      await rename(half, join(folder, case_id));
      await syncFolder(folder);
      return await cases.takeOpened(asker, about);
    } finally {
      release();
      await rm(taken.path, { force: true });
      await rm(half, { recursive: true, force: true });
    }
  }

  async #drop(id: string, { path }: Kept): Promise<void> {
    this.#kept.delete(id);
    await rm(path, { force: true });
  }

  async #sweep(): Promise<void> {
    const now = this.#context.now();
    for (const [id, kept] of this.#kept) if (kept.endsAt <= now) await this.#drop(id, kept);
  }

  close(): void {
    clearInterval(this.#sweeper);
  }
}

/** What is kept of a case that was opened from a file. Its verdict is made here: what the file says of it goes beside. */
function openedCase(
  asker: Asker,
  given: { readonly name?: string | undefined; readonly trusted_kids: readonly string[] },
  {
    case_id,
    fileSha256,
    opened: { manifest, seal, damage },
    examiner,
    now,
  }: {
    readonly case_id: string;
    readonly fileSha256: string;
    readonly opened: OpenedCase;
    readonly examiner: Opener;
    readonly now: number;
  },
): CaseFile {
  const [first, ...others] = manifest.items;
  if (first === undefined) throw new Error('a manifest has an item');
  const { kind, verdict, judgement_sha256 } = first;
  const verified_with = [...statedTrust(manifest, first)];
  return {
    ...unverifiedCase(ownerFor(asker), given.trusted_kids),
    case_id,
    name: given.name ?? manifest.name,
    file_name: first.name,
    bytes: first.bytes,
    sha256: first.sha256,
    kind: firstKind(kind),
    receipts: first.receipts ?? [],
    created_at: now,
    created_by: examiner.by,
    items: {
      count: others.length,
      bytes: others.reduce((sum, { bytes }) => sum + bytes, 0),
      due: true,
      unchecked: others.length,
      contradicting: [],
      found: [],
    },
    origin: {
      file_sha256: fileSha256,
      made_at: manifest.made_at,
      made_by: manifest.made_by,
      damage,
      sealed_with: seal?.kid ?? null,
      stated: { verdict, judgement_sha256, verified_with, reproduced: null },
    },
  };
}
