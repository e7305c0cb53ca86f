import { type FileLock, lockFile } from '../../node/index.ts';
import type { RecorderHome } from '../base/home.ts';
import { prepareOwnFolder } from '../base/own-files.ts';
import { RecordError } from '../base/record-error.ts';

/**
 * Makes the recorder's folder where there is none, and holds it for this process: two recorders on one spool would sign two records
 * for the same place of a chain.
 * @throws RecordError RECORDER_RUNNING, FOLDER_UNUSABLE
 */
export function lockRecorder(home: RecorderHome): FileLock {
  prepareOwnFolder(home.folder);
  let lock: FileLock | null;
  try {
    lock = lockFile(home.lock);
  } catch (error) {
    throw new RecordError('FOLDER_UNUSABLE', `the folder ${home.folder} cannot be written`, { cause: error });
  }
  if (lock === null) throw new RecordError('RECORDER_RUNNING', `another recorder uses the folder ${home.folder}`);
  return lock;
}
