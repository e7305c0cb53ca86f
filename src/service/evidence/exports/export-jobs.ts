import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, desc, eq, lt, or } from 'drizzle-orm';
import type { ExportJob, ExportStatus } from '../../../contract/index.ts';
import { formatTime, type Json, parseTime } from '../../../protocol/index.ts';
import { OPERATOR, recordAdminEvent } from '../../admin-log/admin-events.ts';
import { ServiceError } from '../../base/errors.ts';
import { JobQueue } from '../../base/job-queue.ts';
import { fileNameOf } from '../../http/file-names.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Store } from '../../store/open.ts';
import { exports } from '../../store/schema.ts';
import type { Writer } from '../../store/writer.ts';
import type { AdminEventsChoice } from './admin-events-choice.ts';
import { ExportRefused, ExportThread } from './export-thread.ts';
import type { ExportProgress } from './export-worker.ts';
import { requireKnownAgent } from './known-agent.ts';
import { NO_REDACTION, type Redaction, readWithholding, storedWithholding } from './redaction.ts';
import { agedExports, type ExportSettings, needRoomForExport, strayFiles } from './retention.ts';

/** How often exports that have had their time are looked for. */
const SWEEP_MS = 3_600_000;

type ExportRow = typeof exports.$inferSelect;

export interface ExportRequest {
  readonly startTime: string;
  readonly endTime: string;
  readonly agentId?: string | undefined;
  readonly format: 'json' | 'pdf';
  readonly redact?: Redaction | undefined;
  readonly admin_events: AdminEventsChoice;
}

export interface ExportContext {
  readonly store: Store;
  readonly writer: Writer;
  readonly ledger: Ledger;
  readonly key: CurrentKey;
  readonly now: () => number;
  /** Where the files are kept. */
  readonly folder: string;
  readonly settings: ExportSettings;
  /** The ledger's database. */
  readonly ledgerPath: string;
  readonly onError: (error: unknown) => void;
}

function view(row: ExportRow, at?: ExportProgress): ExportJob {
  return {
    exportId: row.exportId,
    status: row.status as ExportStatus,
    format: row.format as 'json' | 'pdf',
    startTime: row.startTime,
    endTime: row.endTime,
    ...(row.agentId === null ? {} : { agentId: row.agentId }),
    recordCount: row.recordCount ?? at?.records ?? 0,
    redactedCount: row.redactedCount ?? 0,
    progress: row.status === 'completed' ? 1 : (at?.share ?? 0),
    createdAt: formatTime(row.createdAt),
    ...(row.completedAt === null ? {} : { completedAt: formatTime(row.completedAt) }),
    ...(row.failure === null ? {} : { failure: row.failure }),
  };
}

/** The file of a completed export. */
export interface ExportFile {
  readonly path: string;
  readonly format: 'json' | 'pdf';
  /** What it is saved as, without its ending: whose records, made when, how many. */
  readonly baseName: string;
}

/** The exports of a service: jobs in the database, files in a folder, one made after the other. */
export class Exports {
  readonly #context: ExportContext;
  readonly #thread: ExportThread;
  readonly #progress = new Map<string, ExportProgress>();
  readonly #queue: JobQueue<'exports'>;
  readonly #sweeper: NodeJS.Timeout;
  readonly #stop = new AbortController();

  constructor(context: ExportContext) {
    this.#context = context;
    this.#thread = new ExportThread(context.ledgerPath, context.key);
    this.#queue = new JobQueue(context.onError);
    this.#sweeper = setInterval(() => void this.removeAged(), SWEEP_MS).unref();
    mkdirSync(context.folder, { recursive: true, mode: 0o700 });
  }

  /** Takes up the jobs that a stop or a crash interrupted. */
  resume(): void {
    const waiting = this.#context.store.db.select().from(exports).where(eq(exports.status, 'processing')).all();
    for (const row of waiting) this.#enqueue(row);
    const { store, folder } = this.#context;
    for (const name of strayFiles(store, folder)) rmSync(join(folder, name), { force: true });
    void this.removeAged();
  }

