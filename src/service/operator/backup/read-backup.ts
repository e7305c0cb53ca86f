import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { FileDigest } from '../../../node/index.ts';
import {
  canonicalize,
  fromBase64Url,
  namesKey,
  ProtocolError,
  parseTrustEntry,
  thumbprint,
} from '../../../protocol/index.ts';
import { compareHeads } from '../../ledger/heads/compare-heads.ts';
import { LedgerHeads } from '../../ledger/heads/ledger-heads.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { SCHEMA_VERSION } from '../../store/migrations.ts';
import type { Store } from '../../store/open.ts';
import { BackupError } from './backup-errors.ts';
import {
  type BackupFileName,
  type BackupManifest,
  backupManifest,
  isSignatureValid,
  MANIFEST_FILE,
} from './manifest.ts';

/** A backup whose manifest was read, and nothing more. */
export interface Backup {
  readonly manifest: BackupManifest;
  /** Where a file of it is. */
  path(name: BackupFileName): string;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new BackupError('NOT_A_BACKUP', `${path} cannot be read`, { cause: error });
  }
}

function parseManifest(path: string): BackupManifest {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new BackupError('NOT_A_BACKUP', `${path} is missing: this is no backup, or not a whole one`, {
      cause: error,
    });
  }
  try {
    return backupManifest.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    throw new BackupError('BACKUP_DAMAGED', `${path} is not the manifest of a backup`);
  }
}

/** @throws BackupError BACKUP_FORGED where it says who signed it, and that is not so */
function checkManifest(path: string, manifest: BackupManifest, trustedKids: readonly string[]): void {
  const { service_kid: kid, public_key: publicKey, signature } = manifest;
  let name = '';
  try {
    name = thumbprint(fromBase64Url(publicKey, 32));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  if (name !== kid) throw new BackupError('BACKUP_FORGED', `${path}: the service key is not the one it is called`);
  if (signature !== null && !isSignatureValid(manifest)) {
    throw new BackupError('BACKUP_FORGED', `${path}: the signature does not verify: the manifest was altered`);
  }
  if (
    trustedKids.length > 0 &&
    (signature === null || !trustedKids.some((trusted) => namesKey(parseTrustEntry(trusted), kid)))
  ) {
    throw new BackupError('BACKUP_FORGED', `${path}: was signed with the key ${kid}, which you do not trust`);
  }
}

/**
 * Reads what a backup says of itself.
 * @param from a backup folder, or the .sqlite file of one without a folder
 * @param trustedKids where any are given, one of them must have signed it
 * @throws BackupError NOT_A_BACKUP, BACKUP_DAMAGED, BACKUP_FORGED, BACKUP_NEWER
 */
export function readBackup(from: string, trustedKids: readonly string[] = []): Backup {
  const folder = isFolder(from);
  const manifestPath = folder ? join(from, MANIFEST_FILE) : `${from}.json`;
  const manifest = parseManifest(manifestPath);
  checkManifest(manifestPath, manifest, trustedKids);
  if (manifest.schema_version > SCHEMA_VERSION) {
    throw new BackupError('BACKUP_NEWER', `${from} was made by a newer version, ${manifest.version}`);
  }
  const names = manifest.files.map(({ name }) => name);
  if (new Set(names).size !== names.length || !names.includes('ledger.sqlite') || (!folder && names.length > 1)) {
    throw new BackupError('BACKUP_DAMAGED', `${manifestPath} does not name the files of a backup`);
  }
  return { manifest, path: (name) => (folder ? join(from, name) : from) };
}

/** @throws BackupError BACKUP_DAMAGED where a file is not the one that the manifest names */
export function checkDigest(
  path: string,
  { size, sha256 }: BackupManifest['files'][number],
  { size: foundSize, sha256: found }: FileDigest,
): void {
  if (size === foundSize && sha256 === found) return;
  throw new BackupError(
    'BACKUP_DAMAGED',
    `${path} is not the file that was backed up: expected ${sha256} of ${size} bytes, found ${found} of ${foundSize}`,
  );
}

/**
 * Has SQLite look through a database, and compares it with what the manifest says: whose it is, and where its chains end.
 * @throws BackupError BACKUP_DAMAGED
 */
export function checkDatabase(path: string, store: Store, manifest: BackupManifest): void {
  const integrity = store.sqlite.pragma('integrity_check(1)', { simple: true });
  if (integrity !== 'ok') throw new BackupError('BACKUP_DAMAGED', `${path}: SQLite finds it damaged: ${integrity}`);
  const [active] = listServiceKeys(store);
  if (active?.kid !== manifest.service_kid || active.public_key !== manifest.public_key) {
    throw new BackupError('BACKUP_DAMAGED', `${path}: its service key is not ${manifest.service_kid}`);
  }
  const heads = new LedgerHeads(store);
  const [difference] = compareHeads(heads, manifest.heads);
  if (difference !== undefined) {
    const { orgId, place, expected, found } = difference;
    throw new BackupError(
      'BACKUP_DAMAGED',
      `${path}: organization ${orgId}, ${place}: expected ${expected}, found ${found}`,
    );
  }
  if (canonicalize(heads.all()) !== canonicalize(manifest.heads)) {
    throw new BackupError('BACKUP_DAMAGED', `${path}: continues beyond the heads that the manifest names`);
  }
}
