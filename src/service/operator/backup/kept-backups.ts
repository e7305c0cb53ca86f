import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BackupRow } from '../../../api/index.ts';
import { writeDurably } from '../../../node/index.ts';
import { hasCode } from '../../../protocol/light.ts';
import { backupManifest, MANIFEST_FILE } from './manifest.ts';

/** Names of the backups that the service makes: when, by whom, and random digits, since two may be made within a second. */
const NAME = /^\d{8}T\d{6}Z-(schedule|person)-[0-9a-f]{8}$/;

export type BackupMaker = BackupRow['made_by'];

/** Name of a new backup. @param now milliseconds since the Unix epoch */
export function newBackupId(now: number, madeBy: BackupMaker): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}-${madeBy}-${randomBytes(4).toString('hex')}`;
}

const verification = z.strictObject({
  verified_at: z.string(),
  state: z.enum(['good', 'bad']),
  message: z.string().nullable(),
});
export type BackupVerification = z.infer<typeof verification>;

/** The backups in a folder: what is there, by their manifests, with what was found when each was last verified. */
export class KeptBackups {
  readonly #folder: () => string;

  /** @param folder where they are at present */
  constructor(folder: () => string) {
    this.#folder = folder;
  }

  get folder(): string {
    return this.#folder();
  }

  path(id: string): string {
    return join(this.#folder(), id);
  }

  /** Whether there is such a backup, by a name that leads nowhere else. */
  has(id: string): boolean {
    return NAME.test(id) && existsSync(join(this.path(id), MANIFEST_FILE));
  }

  /** Newest first. An incomplete backup is not listed. */
  list(): BackupRow[] {
    return this.#names()
      .map((name) => this.#read(name))
      .filter((row) => row !== null)
      .toSorted((a, b) => (madeAt(a) < madeAt(b) ? 1 : -1));
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder()).filter((name) => NAME.test(name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  #read(id: string): BackupRow | null {
    const manifest = readJson(join(this.path(id), MANIFEST_FILE), backupManifest);
    if (manifest === null) return null;
    return {
      backup_id: id,
      created_at: manifest.created_at,
      size: manifest.files.reduce((sum, { size }) => sum + size, 0),
      version: manifest.version,
      service_kid: manifest.service_kid,
      made_by: NAME.exec(id)?.[1] === 'schedule' ? 'schedule' : 'person',
      verification: readJson(this.#wordPath(id), verification),
    };
  }

  /** Beside the backup, which stays as it was made. */
  #wordPath(id: string): string {
    return join(this.#folder(), `${id}.verified.json`);
  }

  /** Keeps what a verification found. */
  note(id: string, found: BackupVerification): Promise<void> {
    return writeDurably(this.#wordPath(id), `${JSON.stringify(found)}\n`);
  }

  /** Removes the oldest backups of the schedule beyond this many; never one that is the newest known to be good. */
  async prune(keep: number): Promise<void> {
    const rows = this.list();
    const lastGood = lastGoodOf(rows);
    const scheduled = rows.filter(({ made_by: madeBy }) => madeBy === 'schedule');
    for (const { backup_id: id } of scheduled.slice(keep)) {
      if (id === lastGood?.backup_id) continue;
      // The manifest first: a crash in the middle leaves what nothing takes for a whole backup.
      await rm(join(this.path(id), MANIFEST_FILE), { force: true });
      await rm(this.path(id), { recursive: true, force: true });
      await rm(this.#wordPath(id), { force: true });
    }
  }
}

/** In the order in which they were made. The name alone has seconds, in which several may be made. */
function madeAt({ created_at: createdAt, backup_id: id }: BackupRow): string {
  return `${createdAt} ${id}`;
}

/** The newest that was verified and found good. @param rows newest first */
export function lastGoodOf(rows: readonly BackupRow[]): BackupRow | null {
  return rows.find((row) => row.verification?.state === 'good') ?? null;
}

function readJson<T>(path: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    if (isMissing(error)) return null;
    throw error;
  }
}

/** There is no such file, or what should be a folder is not one. */
function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR');
}
