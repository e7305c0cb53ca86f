import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AddTrustAnswer, Case } from '../../api/index.ts';
import { isStatedPolicy } from '../../protocol/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { removeContent } from '../search/content-index/catalog.ts';
import { type DiskRefusal, throwRefusal } from '../store/base/disk-room.ts';
import { needRoom } from '../store/base/quotas.ts';
import type { Asking } from '../store/base/reading-threads.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { type CaseFile, ownerOf } from './case-file.ts';
import { NAMES } from './case-folder.ts';
import { caseIndexingOf } from './case-indexing.ts';
import { CaseStore, type CaseStoreContext } from './case-store.ts';
import { type CaseVerifications, caseVerificationsOf } from './case-verifications.ts';
import { caseView } from './case-view.ts';
import type { Examiner } from './custody/custody-log.ts';
import { CaseItems } from './items/case-items.ts';
import { CaseThreads } from './job-thread.ts';
import { moveIn, type NewCase, newCaseFile } from './new-case.ts';
import { ProgressMeter } from './progress-meter.ts';
import type { QueryAnswer, QueryArguments, QueryName } from './reads/case-queries.ts';
import { CaseReads } from './reads/read-thread.ts';
import { type Asker, keyOf, type Owner, orgOf, ownerFor } from './scope.ts';
import type { TrustKeeper } from './trust/trust-keeper.ts';
import type { UploadLimits } from './upload-room.ts';
import { Uploads } from './uploads.ts';

/** What cases may take. */
export interface CaseLimits extends UploadLimits {
  /** Of one owner: cases, and bytes of their files. */
  readonly maxCases: number;
  readonly maxCaseBytes: number;
}

export interface CasesContext extends CaseStoreContext {
  readonly limits: CaseLimits;
  readonly jobs: Jobs;
  /** Whether an organization is the home organization: its questions wait for no guest's. */
  readonly isHome: (orgId: string) => boolean;
  readonly refuseDisk: DiskRefusal;
  readonly trust: TrustKeeper;
}

/** Answers what is asked of an archive, where its engine can; null where the own index has to. */
export interface CountingEngine {
  answer<N extends QueryName>(
    caseId: string,
    ask: <Q extends QueryName>(query: Q, ...args: QueryArguments<Q>) => Promise<QueryAnswer<Q>>,
    signal: AbortSignal,
    query: N,
    args: QueryArguments<N>,
  ): Promise<QueryAnswer<N> | null>;
}

/** The cases of a service, and what callers do with them. */
export class Cases {
  readonly store: CaseStore;
  readonly verifications: CaseVerifications;
  readonly threads = new CaseThreads();
  readonly reads: CaseReads;
  readonly uploads: Uploads;
  readonly items: CaseItems;
  /** Counts in archives in place of their own indexes, as far as it can. */
  engine: CountingEngine | null = null;
  readonly #context: CasesContext;
  /** Of owners: cases and bytes that are on their way and not in the store yet. */
  readonly #promised = new Map<string, { readonly cases: number; readonly bytes: number }>();

