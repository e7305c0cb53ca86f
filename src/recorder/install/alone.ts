import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type FileLock, lockFile, writeDurablyNow } from '../../node/index.ts';
import { type AgentFile, readAgentFile } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { Keeper } from './keeper.ts';

/** More than the file of an agent and what SQLite writes beside it. */
const ROOM_BYTES = 64 * 1024;

/**
 * Installs while no other installation works in the folder, and only where there is room for what it leaves: a key that is registered
 * and then cannot be kept is of no use, and the token that registers may do so once.
 * @param planned what was installed for the program when it was looked at; null where nothing was
 * @throws RecordError INSTALL_RUNNING, FOLDER_UNUSABLE; what `act` throws
 */
export async function alone<T>(
  { home, keeper }: { readonly home: RecorderHome; readonly keeper: Keeper },
  feed: FeedId,
  planned: AgentFile | null,
  act: () => Promise<T>,
): Promise<T> {
  const lock = await keeper.asRecorder(async () => held(home));
  try {
    await keeper.asRecorder(async () => {
      if (
        isDeepStrictEqual(
          whereInstalled(() => readAgentFile(home, feed)),
          planned,
        )
      )
        return;
      throw new RecordError('INSTALL_RUNNING', `${feed} was installed or changed meanwhile: look at it, and try again`);
    });
    return await act();
  } finally {
    await keeper.asRecorder(async () => lock.release());
  }
}

/** @returns null where nothing is installed @throws what `read` throws otherwise */
export function whereInstalled<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordError && error.code === 'NOT_INSTALLED') return null;
    throw error;
  }
}

function held({ folder }: RecorderHome): FileLock {
  let lock: FileLock | null;
  try {
    lock = lockFile(join(folder, 'install.sqlite'));
  } catch (error) {
    throw unwritable(folder, error);
  }
  if (lock === null) {
    throw new RecordError('INSTALL_RUNNING', `another installation works in ${folder}: try again once it has ended`);
  }
  const probe = join(folder, 'install.room');
  try {
    writeDurablyNow(probe, ' '.repeat(ROOM_BYTES));
    rmSync(probe, { force: true });
    return lock;
  } catch (error) {
    rmSync(`${probe}.new`, { force: true });
    lock.release();
    throw unwritable(folder, error);
  }
}

function unwritable(folder: string, cause: unknown): RecordError {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new RecordError('FOLDER_UNUSABLE', `the folder ${folder} cannot be written${why}`, { cause });
}
