import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddTrustAnswer, Case, CaseProgress } from '../../contract/index.ts';
import { RequestStopped } from '../../runtime/index.ts';
import type { AdminAct } from '../admin-log/admin-events.ts';
import { ServiceError } from '../base/errors.ts';
import { JobQueue } from '../base/job-queue.ts';
import { needRoom } from '../base/quotas.ts';
import {
  type CaseAction,
  type CaseFile,
  keepDescriptionOnly,
  loadCaseFiles,
  NAMES,
  ownerOf,
  receiptsName,
  saveCaseFile,
  summaryOf,
} from './case-file.ts';
import { CaseRefused } from './case-source.ts';
import { caseView } from './case-view.ts';
import type { StoredFile, VerifyTask } from './job-messages.ts';
import { runJob } from './job-thread.ts';
import { moveIn, type NewCase, newCaseFile } from './new-case.ts';
import { ProgressMeter } from './progress-meter.ts';
import { CaseReads } from './reads/read-thread.ts';
import { type Asker, keyOf, mayChange, maySee, type Owner, ownerFor } from './scope.ts';
import type { TrustKeeper } from './trust/trust-keeper.ts';
import type { UploadLimits } from './upload-room.ts';
import { Uploads } from './uploads.ts';

/** What cases may take. */
export interface CaseLimits extends UploadLimits {
  /** Of one owner: cases, and bytes of their files. */
  readonly maxCases: number;
  readonly maxCaseBytes: number;
}

export interface CasesContext {
  /** Where the cases are, each in a folder named by its id. */
  readonly folder: string;
  readonly limits: CaseLimits;
  /** Whether an organization is the home organization: its jobs wait for no guest's. */
  readonly isHome: (orgId: string) => boolean;
  readonly trust: TrustKeeper;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Records an act on an organization's case in its administrative log. */
  readonly record: (act: AdminAct) => Promise<void>;
}

/** What of a case's file may be unpacked, for each byte that may be uploaded. */
const MAX_UNPACKING = 4;

/** Compressed records come to a twentieth at the least: a file that unpacks to more than this is made to, beyond a size that does no harm. */
const MAX_RATIO = 100;
const HARMLESS_BYTES = 64 * 1024 * 1024;

/** How many acts on a case of the workstation are kept: the newest. */
const MAX_HISTORY = 200;

/** A folder on its way in or out has such an ending, and is nothing to anybody: the next start removes it. */
const HALF = /\.(new|gone)$/;

interface Running {
  readonly stop: AbortController;
  readonly meter: ProgressMeter;
  /** Once it has begun: when it has ended, however that came. */
  ended?: Promise<void>;
}

function failureOf(error: unknown): NonNullable<CaseFile['failure']> {
  if (error instanceof CaseRefused) return { code: error.code, message: error.message };
  // Such as a trust store that cannot be read.
  const message = error instanceof ServiceError ? error.message : 'unexpected error; the log of the service has it';
  return { code: 'UNEXPECTED', message };
}

/** The cases of a service: imported files, verified and browsed on threads of their own, one job after the other. */
export class Cases {
  readonly reads = new CaseReads();
  readonly uploads: Uploads;
  readonly #context: CasesContext;
  readonly #known = new Map<string, CaseFile>();
  readonly #running = new Map<string, Running>();
  readonly #queue: JobQueue<'home' | 'guests'>;
  /** Cases of each owner that are being made. */
  readonly #making = new Map<string, number>();
  #saved: Promise<void> = Promise.resolve();