  constructor(context: CasesContext) {
    this.#context = context;
    const { folder, limits, trust, refuseDisk, jobs, now, onError } = context;
    this.store = new CaseStore(context);
    this.uploads = new Uploads(join(folder, 'uploads'), { limits, trust, refuseDisk, now });
    this.reads = new CaseReads((caseFolder) => this.#readerOf(basename(caseFolder)));
    const { store, reads, uploads, threads } = this;
    const { maxBytes } = limits;
    const common = { jobs, threads, store, reads, trust, now, onError };
    this.verifications = caseVerificationsOf(common);
    const indexing = caseIndexingOf(common);
    const verifyFirst = (about: CaseFile): void => {
      // One that is under way may have read what was there before, and says with which trust only at its end.
      if (this.verifications.find(about.case_id) !== undefined) this.verifications.outdate(about.case_id);
      else if (about.verified_with.some(isStatedPolicy)) void this.verifications.start(about);
    };
    const takeBytes = (about: CaseFile, bytes: number): (() => void) => this.#take(ownerOf(about), 0, bytes);
    this.items = new CaseItems({ ...common, uploads, indexing, verifyFirst, maxBytes, takeBytes });
  }

  /** Whose turn a question about a case takes; of one that is gone, nobody's. */
  #readerOf(caseId: string): Asking {
    const about = this.store.get(caseId);
    if (about === undefined) return { owner: '', isHome: true };
    const owner = ownerOf(about);
    return { owner: keyOf(owner), isHome: owner === 'workstation' || this.#context.isHome(owner.orgId) };
  }

  /** Begins the imports again that a stop or a crash interrupted: the file of each is there, whole. */
  resume(): void {
    for (const about of this.store.all()) if (about.state === 'importing') void this.verifications.start(about);
    this.items.resume();
  }

  /**
   * Makes a case of an upload; it is imported afterwards.
   * @throws ServiceError NOT_FOUND, QUOTA_EXCEEDED, VALIDATION_ERROR where the upload is nothing that can be verified
   */
  async create(asker: Asker, given: NewCase, examiner: Pick<Examiner, 'at' | 'by'>): Promise<Case> {
    const { store, uploads } = this;
    const taken = uploads.find(asker, given.upload_id);
    const { kind } = taken.upload;
    if (kind === 'record-proof') {
      throw new ServiceError(
        'VALIDATION_ERROR',
        'upload_id: a proof of records needs no case; countersign verify judges it',
      );
    }
    if (kind === 'case-file') {
      throw new ServiceError('VALIDATION_ERROR', 'upload_id: a case file is opened with POST /v1/cases/open');
    }
    if (kind === 'unknown' || kind === 'receipts') {
      throw new ServiceError('VALIDATION_ERROR', 'upload_id: this file is neither a bundle nor a report with a bundle');
    }
    const receipts = given.receipts_upload_ids.map((id) => uploads.find(asker, id, 'receipts_upload_ids'));
    const ids = [given.upload_id, ...given.receipts_upload_ids];
    if (new Set(ids).size < ids.length) {
      throw new ServiceError('VALIDATION_ERROR', 'receipts_upload_ids: an upload can be used once');
    }
    const owner = ownerFor(asker);
    const release = this.takeRoom(owner, taken.upload.bytes);
    for (const id of ids) uploads.forget(id);
    const about = newCaseFile(asker, given, { taken, receipts }, examiner);
    try {
      await moveIn(this.#context.folder, about, { taken, receipts });
      store.add(about);
    } finally {
      release();
    }
    await store.note(asker, about, 'case.create', { name: about.name, sha256: about.sha256 });
    void this.verifications.start(store.must(about.case_id));
    return this.#view(store.must(about.case_id));
  }

  /** Starts a case whose folder was made from a case file: its first item is imported, then the others are verified. */
  async takeOpened(asker: Asker, about: CaseFile): Promise<Case> {
    const { store } = this;
    store.add(about);
    await store.note(asker, about, 'case.create', { name: about.name, sha256: about.sha256 });
    void this.verifications.start(store.must(about.case_id));
    this.items.resumeOne(about);
    return this.#view(store.must(about.case_id));
  }

  /**
   * Takes room for a case before it is there: of several that come at once each finds what the others left.
   * @returns what gives it back, to be called once the case is there or came to nothing
   * @throws ServiceError QUOTA_EXCEEDED, STORAGE_FULL
   */
  takeRoom(owner: Owner, bytes: number): () => void {
    const { maxCases } = this.#context.limits;
    const used = this.store.ownedBy(owner).length + this.#promisedTo(owner).cases;
    const remedy = 'delete cases that are no longer needed';
    needRoom({ what: 'cases', used, most: maxCases, remedy });
    return this.#take(owner, 1, bytes);
  }

  /** @throws ServiceError STORAGE_FULL where what is free of the disk is kept for the home organization */
  needDisk(owner: Owner, more: number): void {
    throwRefusal(this.#context.refuseDisk(orgOf(owner), more));
  }

  /** @throws ServiceError QUOTA_EXCEEDED, STORAGE_FULL */
  #take(owner: Owner, cases: number, bytes: number): () => void {
    this.needDisk(owner, bytes);
    const used = this.store.ownedBy(owner).reduce((sum, about) => sum + about.bytes + about.items.bytes, 0);
    const remedy = 'delete cases or items that are no longer needed';
    const most = this.#context.limits.maxCaseBytes;
    needRoom({
      what: 'bytes in the files of cases',
      used: used + this.#promisedTo(owner).bytes,
      more: bytes,
      most,
      remedy,
    });
    const change = (sign: 1 | -1): void => {
      const before = this.#promisedTo(owner);
      const after = { cases: before.cases + sign * cases, bytes: before.bytes + sign * bytes };
      if (after.cases === 0 && after.bytes === 0) this.#promised.delete(keyOf(owner));
      else this.#promised.set(keyOf(owner), after);
    };
    change(1);
    return () => change(-1);
  }

  #promisedTo(owner: Owner): { readonly cases: number; readonly bytes: number } {
    return this.#promised.get(keyOf(owner)) ?? { cases: 0, bytes: 0 };
  }

  get(asker: Asker, caseId: string): Case {
    return this.#view(this.store.find(asker, caseId));
  }

  #view(about: CaseFile): Case {
    const { trust } = this.#context;
    const { org_id: orgId = null, org_name: orgName = null } = about.report?.bundle ?? {};
    const isLikeHome = trust.resemblesHome(ownerOf(about), orgId, orgName);
    const job = this.verifications.find(about.case_id);
    const progress = job === undefined ? null : (job.progress ?? new ProgressMeter(about.bytes).progress);
    return caseView(about, progress, trust.ownKids(), isLikeHome);
  }

