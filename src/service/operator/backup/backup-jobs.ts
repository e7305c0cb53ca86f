import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupJob, BackupsAnswer } from '../../../contract/index.ts';
import { recordAdminEvent } from '../../admin-log/admin-events.ts';
import { ServiceError } from '../../base/service-error.ts';
import type { Settings } from '../../settings/settings-type.ts';
import type { Store } from '../../store/open.ts';
import type { Writer } from '../../store/writer.ts';
import { runBackupThread } from './backup-thread.ts';
import { KeptBackups, lastGoodOf, newBackupId } from './kept-backups.ts';
import { nextDue } from './schedule.ts';

export interface BackupJobsContext {
  readonly settings: Settings;
  readonly store: Store;
  readonly writer: Writer;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** How often the schedule is looked at, and how long after a failure it is tried again. */
const LOOK_MS = 60_000;
const RETRY_MS = 3_600_000;

/** What a backup needs besides the database: the files beside it, and a journal while it is made. */
const BESIDE_BYTES = 1_048_576;

/** Backups of a running service: asked for, or due by the schedule; one at a time, each on its own thread. */
export class BackupJobs {
  readonly #context: BackupJobsContext;
  readonly #kept: KeptBackups;
  readonly #stop = new AbortController();
  #job: BackupJob | null = null;
  #running: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #failedAt: number | null = null;
  #closed = false;

  constructor(context: BackupJobsContext) {
    this.#context = context;
    const { settings } = context;
    this.#kept = new KeptBackups(() => settings.backupDir ?? join(settings.dataDir, 'backups'));
  }

  /** Whether a backup is being made: the service key must stay as it is until it has been copied. */
  get isMaking(): boolean {
    return this.#job?.status === 'running' && this.#job.kind === 'make';
  }

  /** From now on the schedule is kept. What was missed while the service was off is made up for at once. */
  start(): void {
    this.look();
  }

