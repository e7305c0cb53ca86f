import { join } from 'node:path';
import { type FileLock, lockFile } from '../../node/index.ts';
import { StartError } from './base/service-error.ts';

/**
 * Takes a data folder for this process alone: two services on one ledger would give the same sequence number twice.
 * @throws StartError DATA_DIR_IN_USE, DATA_DIR_UNUSABLE
 */
export function lockFolder(dataDir: string): FileLock {
  let lock: FileLock | null;
  try {
    lock = lockFile(join(dataDir, 'lock.sqlite'));
  } catch (error) {
    throw new StartError('DATA_DIR_UNUSABLE', `the data folder ${dataDir} cannot be written`, { cause: error });
  }
  if (lock === null) {
    throw new StartError('DATA_DIR_IN_USE', `another process is using the data folder ${dataDir}`);
  }
  return lock;
}