  constructor(context: CasesContext) {
    this.#context = context;
    const { folder, limits, trust, now, onError } = context;
    this.#queue = new JobQueue(onError);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      if (HALF.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
    }
    this.uploads = new Uploads(join(folder, 'uploads'), limits, trust, now);
    for (const about of loadCaseFiles(folder, onError)) {
      this.#known.set(about.case_id, about);
      if (about.state === 'cancelled') keepDescriptionOnly(this.folderOf(about.case_id));
    }
  }

  /** Begins the imports again that a stop or a crash interrupted: the file of each is there, whole. */
  resume(): void {
    for (const { case_id, state } of this.#known.values()) if (state === 'importing') this.#enqueue(case_id);
  }

  /**
   * Makes a case of an upload; it is imported afterwards.
   * @throws ServiceError NOT_FOUND, QUOTA_EXCEEDED, VALIDATION_ERROR where the upload is nothing that can be verified
   */
  async create(asker: Asker, given: NewCase): Promise<Case> {
    const { uploads } = this;
    const taken = uploads.find(asker, given.upload_id);
    if (taken.upload.kind === 'unknown' || taken.upload.kind === 'receipts') {
      throw new ServiceError('VALIDATION_ERROR', 'upload_id: this file is neither a bundle nor a report with a bundle');
    }
    const receipts = given.receipts_upload_ids.map((id) => uploads.find(asker, id, 'receipts_upload_ids'));
    const ids = [given.upload_id, ...given.receipts_upload_ids];
    if (new Set(ids).size < ids.length) {
      throw new ServiceError('VALIDATION_ERROR', 'receipts_upload_ids: an upload can be used once');
    }
    const owner = ownerFor(asker);
    this.#needRoom(owner, taken.upload.bytes);
    for (const id of ids) uploads.forget(id);
    const about = newCaseFile(asker, given, { taken, receipts }, this.#context.now());
    const making = (change: number): unknown =>
      this.#making.set(keyOf(owner), (this.#making.get(keyOf(owner)) ?? 0) + change);
    making(1);
    await moveIn(this.#context.folder, about, { taken, receipts }).finally(() => making(-1));
    this.#known.set(about.case_id, about);
    await this.#note(asker, about, 'case.create', { name: about.name, sha256: about.sha256 });
    this.#enqueue(about.case_id);
    return this.#view(this.#must(about.case_id));
  }

  /** @throws ServiceError QUOTA_EXCEEDED */
  #needRoom(owner: Owner, bytes: number): void {
    const { maxCases, maxCaseBytes } = this.#context.limits;
    const theirs = [...this.#known.values()].filter((about) => keyOf(ownerOf(about)) === keyOf(owner));
    const used = theirs.length + (this.#making.get(keyOf(owner)) ?? 0);
    const remedy = 'delete cases that are no longer needed';
    needRoom({ what: 'cases', used, most: maxCases, remedy });
    const usedBytes = theirs.reduce((sum, about) => sum + about.bytes, 0);
    needRoom({ what: 'bytes in the files of cases', used: usedBytes, more: bytes, most: maxCaseBytes, remedy });
  }

  /** The folder of a case. The id is one of ours, never a caller's text. */
  folderOf(caseId: string): string {
    return join(this.#context.folder, caseId);
  }

  #enqueue(caseId: string): void {
    const about = this.#must(caseId);
    const meter = new ProgressMeter(about.bytes);
    const running: Running = { stop: new AbortController(), meter };
    this.#running.set(caseId, running);
    this.enqueue(ownerOf(about), async () => {
      try {
        // What was cancelled or deleted while it waited is not begun.
        if (!running.stop.signal.aborted) {
          running.ended = this.#verify(caseId, running);
          await running.ended;
        }
      } finally {
        this.#running.delete(caseId);
      }
    });
  }

  /** Has a job done after those of its owner before it, and in turn with those of other owners. */
  enqueue(owner: Owner, job: () => Promise<void>): void {
    const isHome = owner === 'workstation' || this.#context.isHome(owner.orgId);
    this.#queue.add(isHome ? 'home' : 'guests', keyOf(owner), job);
  }

  async #verify(caseId: string, { stop, meter }: Running): Promise<void> {
    const about = this.#must(caseId);
    try {
      const task = await this.#taskFor(about);
      const done = await runJob(task, stop.signal, (progress) => meter.take(progress));
      if (done.kind !== 'verified') throw new Error('the thread of a case did something else');
      // It was done before it could be stopped: an import that was cancelled stays cancelled.
      if (this.#known.get(caseId)?.state !== about.state) return;
      const { report, plainDigest, pages } = done.outcome;
      const change = await this.#context.trust.notice(ownerOf(about), report, plainDigest).catch((error: unknown) => {
        this.#context.onError(error);
        return null;
      });
      await this.reads.release(this.folderOf(caseId));
      const verified = {
        report: summaryOf(report),
        pages,
        verified_at: this.#context.now(),
        verified_with: [...task.trustedKids],
        state: 'ready' as const,
        failure: null,
      };
      await this.#change(caseId, { ...verified, issuer_change: change && { ...change, known: [...change.known] } });
    } catch (error) {
      await this.#failed(caseId, error);
    }
  }

  async #failed(caseId: string, error: unknown): Promise<void> {
    // Whoever cancels or deletes has said so; where the service stops, the case stays as it is for the next start.
    if (error instanceof RequestStopped || !this.#known.has(caseId)) return;
    const failure = failureOf(error);
    if (failure.code === 'UNEXPECTED') this.#context.onError(error);
    const isImport = this.#known.get(caseId)?.state === 'importing';
    await this.#change(caseId, { failure, ...(isImport && { state: 'failed' as const }) });
  }

  async #taskFor(about: CaseFile): Promise<VerifyTask> {
    const folder = this.folderOf(about.case_id);
    return {
      kind: 'verify',
      file: this.storedFile(about),
      receipts: about.receipts.map(({ name }, index) => ({ name, path: join(folder, receiptsName(index)) })),
      trustedKids: await this.trustedKids(about),
      reportPath: join(folder, NAMES.report),
      indexPath: about.state === 'importing' ? join(folder, NAMES.index) : null,
    };
  }

  /** Whom a verification of this case trusts: the trust store unless a guest's, and what was named for the case alone. */
  async trustedKids(about: CaseFile): Promise<string[]> {
    return [...new Set([...about.trusted_kids, ...(await this.#context.trust.entries(ownerOf(about)))])];
  }

  storedFile({ case_id, kind, bytes }: CaseFile): StoredFile {
    const path = join(this.folderOf(case_id), NAMES.original);
    const most = MAX_UNPACKING * Math.max(bytes, this.#context.limits.maxBytes);
    const byRatio = kind === 'bundle' ? most : Math.max(HARMLESS_BYTES, MAX_RATIO * bytes);
    return { path, kind, bytes, maxPlainBytes: Math.min(most, byRatio) };
  }

  /** Changes what is kept of a case; one that was deleted meanwhile stays away. */
  async #change(caseId: string, change: Partial<CaseFile>): Promise<CaseFile> {
    const next = { ...this.#must(caseId), ...change };
    this.#known.set(caseId, next);
    await this.#inFolder(caseId, (folder) => saveCaseFile(folder, next));
    return next;
  }

  /** One after the other: two at once would write the same temporary file. */
  #inFolder(caseId: string, act: (folder: string) => Promise<void> | void): Promise<void> {
    const done = this.#saved.then(async () => {
      if (this.#known.has(caseId)) await act(this.folderOf(caseId));
    });
    this.#saved = done.catch(() => undefined);
    return done;
  }

  #must(caseId: string): CaseFile {
    const about = this.#known.get(caseId);
    if (about === undefined) throw new ServiceError('NOT_FOUND', 'there is no such case');
    return about;
  }

  /** @throws ServiceError NOT_FOUND where it is not there, or another's */
  find(asker: Asker, caseId: string): CaseFile {
    const about = this.#must(caseId);
    if (!maySee(asker, ownerOf(about))) throw new ServiceError('NOT_FOUND', 'there is no such case');
    return about;
  }

  /** @throws ServiceError NOT_FOUND; FORBIDDEN where the caller may read it and not change it */
  findToChange(asker: Asker, caseId: string): CaseFile {
    const about = this.find(asker, caseId);
    if (mayChange(asker, ownerOf(about))) return about;
    throw new ServiceError('FORBIDDEN', 'to change a case needs the role compliance_auditor or a higher one');
  }

  /** What is done to an organization's case is in its administrative log; to one of the workstation, in the case's file. */
  async #note(asker: Asker, about: CaseFile, action: CaseAction, details: AdminAct['details']): Promise<void> {
    const { case_id: caseId, org_id: orgId } = about;
    if (orgId === null || asker.caller === null) {
      const entry = { at: this.#context.now(), action, details };
      await this.#change(caseId, { history: [...this.#must(caseId).history, entry].slice(-MAX_HISTORY) });
      return;
    }
    const act = { orgId, actor: asker.caller.userId, action, targetType: 'case', targetId: caseId, details } as const;
    await this.#context.record(act);
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT where it is not imported */
  findReady(asker: Asker, caseId: string): CaseFile {
    const about = this.find(asker, caseId);
    if (about.state !== 'ready') throw new ServiceError('CONFLICT', `the case is not ready: it is ${about.state}`);
    return about;
  }

  get(asker: Asker, caseId: string): Case {
    return this.#view(this.find(asker, caseId));
  }

  #view(about: CaseFile): Case {
    const progress: CaseProgress | null = this.#running.get(about.case_id)?.meter.progress ?? null;
    const { trust } = this.#context;
    const { org_id: orgId = null, org_name: orgName = null } = about.report?.bundle ?? {};
    return caseView(about, progress, trust.ownKids(), trust.resemblesHome(ownerOf(about), orgId, orgName));
  }

  /** Newest first, after the last one of the page before. */
  list(asker: Asker, before: { createdAt: number; caseId: string } | null, limit: number): Case[] {
    return [...this.#known.values()]
      .filter((about) => maySee(asker, ownerOf(about)))
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
    const about = this.findToChange(asker, caseId);
    await this.#note(asker, about, 'case.rename', { from: about.name, to: name });
    return this.#view(await this.#change(caseId, { name }));
  }

  /** Verifies with present trust. @throws ServiceError NOT_FOUND, CONFLICT */
  async verifyAgain(asker: Asker, caseId: string, trustedKids: readonly string[] | undefined): Promise<Case> {
    const about = this.findToChange(asker, caseId);
    this.findReady(asker, caseId);
    if (this.#running.has(caseId)) throw new ServiceError('CONFLICT', 'the case is being verified already');
    const change = trustedKids === undefined ? {} : { trusted_kids: [...new Set(trustedKids)] };
    if (change.trusted_kids !== undefined) {
      await this.#note(asker, about, 'case.verify', { trusted_keys: change.trusted_kids });
    }
    this.#enqueue(about.case_id);
    return this.#view(await this.#change(caseId, { ...change, failure: null }));
  }

  /** Ends what runs or waits for a case; of an import nothing stays but that it was cancelled. @throws ServiceError NOT_FOUND, CONFLICT where nothing does */
  async cancel(asker: Asker, caseId: string): Promise<Case> {
    this.findToChange(asker, caseId);
    const running = this.#running.get(caseId);
    if (running === undefined) throw new ServiceError('CONFLICT', 'nothing is under way for this case');
    running.stop.abort();
    if (this.#must(caseId).state === 'importing') {
      await this.#change(caseId, { state: 'cancelled' });
      // The thread has the files open until it has ended. A crash before they are gone leaves them to the next start.
      await running.ended;
      await this.#inFolder(caseId, keepDescriptionOnly);
    }
    return this.get(asker, caseId);
  }

  /** Takes a case away with all that belongs to it. A crash after the rename leaves what the next start removes. */
  async delete(asker: Asker, caseId: string): Promise<void> {
    const about = this.findToChange(asker, caseId);
    // Before the deed: what is deleted without a trace cannot be recorded any more.
    await this.#note(asker, about, 'case.delete', { name: about.name, sha256: about.sha256 });
    const running = this.#running.get(caseId);
    this.#known.delete(caseId);
    running?.stop.abort();
    await running?.ended;
    await this.#saved;
    const folder = this.folderOf(caseId);
    await this.reads.release(folder);
    const gone = `${folder}.gone`;
    await rename(folder, gone);
    await rm(gone, { recursive: true, force: true });
  }

  /** The organizations whose bundles are among the cases that this caller sees. */
  organizationsSeenBy(asker: Asker): ReadonlySet<string> {
    const seen = [...this.#known.values()].filter((about) => maySee(asker, ownerOf(about)));
    return new Set(seen.flatMap(({ report }) => report?.bundle.org_id ?? []));
  }

  /** Of the cases that this caller sees: which tell that a key took the place of others. */
  issuerChanges(asker: Asker, kid: string): AddTrustAnswer['changed'] {
    const changes = [...this.#known.values()]
      .filter((about) => maySee(asker, ownerOf(about)))
      .flatMap(({ issuer_change }) => (issuer_change?.kid === kid ? [issuer_change] : []));
    const byOrg = new Map(changes.map((change) => [change.org_id, change]));
    return [...byOrg.values()].map(({ org_id, org_name, known, message }) => ({
      ...{ org_id, org_name, kid, message },
      known: known.map((one) => one.kid),
    }));
  }

  /** Stops between two pieces of a file; what is not finished is begun again at the next start. */
  async close(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort();
    await this.#queue.idle();
    await this.reads.close();
    await this.uploads.close();
  }
}