  /**
   * Accepts a job; it is made afterwards. Times are kept in UTC with milliseconds.
   * @throws ServiceError QUOTA_EXCEEDED
   */
  async create(orgId: string, actor: string, request: ExportRequest): Promise<ExportJob> {
    const { store, writer, now } = this.#context;
    requireKnownAgent(store, orgId, request.agentId);
    // A crash after it leaves a job without its answer: it is listed, and the next start makes it.
    const row = await writer.transact((store): ExportRow => {
      needRoomForExport(store, orgId, this.#context.settings);
      const time = now();
      const job: ExportRow = {
        exportId: randomUUID(),
        orgId,
        status: 'processing',
        format: request.format,
        startTime: formatTime(parseTime(request.startTime)),
        endTime: formatTime(parseTime(request.endTime)),
        agentId: request.agentId ?? null,
        recordCount: null,
        createdAt: time,
        completedAt: null,
        redaction: storedWithholding(request.redact, request.admin_events),
        redactedCount: null,
        failure: null,
        bytes: null,
      };
      store.db.insert(exports).values(job).run();
      const details = {
        start_time: job.startTime,
        end_time: job.endTime,
        agent_id: job.agentId,
        format: job.format,
        ...(storedWithholding(request.redact) === null ? {} : { redact: request.redact as unknown as Json }),
        ...(request.admin_events === 'all' ? {} : { admin_events: request.admin_events }),
      };
      const target = { targetType: 'export', targetId: job.exportId, details };
      recordAdminEvent(store, { orgId, actor, action: 'export.create', ...target }, time);
      return job;
    });
    this.#enqueue(row);
    return view(row);
  }

  /** Behind the jobs of its organization before it, and in turn with those of others. */
  #enqueue({ orgId, exportId }: ExportRow): void {
    this.#queue.add('exports', orgId, async () => {
      if (this.#stop.signal.aborted) return;
      await this.#make(exportId).catch(async (error: unknown) => {
        // Stopped, not failed: the job stays as it is for the next start.
        if (this.#stop.signal.aborted) return;
        const refused = error instanceof ExportRefused;
        if (!refused) this.#context.onError(error);
        const failure = refused ? error.message : 'unexpected error; the log of the service has it';
        await this.#finish(exportId, { status: 'failed', failure }).catch(this.#context.onError);
      });
    });
  }

  async #make(exportId: string): Promise<void> {
    const { store, ledger } = this.#context;
    const row = store.db.select().from(exports).where(eq(exports.exportId, exportId)).get();
    if (row === undefined) return;
    // Every record of a bundle is sealed (protocol §6).
    const head = await ledger.sealNow(row.orgId);
    const filter = { start_time: row.startTime, end_time: row.endTime, agent_id: row.agentId };
    const logHead = { seq_no: head.seqNo, epoch_no: head.epochNo };
    // Not before the newest record, even where the clock stepped back.
    const createdAt = formatTime(Math.max(row.createdAt, head.notBefore));
    const { redaction, adminEvents } = readWithholding(row.redaction);
    const task = {
      ...{ orgId: row.orgId, filter, logHead, redaction, adminEvents, identity: { exportId, createdAt } },
      path: this.#path(exportId, 'json'),
      reportPath: row.format === 'pdf' ? this.#path(exportId, 'pdf') : null,
    };
    const written = await this.#thread.make(task, {
      signal: this.#stop.signal,
      onProgress: (progress) => this.#progress.set(exportId, progress),
    });
    // A crash here leaves the whole file and an unfinished job: the next start makes it again.
    const { records: recordCount, redacted: redactedCount } = written;
    const bytes = this.#filesOf(exportId).reduce((sum, path) => sum + statSync(path).size, 0);
    const completedAt = this.#context.now();
    await this.#finish(exportId, { status: 'completed', recordCount, redactedCount, completedAt, bytes });
  }

  /**
   * Writes a bundle of all that an organization's ledger holds. It is no export: nobody is handed it, so no job and no
   * admin event tells of it.
   * @param path the name appears once all of it is on disk
   */
  bundleTo(orgId: string, path: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const make = async (): Promise<void> => {
      if (this.#stop.signal.aborted) throw new Error('the service stops');
      const { ledger, now } = this.#context;
      const head = await ledger.sealNow(orgId);
      const filter = { start_time: '1970-01-01T00:00:00.000Z', end_time: '9999-12-31T23:59:59.999Z', agent_id: null };
      const logHead = { seq_no: head.seqNo, epoch_no: head.epochNo };
      const identity = { exportId: randomUUID(), createdAt: formatTime(Math.max(now(), head.notBefore)) };
      const common = { orgId, filter, logHead, identity, redaction: NO_REDACTION, adminEvents: 'all' } as const;
      await this.#thread.make({ ...common, path, reportPath: null }, { signal: this.#stop.signal });
    };
    this.#queue.add('exports', orgId, () => make().then(resolve, reject));
    return promise;
  }

  #finish(exportId: string, outcome: Partial<ExportRow>): Promise<unknown> {
    this.#progress.delete(exportId);
    // A crash after it leaves the job finished, as it is: a completed one has its whole file.
    return this.#context.writer.transact(({ db }) =>
      db.update(exports).set(outcome).where(eq(exports.exportId, exportId)).run(),
    );
  }

  /** Where the file of a job is, or will be. The id is one of ours, never a caller's text. */
  #path(exportId: string, format: 'json' | 'pdf'): string {
    return join(this.#context.folder, `${exportId}.${format}`);
  }

  /** Newest first; `before` is the last job of the page before. */
  list(orgId: string, before: { createdAt: number; exportId: string } | null, limit: number): ExportJob[] {
    const older =
      before &&
      or(
        lt(exports.createdAt, before.createdAt),
        and(eq(exports.createdAt, before.createdAt), lt(exports.exportId, before.exportId)),
      );
    return this.#context.store.db
      .select()
      .from(exports)
      .where(and(eq(exports.orgId, orgId), older ?? undefined))
      .orderBy(desc(exports.createdAt), desc(exports.exportId))
      .limit(limit)
      .all()
      .map((row) => view(row, this.#progress.get(row.exportId)));
  }

  /** @throws ServiceError NOT_FOUND */
  get(orgId: string, exportId: string): ExportJob {
    const row = this.#context.store.db
      .select()
      .from(exports)
      .where(and(eq(exports.orgId, orgId), eq(exports.exportId, exportId)))
      .get();
    if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such export');
    return view(row, this.#progress.get(exportId));
  }

  /**
   * Notes a download.
   * @throws ServiceError NOT_FOUND, CONFLICT where the job is not completed
   */
  async download(orgId: string, actor: string, exportId: string): Promise<ExportFile> {
    const job = this.get(orgId, exportId);
    if (job.status !== 'completed')
      throw new ServiceError('CONFLICT', `the export is not completed: it is ${job.status}`);
    const { store, writer, now } = this.#context;
    const target = { targetType: 'export', targetId: exportId, details: { record_count: job.recordCount } };
    // A crash after it leaves a download noted that never began: the log says rather too much than too little.
    await writer.transact((store) =>
      recordAdminEvent(store, { orgId, actor, action: 'export.download', ...target }, now()),
    );
    const name = store.statement('SELECT name FROM organizations WHERE org_id = ?').pluck().get(orgId) as string;
    const records = `${job.recordCount}-${job.recordCount === 1 ? 'record' : 'records'}`;
    const baseName = fileNameOf(
      [name, job.createdAt.slice(0, 10), ...(job.agentId === undefined ? [] : [job.agentId]), records],
      '',
    );
    return { path: this.#path(job.exportId, job.format), format: job.format, baseName };
  }

  /**
   * Deletes an export with its files.
   * @throws ServiceError NOT_FOUND, CONFLICT while it is being made
   */
  async delete(orgId: string, actor: string, exportId: string): Promise<void> {
    if (this.get(orgId, exportId).status === 'processing') {
      throw new ServiceError('CONFLICT', 'the export is being made: delete it once it is completed');
    }
    await this.#remove(orgId, actor, exportId, {});
  }

  /** Deletes what is older than exports are kept. */
  async removeAged(): Promise<void> {
    const { store, settings, now, onError } = this.#context;
    try {
      for (let aged = agedExports(store, settings, now()); aged.length > 0; ) {
        for (const { orgId, exportId } of aged) {
          if (this.#stop.signal.aborted) return;
          await this.#remove(orgId, OPERATOR, exportId, { kept_days: settings.exportKeepDays });
        }
        aged = agedExports(store, settings, now());
      }
    } catch (error) {
      onError(error);
    }
  }

  async #remove(
    orgId: string,
    actor: string,
    exportId: string,
    why: { readonly [member: string]: Json },
  ): Promise<void> {
    const { writer, now } = this.#context;
    // A crash after it leaves files that belong to no export: the next start removes them.
    await writer.transact((store) => {
      // Between the look before and the writer's turn somebody else may have deleted it.
      const { format, recordCount } = this.get(orgId, exportId);
      store.db.delete(exports).where(eq(exports.exportId, exportId)).run();
      const details = { format, record_count: recordCount, ...why };
      const target = { targetType: 'export', targetId: exportId, details };
      recordAdminEvent(store, { orgId, actor, action: 'export.delete', ...target }, now());
    });
    for (const path of this.#filesOf(exportId)) await rm(path, { force: true }).catch(this.#context.onError);
  }

  #filesOf(exportId: string): string[] {
    return (['json', 'pdf'] as const).map((format) => this.#path(exportId, format)).filter((path) => existsSync(path));
  }

  /** Stops between two pages; what is not finished is taken up at the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#sweeper);
    await this.#queue.idle();
    await this.#thread.close();
  }
}
