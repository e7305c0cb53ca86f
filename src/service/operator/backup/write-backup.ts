import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import packageJson from '../../../../package.json' with { type: 'json' };
import { fileDigest, syncFile, writeDurably } from '../../../node/index.ts';
import { formatTime, toBase64Url } from '../../../protocol/index.ts';
import { LedgerHeads } from '../../ledger/heads/ledger-heads.ts';
import { nextKeyPath, openKeyFile } from '../../ledger/keys/file-key-holder.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { activeServiceKid, listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { StartError } from '../../store/base/service-error.ts';
import { SCHEMA_VERSION } from '../../store/migrations.ts';
import { openReadOnly, type ReadOnlyStore } from '../../store/open-read-only.ts';
import { isCorrupt, sqliteErrorOf, startErrorOf } from '../../store/sqlite-errors.ts';
import { BackupError } from './backup-errors.ts';
import { isSingleFile } from './backup-target.ts';
import { copyWithDigest } from './copy-with-digest.ts';
import {
  BACKUP_FILES,
  type BackupManifest,
  type BackupStatement,
  backupSignedBytes,
  MANIFEST_FILE,
} from './manifest.ts';
import { makeFileWithManifest, makeFolder } from './whole-or-nothing.ts';

export interface BackupRequest {
  readonly dataDir: string;
  /** A folder to make; or, where it ends in .sqlite, a file: the database alone, with its manifest beside it. */
  readonly to: string;
  /** Leave the service's key files out of a folder. */
  readonly withoutKeys: boolean;
  readonly now: () => number;
  /** Receives how many pages are copied, and how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Pages for each step of the copy, some 4 MiB. The copy is of one moment, however long it takes and whatever is written
 * meanwhile; all that it costs a running service is the disk, and a write-ahead log that grows until the copy is done.
 */
const PAGES_A_STEP = 1024;

/** Copies a database as it is at one moment into a separate file that needs no journal beside it. */
async function copyDatabase(
  source: Database.Database,
  to: string,
  onProgress: BackupRequest['onProgress'],
): Promise<void> {
  // Made first, for this user alone.
  closeSync(openSync(to, 'wx', 0o600));
  // Within a transaction the copy is of one moment. Without it SQLite would start over after each commit of a running
  // service, and never end.
  source.exec('BEGIN');
  try {
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    // Records that a running service has just committed: a power cut must not take from the ledger what a backup has.
    const log = `${source.name}-wal`;
    if (existsSync(log)) await syncFile(log);
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress?.(totalPages - remainingPages, totalPages);
        return PAGES_A_STEP;
      },
    });
  } finally {
    source.exec('ROLLBACK');
  }
  const copy = new Database(to);
  try {
    // The copy says of itself that it has a write-ahead log. Without, it can be read where nothing may be written.
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
  await syncFile(to);
}

/** What the manifest says of a copied database: read from the copy, which is what will be restored. */
function describeDatabase(path: string): Pick<BackupStatement, 'heads' | 'service_kid' | 'public_key'> {
  const copy = openReadOnly(path);
  try {
    const [active] = listServiceKeys(copy);
    if (active === undefined) throw new BackupError('LEDGER_MISSING', 'the ledger has never been started');
    return { heads: new LedgerHeads(copy).all(), service_kid: active.kid, public_key: active.public_key };
  } finally {
    copy.close();
  }
}

/** A file with a service key, and the key where it can be read: the desktop keeps it sealed. */
interface FoundKey {
  readonly path: string;
  readonly key: KeyHolder | null;
}

/** The key in a file; null where it is sealed. */
function readKey(path: string): KeyHolder | null {
  try {
    return openKeyFile(path, false);
  } catch (error) {
    if (error instanceof StartError && error.code === 'KEY_LOCKED') return null;
    throw error;
  }
}

/**
 * The file with the key of a copied database: in the middle of a rotation, or after a crash in one, that may be the one
 * beside. Null where no file has it, whose absence must not keep a backup from being made. A sealed key is copied as it
 * is, and the manifest goes without a signature.
 * @throws BackupError KEY_CHANGED where the key was rotated since the copy was taken, or which file counts can't be told
 */
