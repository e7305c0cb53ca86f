import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { soughtPerson } from '../../../actions/index.ts';
import type { ExportJob } from '../../../api/index.ts';
import type { Json } from '../../../protocol/index.ts';
import { fileNameOf } from '../../http/file-names.ts';
import type { JobMeans } from '../../jobs/job-kind.ts';
import type { Jobs, JobsOfKind } from '../../jobs/jobs.ts';
import { OPERATOR, recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import type { ErasedOperation } from '../../ledger/operations/erase-payload.ts';
import { type DiskRefusal, throwRefusal } from '../../store/base/disk-room.ts';
import { isHeldByClock } from '../../store/base/held-by-clock.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { exports } from '../../store/schema.ts';
import type { Writer } from '../../store/writer.ts';
import { ExportMaker, type ExportMakerContext } from './export-maker.ts';
import {
  type ExportRow,
  exportRow,
  exportsOf,
  exportView,
  findExport,
  listExports,
  noSuchExport,
  unfinishedExports,
} from './export-rows.ts';
import { needReadableSize } from './export-sizes.ts';
import { ExportRefused } from './export-thread.ts';
import type { ExportProgress } from './export-worker.ts';
import { requireKnownAgent } from './known-agent.ts';
import { type ExportRequest, newExport, requestDetails } from './new-export.ts';
import { agedExports, type ExportSettings, needRoomForExport, strayFiles } from './retention.ts';
import { readWithholding, storedWithholding } from './stored-withholding.ts';

/** How often exports that have had their time are looked for. */
const SWEEP_MS = 3_600_000;

export interface ExportContext extends ExportMakerContext {
  readonly writer: Writer;
  /** Where the files are kept. */
  readonly folder: string;
  readonly settings: ExportSettings;
  readonly jobs: Jobs;
  readonly refuseDisk: DiskRefusal;
  readonly onError: (error: unknown) => void;
}

/** The file of a completed export. */
export interface ExportFile {
  readonly path: string;
  readonly format: 'json' | 'pdf';
  /** What it is saved as, without its ending: whose records, made when, how many. */
  readonly baseName: string;
}

/** Everything that an organization's ledger holds, as a file. */
interface WholeBundle {
  readonly orgId: string;
  readonly path: string;
}

type Made = Pick<ExportRow, 'recordCount' | 'redactedCount' | 'completedAt' | 'bytes' | 'redaction'>;

/**
 * The exports of a service: rows in the database, which own the state, and files in a folder. One is made at a time for the home
 * organization and one for guests, of each guest in turn: there is a thread for either.
 */
export class Exports {
  readonly #context: ExportContext;
  readonly #maker: ExportMaker;
  readonly #jobs: JobsOfKind<ExportRow, Made, ExportProgress>;
  readonly #bundles: JobsOfKind<WholeBundle, void, never>;
  #sweeper: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(context: ExportContext) {
    this.#context = context;
    this.#maker = new ExportMaker(context);
    const turns = { lane: 'exports', guestsApart: true, ownerOf: ({ orgId }: { orgId: string }) => orgId };
    this.#jobs = context.jobs.of<ExportRow, Made, ExportProgress>({
      ...turns,
      keyOf: ({ exportId }) => exportId,
      run: (row, means) => this.#make(row, means),
      foreseen: (error) => (error instanceof ExportRefused ? error.message : undefined),
      // An erasure has a turn of the writer before this one, and outdates the job, or after it, and finds one that has ended.
      keep: ({ db }, { work }, { status, failure, result }) => {
        const outcome = { ...result, status, failure };
        db.update(exports).set(outcome).where(eq(exports.exportId, work.exportId)).run();
      },
    });
    this.#bundles = context.jobs.of<WholeBundle, void>({
      ...turns,
      run: ({ orgId, path }, { signal }) => this.#maker.makeWhole(orgId, path, signal),
    });
    mkdirSync(context.folder, { recursive: true, mode: 0o700 });
  }

  /** Resumes the jobs that a stop or a crash interrupted. */
  resume(): void {
    for (const row of unfinishedExports(this.#context.store)) void this.#jobs.start(row);
    this.removeStray();
    this.#sweeper = setInterval(() => void this.removeAged(), SWEEP_MS).unref();
    void this.removeAged();
  }

  /** Removes files that belong to no export any more. */
  removeStray(): void {
    const { store, folder } = this.#context;
    for (const name of strayFiles(store, folder)) rmSync(join(folder, name), { force: true });
  }

  /**
   * Accepts a job; it is made afterwards. Times are kept in UTC with milliseconds.
   * @throws ServiceError QUOTA_EXCEEDED, EXPORT_TOO_LARGE, STORAGE_FULL
   */
  async create(orgId: string, actor: string, request: ExportRequest): Promise<ExportJob> {
    const { store, writer, refuseDisk, now } = this.#context;
    requireKnownAgent(store, orgId, 'agentId', request.agentId);
    // Whoever misspells an agent would give away what was to be withheld.
    for (const agentId of request.redact?.agent_ids ?? []) requireKnownAgent(store, orgId, 'redact.agent_ids', agentId);
    const { names = [] } = request.redact ?? {};
    if (request.reason !== undefined && names.some((name) => soughtPerson(name).isInText(request.reason ?? ''))) {
      const message = 'reason: must not name anybody who is to be withheld, since the administrative log keeps it';
      throw new ServiceError('VALIDATION_ERROR', message);
    }
    needReadableSize(store, orgId, request);
    throwRefusal(refuseDisk(orgId, 0));
    // A crash after it leaves a job without its answer: it is listed, and the next start makes it.
    const row = await writer.transact((store): ExportRow => {
      needRoomForExport(store, orgId, this.#context.settings);
      const time = now();
      const job = newExport(orgId, request, time);
      store.db.insert(exports).values(job).run();
      const target = { targetType: 'export', targetId: job.exportId, details: requestDetails(job, request) };
      recordAdminEvent(store, { orgId, actor, action: 'export.create', ...target }, time);
      return job;
    });
    void this.#jobs.start(row);
    return exportView(row);
  }

  /**
   * A crash after it leaves the whole file and an unfinished job: the next start makes it again.
   * @throws ExportRefused where a guest's file took what of the disk is kept for the home organization
   */
  async #make(row: ExportRow, { signal, tell }: JobMeans<ExportProgress>): Promise<Made> {
    const { exportId, orgId } = row;
    const path = this.#path(exportId, 'json');
    const reportPath = row.format === 'pdf' ? this.#path(exportId, 'pdf') : null;
    const full = new AbortController();
    const onProgress = (progress: ExportProgress): void => {
      tell(progress);
      // What the file takes is seen only while it is written.
      const refusal = this.#context.refuseDisk(orgId, 0);
      if (refusal !== null) full.abort(new ExportRefused(refusal.message));
    };
    const { records, redacted, kept } = await this.#maker
      .make(row, path, reportPath, { signal: AbortSignal.any([signal, full.signal]), onProgress })
      .catch((error: unknown) => {
        throw full.signal.aborted && !signal.aborted ? full.signal.reason : error;
      });
    const bytes = this.#filesOf(exportId).reduce((sum, file) => sum + statSync(file).size, 0);
    const redaction =
      kept === undefined ? row.redaction : storedWithholding({ ...readWithholding(row.redaction), kept });
    return { recordCount: records, redactedCount: redacted, completedAt: this.#context.now(), bytes, redaction };
  }

  /**
   * Writes a bundle of all that an organization's ledger holds. It is no export: nobody is handed it, so no job and no
   * admin event tells of it.
   * @param path the name appears once all of it is on disk
   * @throws RequestStopped where `signal` is aborted, and where the service stops
   */
  bundleTo(orgId: string, path: string, signal: AbortSignal): Promise<void> {
    return this.#bundles.run({ orgId, path }, signal);
  }

  /** Where the file of a job is, or will be. The id is one of ours, never a caller's text. */
  #path(exportId: string, format: 'json' | 'pdf'): string {
    return join(this.#context.folder, `${exportId}.${format}`);
  }

  /** Newest first; `before` is the last job of the page before. */
  list(orgId: string, before: { createdAt: number; exportId: string } | null, limit: number): ExportJob[] {
    return listExports(this.#context.store, orgId, before, limit).map((row) => this.#view(row));
  }

  /** @throws ServiceError NOT_FOUND */
  get(orgId: string, exportId: string): ExportJob {
    return this.#view(findExport(this.#context.store, orgId, exportId));
  }

  #view(row: ExportRow): ExportJob {
    return exportView(row, this.#jobs.find(row.exportId)?.progress);
  }

  /**
   * Notes a download.
   * @throws ServiceError NOT_FOUND, CONFLICT where the job is not completed
   */
  async download(orgId: string, actor: string, exportId: string): Promise<ExportFile> {
    const job = this.get(orgId, exportId);
    if (job.status !== 'completed')
      throw new ServiceError('CONFLICT', `the export is not completed: it is ${job.status}`);
    const path = this.#path(job.exportId, job.format);
    const { store, writer, now } = this.#context;
    const target = { targetType: 'export', targetId: exportId, details: { record_count: job.recordCount } };
    // A crash after it leaves a download noted that never began: the log says rather too much than too little.
    await writer.transact((store) => {
      // Of a shared log, each node has the files that it made.
      if (!existsSync(path)) {
        throw new ServiceError('CONFLICT', 'another node made the file of this export: make it again');
      }
      recordAdminEvent(store, { orgId, actor, action: 'export.download', ...target }, now());
    });
    const name = store.statement('SELECT name FROM organizations WHERE org_id = ?').pluck().get(orgId) as string;
    const records = `${job.recordCount}-${job.recordCount === 1 ? 'record' : 'records'}`;
    const baseName = fileNameOf(
      [name, job.createdAt.slice(0, 10), ...(job.agentId === undefined ? [] : [job.agentId]), records],
      '',
    );
    return { path, format: job.format, baseName };
  }

  /**
   * Deletes an export with its files.
   * @throws ServiceError NOT_FOUND, CONFLICT while it is being made
   */
  async delete(orgId: string, actor: string, exportId: string): Promise<void> {
    if (this.get(orgId, exportId).status === 'processing') {
      throw new ServiceError('CONFLICT', 'the export is still running: delete the export once it is completed');
    }
    if (!(await this.#remove(orgId, actor, exportId, {}))) throw noSuchExport();
  }

  /**
   * Deletes the exports that may hold what was erased of some operations, and has those made again that are being made. What
   * was downloaded before is not reached. To be called within the transaction that erases.
   * @param why what the events say of the reason
   * @returns removes their files, once that is committed; a crash before it leaves files that the next start removes
   */
  forget(
    store: WritableStore,
    erased: readonly ErasedOperation[],
    why: { readonly [member: string]: Json },
  ): () => Promise<void> {
    const affected = exportsOf(store, erased);
    const done = affected.filter(({ status }) => status !== 'processing');
    for (const { exportId, status } of affected) if (status === 'processing') this.#jobs.outdate(exportId);
    for (const { orgId, exportId } of done) this.#removeRow(store, orgId, OPERATOR, exportId, why);
    return async () => {
      for (const { exportId } of done) await this.#removeFiles(exportId);
    };
  }

  /** Deletes what is older than exports are kept. */
  async removeAged(): Promise<void> {
    const { store, settings, now, onError } = this.#context;
    try {
      for (let aged = agedExports(store, settings, now()); aged.length > 0; ) {
        for (const { orgId, exportId } of aged) {
          if (this.#isClosed) return;
          await this.#remove(orgId, OPERATOR, exportId, { kept_days: settings.exportKeepDays });
        }
        aged = agedExports(store, settings, now());
      }
    } catch (error) {
      // They are looked for again.
      if (!isHeldByClock(error)) onError(error);
    }
  }

  async #remove(
    orgId: string,
    actor: string,
    exportId: string,
    why: { readonly [member: string]: Json },
  ): Promise<boolean> {
    // A crash after it leaves files that belong to no export: the next start removes them.
    const isRemoved = await this.#context.writer.transact((store) =>
      this.#removeRow(store, orgId, actor, exportId, why),
    );
    await this.#removeFiles(exportId);
    return isRemoved;
  }

  /** @returns false where somebody else deleted it between the look before and the writer's turn */
  #removeRow(
    store: WritableStore,
    orgId: string,
    actor: string,
    exportId: string,
    why: { readonly [member: string]: Json },
  ): boolean {
    const row = exportRow(store, orgId, exportId);
    if (row === undefined) return false;
    const { format, recordCount } = exportView(row);
    store.db.delete(exports).where(eq(exports.exportId, exportId)).run();
    const details = { format, record_count: recordCount, ...why };
    const target = { targetType: 'export', targetId: exportId, details };
    recordAdminEvent(store, { orgId, actor, action: 'export.delete', ...target }, this.#context.now());
    return true;
  }

  async #removeFiles(exportId: string): Promise<void> {
    for (const path of this.#filesOf(exportId)) await rm(path, { force: true }).catch(this.#context.onError);
  }

  #filesOf(exportId: string): string[] {
    return (['json', 'pdf'] as const).map((format) => this.#path(exportId, format)).filter((path) => existsSync(path));
  }

  /** Once its jobs are over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#sweeper !== null) clearInterval(this.#sweeper);
    await this.#context.jobs.close();
    await this.#maker.close();
  }
}
