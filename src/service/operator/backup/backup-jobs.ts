import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupJob, BackupsAnswer } from '../../../api/index.ts';
import { runJobThread, workerUrl } from '../../../node/index.ts';
import { messageOf } from '../../../protocol/light.ts';
import type { JobMeans } from '../../jobs/job-kind.ts';
import type { Jobs, JobsOfKind } from '../../jobs/jobs.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { BackupProgress, BackupTask } from './backup-worker.ts';
import { KeptBackups, lastGoodOf, newBackupId } from './kept-backups.ts';
import { nextDue } from './schedule.ts';

export interface BackupJobsContext extends WriteAccess {
  readonly settings: Settings;
  readonly jobs: Jobs;
  readonly onError: (error: unknown) => void;
}

/** How often the schedule is looked at, and how long after a failure it is tried again. */
const LOOK_MS = 60_000;
const RETRY_MS = 3_600_000;

/** What a backup needs besides the database: the files beside it, and a journal while it is made. */
const BESIDE_BYTES = 1_048_576;

/** There is one backup job at a time in all, whoever asked for it. */
const KEY = 'backup';

type Work = Pick<BackupJob, 'kind' | 'backup_id' | 'started_at'>;

/** The backup is bad, or could not be made; its message says why, to people. */
class BackupFailed extends Error {
  override readonly name = 'BackupFailed';
}

/** Backups of a running service: asked for, or due by the schedule; one at a time, each on its own thread. */
export class BackupJobs {
  readonly #context: BackupJobsContext;
  readonly #kept: KeptBackups;
  readonly #jobs: JobsOfKind<Work, void, number>;
  /** The newest job that has ended: in memory, since the folder of a backup says all else. */
  #latest: BackupJob | null = null;
  #timer: NodeJS.Timeout | null = null;
  #failedAt: number | null = null;
  #closed = false;

  constructor(context: BackupJobsContext) {
    this.#context = context;
    const { settings, now } = context;
    this.#kept = new KeptBackups(() => settings.backupDir ?? join(settings.dataDir, 'backups'));
    this.#jobs = context.jobs.of<Work, void, number>({
      lane: 'backups',
      ownerOf: () => KEY,
      keyOf: () => KEY,
      taken: 'a backup is being written or verified: wait until it ends',
      run: (work, means) => this.#run(work, means),
      foreseen: (error) => (error instanceof BackupFailed ? error.message : undefined),
      ended: ({ work, progress = 0 }, { failure }) => {
        if (work.kind === 'make') this.#failedAt = failure === null ? null : now();
        const [status, share] = failure === null ? (['completed', 1] as const) : (['failed', progress] as const);
        this.#latest = { ...work, status, share, ended_at: new Date(now()).toISOString(), failure };
      },
    });
  }

  /** Whether a backup is being made: the service key must stay as it is until it has been copied. */
  get isMaking(): boolean {
    return this.#jobs.find(KEY)?.work.kind === 'make';
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
    if (this.#jobs.find(KEY) !== undefined) return;
    const now = this.#context.now();
    try {
      const due = this.#nextAt(now);
      if (due !== null && due <= now) void this.#jobs.start(this.#work('make', newBackupId(now, 'schedule')));
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
      job: this.#job(),
      last_good: lastGood === null ? null : { backup_id: lastGood.backup_id, created_at: lastGood.created_at },
      backups,
    };
  }

  /** Makes a backup now. @throws ServiceError CONFLICT where one is under way */
  async make(caller: { readonly orgId: string; readonly userId: string }): Promise<BackupJob> {
    const { writer, now } = this.#context;
    const id = newBackupId(now(), 'person');
    const work = this.#work('make', id);
    const target = { targetType: 'backup', targetId: id, details: {} };
    // From here on no other backup begins, the schedule's neither. The event comes first: no backup without one. A crash after the
    // commit leaves the event of a backup that is not there, or is a .part folder.
    await this.#jobs.start(work, () =>
      writer.transact((store) =>
        recordAdminEvent(
          store,
          { orgId: caller.orgId, actor: caller.userId, action: 'backup.create', ...target },
          now(),
        ),
      ),
    );
    return runningJob(work);
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT */
  verify(id: string): BackupJob {
    if (!this.#kept.has(id)) throw new ServiceError('NOT_FOUND', 'there is no such backup');
    const work = this.#work('verify', id);
    void this.#jobs.start(work);
    return runningJob(work);
  }

  #work(kind: BackupJob['kind'], id: string): Work {
    return { kind, backup_id: id, started_at: new Date(this.#context.now()).toISOString() };
  }

  /** The one that runs, else the newest that has ended. */
  #job(): BackupJob | null {
    const running = this.#jobs.find(KEY);
    return running === undefined ? this.#latest : runningJob(running.work, running.progress);
  }

  /** @throws BackupFailed, or what the thread failed with that is nobody's to know but the log's */
  async #run(work: Work, means: JobMeans<number>): Promise<void> {
    const isNew = work.kind === 'make';
    if (isNew) await this.#needRoom();
    try {
      await this.#inThread(work, means);
    } catch (error) {
      // Where the disk has filled up meanwhile, that is why, whatever SQLite made of it.
      if (isNew && error instanceof BackupFailed) await this.#needRoom();
      throw error;
    }
    if (isNew) await this.#kept.prune(this.#context.settings.backupKeep);
  }

  async #inThread({ kind, backup_id: id }: Work, { signal, tell }: JobMeans<number>): Promise<void> {
    const { settings, now } = this.#context;
    const task = { kind, dataDir: settings.dataDir, path: this.#kept.path(id) };
    let isThere = kind === 'verify';
    const note = async (state: 'good' | 'bad', message: string | null): Promise<void> => {
      if (isThere) await this.#kept.note(id, { verified_at: new Date(now()).toISOString(), state, message });
    };
    try {
      await runJobThread<BackupTask, null, BackupProgress, string>(task, {
        url: workerUrl(import.meta.url, 'backup-worker'),
        refused: (sentence) => new BackupFailed(sentence),
        signal,
        onProgress: (progress) => {
          if (progress === 'made') isThere = true;
          else tell(Math.min(1, Math.max(0, progress)));
        },
      });
    } catch (error) {
      if (error instanceof BackupFailed) await note('bad', error.message);
      throw error;
    }
    await note('good', null);
  }

  /** Says before anything is copied that the disk is too full for it. @throws BackupFailed */
  async #needRoom(): Promise<void> {
    const { folder } = this.#kept;
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      const why = messageOf(error);
      throw new BackupFailed(`the folder ${folder} cannot be made: ${why}`);
    });
    const { bavail, bsize } = await statfs(folder);
    const { sqlite } = this.#context.store;
    const pages = sqlite.pragma('page_count', { simple: true }) as number;
    // What still is in the write-ahead log counts too.
    const needed = BESIDE_BYTES + pages * (sqlite.pragma('page_size', { simple: true }) as number);
    const free = bavail * bsize;
    const sizeOf = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
    if (free > needed) return;
    throw new BackupFailed(
      `the disk of ${folder} is full: a backup needs ${sizeOf(needed)}, and ${sizeOf(free)} are free`,
    );
  }

  /** From now on the schedule begins none. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

function runningJob(work: Work, share = 0): BackupJob {
  return { ...work, status: 'running', ended_at: null, share, failure: null };
}
