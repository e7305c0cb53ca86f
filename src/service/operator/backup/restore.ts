import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type FileDigest, syncFile } from '../../../node/index.ts';
import { messageOf } from '../../../protocol/light.ts';
import { OPERATOR, recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { StartError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import { type OpenStore, openStore, type WritableStore } from '../../store/open.ts';
import { apiTokens, invitations, knownPages, oauthStates, organizations, sessions } from '../../store/schema.ts';
import { Writer } from '../../store/writer.ts';
import { BackupError } from './backup-errors.ts';
import { copyWithDigest } from './copy-with-digest.ts';
import type { BackupFileName, BackupManifest } from './manifest.ts';
import { checkDatabase, checkDigest, readBackup } from './read-backup.ts';
import { asBackupDamage } from './verify-backup.ts';
import { makeFolder } from './whole-or-nothing.ts';

/** What a restored ledger no longer lets in, by how many there were. */
interface ForgottenAccess {
  readonly sessions: number;
  readonly tokens: number;
  readonly invitations: number;
}

/** The backup that a ledger was restored from. */
interface RestoredFrom {
  /** Digest of the backup's database, which names the backup. */
  readonly digest: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/**
 * Ends every session, API token, sign-in in progress and pending invitation of a restored ledger, and records the restoration
 * in the log of each organization: what was revoked after the backup was made must not come back with it. To be called within the
 * writer's transaction.
 */
function forgetAccess(store: WritableStore, { digest, createdAt }: RestoredFrom, now: number): ForgottenAccess {
  const { db } = store;
  const forgotten = {
    sessions: db.delete(sessions).run().changes,
    tokens: db.delete(apiTokens).run().changes,
    invitations: db.update(invitations).set({ status: 'revoked' }).where(eq(invitations.status, 'pending')).run()
      .changes,
  };
  db.delete(oauthStates).run();
  db.delete(knownPages).run();
  for (const { orgId } of db.select({ orgId: organizations.orgId }).from(organizations).all()) {
    const target = { targetType: 'ledger', targetId: digest, details: { backup_created_at: createdAt } };
    recordAdminEvent(store, { orgId, actor: OPERATOR, action: 'ledger.restored', ...target }, now);
  }
  return forgotten;
}

export interface RestoreRequest {
  /** A backup folder, or the .sqlite file of one without a folder. */
  readonly from: string;
  /** The data folder to make: not there yet, or empty. */
  readonly dataDir: string;
  readonly trustedKids?: readonly string[];
  /** Whether the folder is to be a further node of a shared log: that is no restoration, and changes nothing in its ledger. */
  readonly asNode?: boolean;
  /** Receives how many bytes are copied, and how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

export interface RestoredFolder {
  readonly manifest: BackupManifest;
  /** Key files that the backup does not hold: without the service's key the folder cannot be started. */
  readonly missing: readonly BackupFileName[];
  /** What of the backup lets nobody in any more. */
  readonly forgotten: ForgottenAccess;
}

/** Without these no ledger can continue. */
const NEEDED: readonly BackupFileName[] = ['ledger.sqlite', 'service-key.json', 'sealing-key.json'];

function open(path: string): OpenStore {
  try {
    return openStore(path);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new BackupError(error.code === 'DATABASE_NEWER' ? 'BACKUP_NEWER' : 'BACKUP_DAMAGED', error.message);
  }
}

/** A file that cannot be read is the backup's fault; one that cannot be written is not. */
function copyError(path: string, error: unknown): BackupError {
  const why = messageOf(error);
  const isSource = error instanceof Error && 'path' in error && error.path === path;
  return isSource || why.includes('EIO')
    ? new BackupError('BACKUP_DAMAGED', `${path} cannot be read: ${why}`, { cause: error })
    : new BackupError('TARGET_UNUSABLE', `${path} cannot be copied: ${why}`, { cause: error });
}

/**
 * Brings a copied database to this version's schema, looks through it, and ends what would let in whoever was let in then.
 * @throws BackupError
 */
async function takeCopy(
  path: string,
  manifest: BackupManifest,
  { asNode, now }: { readonly asNode: boolean; readonly now: number },
): Promise<ForgottenAccess> {
  const store = asBackupDamage(path, () => open(path));
  try {
    asBackupDamage(path, () => checkDatabase(path, store, manifest));
    if (asNode) return { sessions: 0, tokens: 0, invitations: 0 };
    const digest = manifest.files.find(({ name }) => name === 'ledger.sqlite')?.sha256 ?? '';
    const from = { digest, createdAt: manifest.created_at };
    return await new Writer(store).transact((tx) => forgetAccess(tx, from, now));
  } finally {
    store.close();
  }
}

/**
 * Makes a data folder of a backup. Everything is copied first and the copies are checked, as verifyBackup does it. Sessions, API
 * tokens and pending invitations of the backup end, and the restoration is recorded (forgetAccess). Only then does the folder get its name, so that neither a damaged backup nor a crash leaves one that looks whole.
 * @throws BackupError
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoredFolder> {
  const { from, dataDir, trustedKids = [], asNode = false, onProgress, now = Date.now } = request;
  const { manifest, path } = readBackup(from, trustedKids);
  const total = manifest.files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const forgotten = await makeFolder(dataDir, async (folder) => {
    for (const file of manifest.files) {
      let copied: FileDigest;
      try {
        copied = await copyWithDigest(path(file.name), join(folder, file.name), (count) => {
          done += count;
          onProgress?.(Math.min(done, total), total);
        });
      } catch (error) {
        throw copyError(path(file.name), error);
      }
      checkDigest(path(file.name), file, copied);
    }
    const ledger = join(folder, 'ledger.sqlite');
    const ended = await takeCopy(ledger, manifest, { asNode, now: now() });
    // One file again: nothing of a journal is to be lost with the folder's new name.
    const database = new Database(ledger);
    try {
      database.pragma('journal_mode = DELETE');
    } finally {
      database.close();
    }
    for (const suffix of ['-wal', '-shm']) await rm(`${ledger}${suffix}`, { force: true });
    await syncFile(ledger);
    return ended;
  });
  const names = manifest.files.map(({ name }) => name);
  return { manifest, forgotten, missing: NEEDED.filter((name) => !names.includes(name)) };
}
