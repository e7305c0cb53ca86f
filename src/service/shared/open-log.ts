import { join } from 'node:path';
import { keyFor } from '../ledger/keys/file-sealer.ts';
import { openProtection } from '../ledger/keys/open-protection.ts';
import type { Sealer } from '../ledger/keys/sealing.ts';
import { type CommitLog, EntrySeal } from './commit-log.ts';
import { FolderLog } from './folder-log.ts';
import { ObjectLog } from './object-log.ts';
import { PostgresLog } from './postgres-log.ts';

/** @param place postgres://…, s3://…, or a folder. @throws LogError LOG_UNUSABLE */
export function openLog(place: string): Promise<CommitLog> | CommitLog {
  if (place.startsWith('s3://')) return ObjectLog.at(place);
  return /^postgres(ql)?:\/\//.test(place) ? new PostgresLog(place) : FolderLog.open(place);
}

/** What a node needs of its folder's keys. */
export interface FolderKeys {
  /** The file of the service key. */
  readonly keyPath: string;
  /** What the key files are sealed with; null for nothing. */
  readonly protection: Sealer | null;
  /** Seals and opens what the log holds. */
  readonly seal: EntrySeal;
}

/** @throws StartError KEY_MISSING, KEY_UNREADABLE, KEY_LOCKED, KEY_WRONG */
export async function keysOf(
  dataDir: string,
  wrappingKey: Uint8Array | null,
  passphraseFile: string | null,
): Promise<FolderKeys> {
  const protection = await openProtection(dataDir, wrappingKey, passphraseFile);
  const seal = new EntrySeal(keyFor('countersign.shared-log.v1', join(dataDir, 'sealing-key.json'), protection));
  return { keyPath: join(dataDir, 'service-key.json'), protection, seal };
}
