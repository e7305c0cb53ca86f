import { z } from 'zod';
import {
  canonicalBytes,
  DIGEST_PATTERN,
  fromBase64Url,
  unlessRefused,
  verifyEd25519,
} from '../../../protocol/index.ts';
import { orgHeads } from '../../ledger/heads/ledger-heads.ts';

/** The files a backup folder may hold besides its manifest. */
export const BACKUP_FILES = ['ledger.sqlite', 'service-key.json', 'sealing-key.json', 'key-protection.json'] as const;
export type BackupFileName = (typeof BACKUP_FILES)[number];

/** The manifest's name in a backup folder; beside a single file it is that file's name and `.json`. */
export const MANIFEST_FILE = 'backup.json';

const manifestMembers = {
  type: z.literal('countersign.backup.v1'),
  /** RFC 3339. */
  created_at: z.string(),
  /** Version of Countersign that made it. */
  version: z.string(),
  schema_version: z.int().min(1),
  files: z.array(
    z.strictObject({ name: z.enum(BACKUP_FILES), size: z.int(), sha256: z.string().regex(DIGEST_PATTERN) }),
  ),
  /** Where each organization's chains end in the database of the backup. */
  heads: z.array(orgHeads),
  /** Kid and public key of the service whose ledger it is. */
  service_kid: z.string(),
  public_key: z.string(),
};

/** What a backup says of itself. */
const backupStatement = z.strictObject(manifestMembers);
export type BackupStatement = z.infer<typeof backupStatement>;

/** With the signature of the service key; null where the key was not at hand. */
export const backupManifest = z.strictObject({ ...manifestMembers, signature: z.string().nullable() });
export type BackupManifest = z.infer<typeof backupManifest>;

/** The signed bytes: JCS of the manifest without its signature. */
export function backupSignedBytes(statement: BackupStatement): Uint8Array {
  return canonicalBytes(statement);
}

/** Whether the signature is that of the key which the manifest itself names. */
export function isSignatureValid({ signature, ...statement }: BackupManifest): boolean {
  if (signature === null) return false;
  return unlessRefused(() => {
    return verifyEd25519({
      publicKey: fromBase64Url(statement.public_key, 32),
      message: backupSignedBytes(statement),
      signature: fromBase64Url(signature, 64),
    });
  }, false);
}