  /** Newest first, after the last one of the page before. */
  list(asker: Asker, before: { createdAt: number; caseId: string } | null, limit: number): Case[] {
    return this.store
      .seenBy(asker)
      .sort((a, b) => b.created_at - a.created_at || (a.case_id < b.case_id ? 1 : -1))
      .filter(
        ({ created_at, case_id }) =>
          before === null ||
          created_at < before.createdAt ||
          (created_at === before.createdAt && case_id < before.caseId),
      )
      .slice(0, limit)
      .map((about) => this.#view(about));
  }

  async rename(asker: Asker, caseId: string, name: string): Promise<Case> {
    const about = this.store.findToChange(asker, caseId);
    await this.store.note(asker, about, 'case.rename', { from: about.name, to: name });
    return this.#view(await this.store.change(caseId, { name }));
  }

  /** Verifies with present trust. @throws ServiceError NOT_FOUND, CONFLICT */
  async verifyAgain(asker: Asker, caseId: string, trustedKids: readonly string[] | undefined): Promise<Case> {
    const { store } = this;
    const about = store.findToChange(asker, caseId);
    store.findImported(asker, caseId);
    await this.verifications.start(about, async () => {
      const change = trustedKids === undefined ? {} : { trusted_kids: [...new Set(trustedKids)] };
      if (change.trusted_kids !== undefined) {
        await store.note(asker, about, 'case.verify', { trusted_keys: change.trusted_kids });
      }
      await store.change(caseId, { ...change, failure: null });
    });
    await this.items.verifyAll(caseId);
    return this.#view(store.must(caseId));
  }

  /** Ends what runs or waits for a case; of an import nothing stays but that it was cancelled. @throws ServiceError NOT_FOUND, CONFLICT where nothing does */
  async cancel(asker: Asker, caseId: string): Promise<Case> {
    const { store, verifications } = this;
    store.findToChange(asker, caseId);
    if (verifications.find(caseId) === undefined) throw new ServiceError('CONFLICT', 'no job is running for this case');
    const stopped = verifications.cancel(caseId);
    if (store.must(caseId).state === 'importing') {
      await store.change(caseId, { state: 'cancelled' });
      // The thread has the files open until it has ended. A crash before they are gone leaves them to the next start.
      await stopped;
      await store.keepDescriptionOnly(caseId);
    }
    return this.get(asker, caseId);
  }

  /** Takes a case away with all that belongs to it. */
  async delete(asker: Asker, caseId: string): Promise<void> {
    const { store } = this;
    const about = store.findToChange(asker, caseId);
    if (about.archive !== null) store.findImported(asker, caseId);
    // Before the deed: what is deleted without a trace cannot be recorded any more.
    await store.note(asker, about, 'case.delete', { name: about.name, sha256: about.sha256 });
    const reader = this.#readerOf(caseId);
    store.forget(caseId);
    await this.#context.jobs.endAbout(caseId);
    await this.reads.release(store.folderOf(caseId), reader);
    await store.removeFolder(caseId);
  }

  /** Takes away what an organization may read no longer of an archive. */
  async removeArchive(caseId: string): Promise<void> {
    const reader = this.#readerOf(caseId);
    this.store.forget(caseId);
    await this.reads.release(this.store.folderOf(caseId), reader);
    await this.store.removeFolder(caseId);
  }

  /** Takes away the index of an archive, which is made again of its runs. What people wrote stays. */
  async removeIndex(caseId: string): Promise<void> {
    const folder = this.store.folderOf(caseId);
    await this.reads.replacing(folder, () => {
      removeContent(folder);
      for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, NAMES.index) + ending, { force: true });
    });
  }

  /** The organizations whose bundles are among the cases that this caller sees. */
  organizationsSeenBy(asker: Asker): ReadonlySet<string> {
    return new Set(this.store.seenBy(asker).flatMap(({ report }) => report?.bundle.org_id ?? []));
  }

  /** Of the cases that this caller sees: which tell that a key took the place of others. */
  issuerChanges(asker: Asker, kid: string): AddTrustAnswer['changed'] {
    const changes = this.store
      .seenBy(asker)
      .flatMap(({ issuer_change }) => (issuer_change?.kid === kid ? [issuer_change] : []));
    const byOrg = new Map(changes.map((change) => [change.org_id, change]));
    return [...byOrg.values()].map(({ org_id, org_name, known, message }) => ({
      org_id,
      org_name,
      kid,
      message,
      known: known.map((one) => one.kid),
    }));
  }

  async close(): Promise<void> {
    await this.#context.jobs.close();
    await this.threads.close();
    await this.reads.close();
    await this.uploads.close();
  }
}