function keyFileOf(dataDir: string, kid: string, source: ReadOnlyStore): FoundKey | null {
  const present = join(dataDir, 'service-key.json');
  const next = nextKeyPath(present);
  for (const path of [present, next].filter((one) => existsSync(one))) {
    const key = readKey(path);
    if (key?.kid === kid) return { path, key };
    if (key === null) {
      if (activeServiceKid(source) !== kid || existsSync(next)) throw keyChanged();
      return { path, key };
    }
  }
  if (activeServiceKid(source) !== kid) throw keyChanged();
  return null;
}

/** @throws BackupError KEY_CHANGED where a copied key is not the one that was found */
function checkCopiedKey({ path, key }: FoundKey, copy: string, kid: string, source: ReadOnlyStore): void {
  const isSame = key === null ? activeServiceKid(source) === kid && existsSync(path) : readKey(copy)?.kid === key.kid;
  if (!isSame) throw keyChanged();
}

function keyChanged(): BackupError {
  return new BackupError(
    'KEY_CHANGED',
    'the service key was rotated while the backup was written: start the backup again',
  );
}

/**
 * Makes a backup of a data folder, whether or not a service is running on it. It is there whole or not at all.
 * @returns what it says of itself
 * @throws BackupError LEDGER_MISSING, LEDGER_OLDER, TARGET_EXISTS, TARGET_UNUSABLE
 * @throws StartError where the database or the key file cannot be used
 */
export async function writeBackup(request: BackupRequest): Promise<BackupManifest> {
  const { dataDir, to, withoutKeys, now, onProgress } = request;
  const ledger = join(dataDir, 'ledger.sqlite');
  if (!existsSync(ledger)) throw new BackupError('LEDGER_MISSING', `${dataDir} holds no ledger`);
  const source = openReadOnly(ledger);
  try {
    if (source.schemaVersion !== SCHEMA_VERSION) {
      throw new BackupError(
        'LEDGER_OLDER',
        `${ledger} was written by an older version: take the backup with that one, or start this one's service once`,
      );
    }
    const make = async (database: string, manifestPath: string, keyNames: readonly string[]) => {
      await copyDatabase(source.sqlite, database, onProgress);
      const files: BackupStatement['files'] = [{ name: 'ledger.sqlite', ...(await fileDigest(database)) }];
      const described = describeDatabase(database);
      const keyFile = keyFileOf(dataDir, described.service_kid, source);
      for (const name of BACKUP_FILES) {
        if (!keyNames.includes(name)) continue;
        const from = name === 'service-key.json' && keyFile !== null ? keyFile.path : join(dataDir, name);
        const to = join(dirname(database), name);
        files.push({ name, ...(await copyWithDigest(from, to)) });
        if (from === keyFile?.path) checkCopiedKey(keyFile, to, described.service_kid, source);
      }
      const statement: BackupStatement = {
        type: 'countersign.backup.v1',
        created_at: formatTime(now()),
        version: packageJson.version,
        schema_version: SCHEMA_VERSION,
        files,
        ...described,
      };
      const signer = keyFile?.key ?? null;
      const signature = signer === null ? null : toBase64Url(signer.sign(backupSignedBytes(statement)));
      const manifest = { ...statement, signature };
      await writeDurably(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
      return manifest;
    };
    if (isSingleFile(to)) {
      return await makeFileWithManifest(to, `${to}.json`, (file, manifest) => make(file, manifest, []));
    }
    const keyNames = withoutKeys ? [] : BACKUP_FILES.slice(1).filter((name) => existsSync(join(dataDir, name)));
    return await makeFolder(to, (folder) => make(join(folder, 'ledger.sqlite'), join(folder, MANIFEST_FILE), keyNames));
  } catch (error) {
    // A full disk, a disk that fails: SQLite's words and the operating system's are for the person at the terminal.
    if (isCorrupt(error)) throw startErrorOf(error, ledger);
    const cause = sqliteErrorOf(error) ?? (error instanceof Error && 'syscall' in error ? error : null);
    if (cause === null || error instanceof StartError) throw error;
    throw new BackupError('TARGET_UNUSABLE', `the backup cannot be made: ${cause.message}`, { cause: error });
  } finally {
    source.close();
  }
}
