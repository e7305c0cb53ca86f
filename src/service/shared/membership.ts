import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { restoreBackup } from '../operator/backup/restore.ts';
import { StartError } from '../store/base/service-error.ts';
import { lockFolder } from '../store/lock.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import { type OpenStore, openStore } from '../store/open.ts';
import { type CommitLog, type EntryKind, type LogEntry, LogError, type Place } from './commit-log.ts';
import { Follower } from './follower.ts';
import { type FolderKeys, keysOf, openLog } from './open-log.ts';
import { dropMark, markOf, setMark } from './row-images.ts';

/** A data folder that no service has open, and the log that it is to belong to. */
export interface FolderOfLog {
  readonly log: string;
  readonly dataDir: string;
  readonly passphraseFile: string | null;
}

interface Opened {
  readonly store: OpenStore;
  readonly log: CommitLog;
  readonly keys: FolderKeys;
}

async function withFolder<T>(
  { log: place, dataDir, passphraseFile }: FolderOfLog,
  work: (opened: Opened) => Promise<T>,
) {
  const path = join(dataDir, 'ledger.sqlite');
  if (!existsSync(path)) throw new StartError('DATA_DIR_UNUSABLE', `there is no ledger in ${dataDir}`);
  const lock = lockFolder(dataDir);
  const closers: (() => void | Promise<void>)[] = [() => lock.release()];
  try {
    const keys = await keysOf(dataDir, null, passphraseFile);
    const store = openStore(path);
    closers.unshift(() => store.close());
    const log = await openLog(place);
    closers.unshift(() => log.close());
    return await work({ store, log, keys });
  } finally {
    for (const close of closers) await close();
  }
}

/** An entry that changes nothing. */
function bare({ seal }: FolderKeys, kind: EntryKind, { no, id: prev }: Place): LogEntry {
  const content = { rows: [], keyFile: null, node: '', url: '' };
  return seal.sealed({ no: no + 1, prev, kept: no, schema: SCHEMA_VERSION, kind }, content);
}

/** Before the first entry. */
const NOTHING: Place = { no: 0, id: '00000000-0000-0000-0000-000000000000' };

/**
 * Makes the ledger of a folder the first one of an empty log: its content stays as it is, and every later node begins with
 * a copy of it. Called again after a crash it ends what it began.
 * @throws LogError LOG_TAKEN, LOG_UNUSABLE; LogDoubt; StartError
 */
export function beginLog(folder: FolderOfLog): Promise<void> {
  return withFolder(folder, async ({ store, log, keys }) => {
    const { sqlite } = store;
    const mark = markOf(sqlite);
    const [first] = (await log.read(NOTHING, 1)).entries;
    if (mark !== null && mark.no > 0) throw new LogError('LOG_TAKEN', 'this ledger belongs to a shared log already');
    if (first !== undefined && first.id !== mark?.id)
      throw new LogError('LOG_TAKEN', 'another ledger has this shared log');
    const entry = first ?? bare(keys, 'begin', NOTHING);
    // A crash after this: the folder refuses to start alone, and begin is called again, or end.
    sqlite.transaction(() => setMark(sqlite, { no: 0, id: entry.id }))();
    if (first === undefined && !(await log.append(entry))) {
      throw new LogError('LOG_TAKEN', 'another ledger was faster to begin this shared log');
    }
    sqlite.transaction(() => setMark(sqlite, entry))();
  });
}

/** How long nobody may say anything in a log that is ended, in milliseconds. */
const QUIET_MS = 3000;

/**
 * Ends a log: its last entry lets nobody add another, and the ledger of the folder, which has read all of it, is continued
 * without. To be called once every node is stopped.
 * @throws LogError LOG_TAKEN where a node is active; LogDoubt; StartError
 */
export function endLog(folder: FolderOfLog): Promise<void> {
  return withFolder(folder, async ({ store, log, keys }) => {
    const { sqlite } = store;
    const mark = markOf(sqlite);
    if (mark === null) throw new LogError('LOG_FOREIGN', 'this ledger belongs to no shared log');
    // Begun and never there.
    if (mark.no === 0 && (await log.newest()) === null) return dropMark(sqlite);
    const before = (await log.read(mark, 1)).beat;
    await sleep(QUIET_MS);
    const after = (await log.read(mark, 1)).beat;
    if (after?.count !== before?.count) throw new LogError('LOG_TAKEN', 'a node is active: stop every node first');
    const follower = new Follower({ sqlite, log, ...keys, applied: async (_entry, _content, apply) => apply() });
    const { newest } = await follower.step();
    const last = bare(keys, 'end', newest);
    if (!(await log.append(last))) throw new LogError('LOG_TAKEN', 'a node is active: stop every node first');
    // Kept, it shows that all before it is. A crash here: the folder refuses to start until --lost, which says what it does.
    await follower.applyAll();
    dropMark(sqlite);
  });
}

/** Lets a ledger continue alone without its log, which is lost: what other nodes have and this one has not, it will contradict. */
export async function leaveLostLog({ dataDir }: Pick<FolderOfLog, 'dataDir'>): Promise<void> {
  const lock = lockFolder(dataDir);
  try {
    const store = openStore(join(dataDir, 'ledger.sqlite'));
    try {
      dropMark(store.sqlite);
    } finally {
      store.close();
    }
  } finally {
    lock.release();
  }
}

/**
 * Makes a folder of a node's backup, which reads the log on from where that was made. A folder that cannot is removed.
 * @param from a backup folder of a node
 * @throws BackupError; LogError LOG_FOREIGN, LOG_SET_BACK; LogDoubt; StartError
 */
export async function joinLog(folder: FolderOfLog, from: string, trustedKids: readonly string[]): Promise<Place> {
  const { dataDir } = folder;
  await restoreBackup({ from, dataDir, trustedKids, asNode: true });
  try {
    return await withFolder(folder, async ({ store, log, keys }) => {
      const mark = markOf(store.sqlite);
      if (mark === null) throw new LogError('LOG_FOREIGN', 'the backup is of no node: make one of a node of this log');
      const [held] = (await log.read(mark, 1)).entries;
      if (held !== undefined) keys.seal.opened(held);
      return mark;
    });
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** A log as its engine has it. */
export interface LogStatus {
  readonly newest: LogEntry;
  readonly bytes: number;
  /** Whether a node said something within two seconds, or left. */
  readonly active: 'yes' | 'no' | 'left';
}

/** @returns null for an empty log. @throws LogError, LogDoubt */
export async function statusOfLog(place: string): Promise<LogStatus | null> {
  const log = await openLog(place);
  try {
    const newest = await log.newest();
    if (newest === null) return null;
    const before = (await log.read(newest, 1)).beat;
    await sleep(QUIET_MS - 1000);
    const after = (await log.read(newest, 1)).beat;
    const hasLeft = after?.left === true && after.id === newest.id;
    const active = hasLeft ? 'left' : after?.count !== before?.count ? 'yes' : 'no';
    return { newest, bytes: (await log.meet(null)).bytes, active };
  } finally {
    await log.close();
  }
}