  /** Looks whether a backup is due; also after the settings have changed. */
  look(): void {
    if (this.#closed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.look(), LOOK_MS);
    this.#timer.unref();
    if (this.#job?.status === 'running') return;
    const now = this.#context.now();
    try {
      const due = this.#nextAt(now);
      if (due !== null && due <= now) this.#begin('make', newBackupId(now, 'schedule'));
    } catch (error) {
      // A folder that cannot be read must not keep the service from starting.
      this.#context.onError(error);
    }
  }

  /** @param now one moment for the question and for what is made of the answer: what was missed is due at this very moment */
  #nextAt(now: number): number | null {
    const scheduled = this.#kept.list().find(({ made_by: madeBy }) => madeBy === 'schedule');
    const lastMade = scheduled === undefined ? null : Date.parse(scheduled.created_at);
    const due = nextDue(this.#context.settings, lastMade, now);
    return due === null ? null : Math.max(due, (this.#failedAt ?? -RETRY_MS) + RETRY_MS);
  }

  describe(): Omit<BackupsAnswer, 'administered_here'> {
    const backups = this.#kept.list();
    const lastGood = lastGoodOf(backups);
    const next = this.#nextAt(this.#context.now());
    return {
      folder: this.#kept.folder,
      next_at: next === null ? null : new Date(next).toISOString(),
      job: this.#job,
      last_good: lastGood === null ? null : { backup_id: lastGood.backup_id, created_at: lastGood.created_at },
      backups,
    };
  }

  /** Makes a backup now. @throws ServiceError CONFLICT where one is under way */
  async make(caller: { readonly orgId: string; readonly userId: string }): Promise<BackupJob> {
    const { writer, now } = this.#context;
    this.#needIdle();
    const id = newBackupId(now(), 'person');
    const before = this.#job;
    // From here on no other backup begins, the schedule's neither.
    const job = this.#claim('make', id);
    const target = { targetType: 'backup', targetId: id, details: {} };
    // The event comes first: no backup without one. A crash after the commit leaves the event of a backup that is not there,
    // or is a .part folder.
    const recorded = writer.transact((store) => {
      recordAdminEvent(store, { orgId: caller.orgId, actor: caller.userId, action: 'backup.create', ...target }, now());
    });
    this.#running = recorded.then(
      () => this.#run('make', id),
      () => {
        this.#job = before;
      },
    );
    await recorded;
    return job;
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT */
  verify(id: string): BackupJob {
    if (!this.#kept.has(id)) throw new ServiceError('NOT_FOUND', 'there is no such backup');
    this.#needIdle();
    return this.#begin('verify', id);
  }

  #needIdle(): void {
    if (this.#job?.status === 'running') {
      throw new ServiceError('CONFLICT', 'a backup is being written or verified: wait until it ends');
    }
  }

  #begin(kind: BackupJob['kind'], id: string): BackupJob {
    const job = this.#claim(kind, id);
    this.#running = this.#run(kind, id);
    return job;
  }

  /** The job, as the one that runs. */
  #claim(kind: BackupJob['kind'], id: string): BackupJob {
    const startedAt = new Date(this.#context.now()).toISOString();
    const job: BackupJob = {
      kind,
      backup_id: id,
      status: 'running',
      started_at: startedAt,
      ended_at: null,
      share: 0,
      failure: null,
    };
    this.#job = job;
    return job;
  }

  #change(change: Partial<BackupJob>): void {
    if (this.#job !== null) this.#job = { ...this.#job, ...change };
  }

  async #run(kind: BackupJob['kind'], id: string): Promise<void> {
    const { now, settings, onError } = this.#context;
    let failure: string | null;
    try {
      failure = kind === 'make' ? await this.#make(id) : await this.#inThread('verify', id);
      if (failure === null && kind === 'make') await this.#kept.prune(settings.backupKeep);
    } catch (error) {
      onError(error);
      failure = 'The backup failed; the log of the service has the reason.';
    }
    if (kind === 'make') this.#failedAt = failure === null ? null : now();
    const ended = new Date(now()).toISOString();
    const share = failure === null ? { share: 1 } : {};
    this.#change({ status: failure === null ? 'completed' : 'failed', ended_at: ended, failure, ...share });
  }

  /** @returns what is wrong, in a sentence; null where the backup is good */
  async #make(id: string): Promise<string | null> {
    const room = await this.#lacksRoom();
    if (room !== null) return room;
    const failure = await this.#inThread('make', id);
    // Where the disk has filled up meanwhile, that is why, whatever SQLite made of it.
    return failure === null ? null : ((await this.#lacksRoom()) ?? failure);
  }

  async #inThread(kind: BackupJob['kind'], id: string): Promise<string | null> {
    const { settings, now } = this.#context;
    const task = { kind, dataDir: settings.dataDir, path: this.#kept.path(id) };
    const onShare = (share: number): void => this.#change({ share: Math.min(1, Math.max(0, share)) });
    const { isThere, failure } = await runBackupThread(task, this.#stop.signal, onShare);
    if (isThere) {
      const verifiedAt = new Date(now()).toISOString();
      const state = failure === null ? 'good' : 'bad';
      await this.#kept.note(id, { verified_at: verifiedAt, state, message: failure });
    }
    return failure;
  }

  /** Says before anything is copied that the disk is too full for it. */
  async #lacksRoom(): Promise<string | null> {
    const { folder } = this.#kept;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      return `the folder ${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`;
    }
    const { bavail, bsize } = await statfs(folder);
    const { sqlite } = this.#context.store;
    const pages = sqlite.pragma('page_count', { simple: true }) as number;
    // What still is in the write-ahead log counts too.
    const needed = BESIDE_BYTES + pages * (sqlite.pragma('page_size', { simple: true }) as number);
    if (bavail * bsize > needed) return null;
    const sizeOf = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
    return `the disk of ${folder} is full: a backup needs ${sizeOf(needed)}, and ${sizeOf(bavail * bsize)} are free`;
  }

  /** Gives up a copy that is being made, which leaves nothing of it. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#running;
  }
}
