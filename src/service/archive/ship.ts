import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, lockFile } from '../../node/index.ts';
import { mergeRuns } from '../../protocol/index.ts';
import { listEpochs } from '../ledger/epochs/epoch-queries.ts';
import { nextKeyPath, openKeyFile } from '../ledger/keys/file-key-holder.ts';
import type { KeyHolder } from '../ledger/keys/key-holder.ts';
import { openProtection } from '../ledger/keys/open-protection.ts';
import type { Sealer } from '../ledger/keys/sealing.ts';
import { activeServiceKid, listServiceKeys } from '../ledger/keys/service-keys.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import { openReadOnly, type ReadOnlyStore } from '../store/open-read-only.ts';
import { ArchiveError } from './archive-error.ts';
import { readOrders } from './decisions.ts';
import { type Erasure, erasuresOf, newestErasure } from './erasures.ts';
import { firstKidOf, hashOf, readRunHead } from './run-head.ts';
import { type ArchivedLedger, newestFirst, type RunKey, type RunName, type RunSpan, runPath } from './run-name.ts';
import type { RunStore } from './run-store.ts';
import { completeSpans, writeRun } from './write-run.ts';

/** What came of a ledger's next run. */
export interface ShippedRun extends ArchivedLedger {
  readonly path: string;
  readonly outcome:
    | 'shipped'
    /** Shipped in the place of one that has payloads which were erased since, and which is gone now. */
    | 'replaced'
    /** Another file has the name, with other content: this one is kept next to it. */
    | 'second'
    /** The archive has epochs that the ledger lacks, or has otherwise: the ledger was set back, or the file is another host's. */
    | 'set_back'
    /** The newest run of the archive cannot be read, so that nothing can be said to continue it. */
    | 'unreadable'
    /** The service key was rotated, and no epoch of the new one is there yet. */
    | 'awaits_epoch'
    /** The archive asks that payloads be withheld from it, by a key that was not named to this host. */
    | 'unheeded';
  readonly records: number;
}

/** What came of a run that was not shipped. */
type Problem = Exclude<ShippedRun['outcome'], 'shipped' | 'replaced'>;

/** What the archive lacks of a ledger once everything was shipped that could be. */
export interface ShippedLedger {
  readonly orgId: string;
  /** The newest epoch that the archive has; 0 where it has none. */
  readonly lastEpoch: number;
  /** Runs that are complete and not there. */
  readonly waiting: number;
  /** Why; null where none waits. */
  readonly problem: Problem | null;
}

export interface ShipRequest {
  readonly dataDir: string;
  readonly store: RunStore;
  /** Also what is sealed and whose day or number of records is not complete. */
  readonly withNewest: boolean;
  /** Path of a file whose first line is the passphrase of the key files; null for none. */
  readonly passphraseFile: string | null;
  /** What the key files are sealed with, where whoever ships has it. */
  readonly wrappingKey?: Uint8Array | null;
  /** The first epoch, or the time from which epochs end, of what is shipped to a store that need not have what is before it. */
  readonly since?: number | string;
  /** Whose decisions about payloads in the archive are followed, each as `KEY@ORG_ID`. */
  readonly archiveKeys?: readonly string[];
  readonly now: () => number;
  readonly onRun: (run: ShippedRun) => void;
  readonly signal: AbortSignal;
}

/** The active key of a ledger, which a rotation may have replaced since the last look. @throws ArchiveError KEY_MISSING; StartError */
function activeKey(dataDir: string, kid: string | null, seal: Sealer | null): KeyHolder {
  const path = join(dataDir, 'service-key.json');
  for (const one of [path, nextKeyPath(path)]) {
    const key = existsSync(one) ? openKeyFile(one, false, seal) : null;
    if (key !== null && key.kid === kid) return key;
  }
  throw new ArchiveError('KEY_MISSING', `${dataDir} does not hold the active service key: runs are signed with it`);
}

/** Whether the ledger has the epochs of a run as the run states them. */
async function isContinued(
  store: ReadOnlyStore,
  runs: RunStore,
  name: RunName,
): Promise<'set_back' | 'unreadable' | null> {
  const head = await readRunHead(runs.open(runPath(name)));
  const epochs = head?.epochs.filter(({ epoch_no }) => epoch_no >= name.first && epoch_no <= name.last) ?? [];
  if (epochs.at(-1)?.epoch_no !== name.last) return 'unreadable';
  const differs = epochs.some((epoch) => {
    const [own] = listEpochs(store, name.orgId, epoch.epoch_no + 1, 1);
    return own === undefined || own.epoch_no !== epoch.epoch_no || hashOf(own) !== hashOf(epoch);
  });
  return differs ? 'set_back' : null;
}

/** Where the archive has no run of a ledger: behind the last one, and between two. */
function gapsOf(spans: readonly RunSpan[]): { readonly after: number; readonly before?: number }[] {
  const gaps: { after: number; before?: number }[] = [];
  let end = 0;
  for (const { first, last } of [...spans].sort((a, b) => a.first - b.first || a.last - b.last)) {
    if (first > end + 1) gaps.push({ after: end, before: first });
    end = Math.max(end, last);
  }
  return [...gaps, { after: end }];
}

const isNewer = (a: RunName, b: RunName): boolean => (a.last === b.last ? newestFirst(a, b) < 0 : a.last > b.last);

/** The files of each run, those first that hide most. */
function versionsOf(names: readonly RunName[]): Iterable<readonly RunName[]> {
  return Map.groupBy(names.toSorted(newestFirst), ({ first, last }) => `${first}-${last}`).values();
}

/** What takes payloads away: events of the ledger, and what the archive decided. */
interface Taken {
  readonly erasures: readonly Erasure[];
  readonly orders: readonly Erasure[];
}

class Shipping {
  readonly #request: ShipRequest;
  readonly #store: ReadOnlyStore;
  readonly #seal: Sealer | null;

  constructor(request: ShipRequest, store: ReadOnlyStore, seal: Sealer | null) {
    this.#request = request;
    this.#store = store;
    this.#seal = seal;
  }

  /** Ships what a ledger has and the archive lacks. */
  async ship(ledger: ArchivedLedger): Promise<ShippedLedger> {
    const { store: runs, onRun, since, signal } = this.#request;
    await runs.tidy(ledger);
    const files = await runs.list(ledger);
    const names = files.flatMap(({ name }) => (name !== null && name.second === null ? [name] : []));
    const newest = names.reduce<RunName | null>((a, b) => (a === null || isNewer(b, a) ? b : a), null);
    const problem = newest === null ? null : await isContinued(this.#store, runs, newest);
    const state = { orgId: ledger.orgId, lastEpoch: newest?.last ?? 0, waiting: 0, problem: problem as Problem | null };
    if (newest !== null && problem !== null) {
      onRun({ ...ledger, path: runPath(newest), outcome: problem, records: 0 });
      return { ...state, waiting: [...this.#spans(ledger, { after: newest.last })].length };
    }
    const paths = files.map(({ path }) => path);
    const { heeded, unheeded } = await readOrders(runs, ledger, paths, this.#request.archiveKeys ?? []);
    for (const path of unheeded) onRun({ ...ledger, path, outcome: 'unheeded', records: 0 });
    const taken: Taken = { erasures: erasuresOf(this.#store, ledger.orgId), orders: heeded };
    for (const versions of versionsOf(names)) {
      signal.throwIfAborted();
      const run = await this.#replace(versions, taken);
      if (run === null) continue;
      onRun(run);
      const { outcome } = run;
      if (outcome === 'replaced' || outcome === 'shipped') continue;
      state.problem ??= outcome;
      state.waiting++;
    }
    const begun = typeof since === 'number' ? [{ first: 1, last: since - 1 }] : [];
    for (const gap of gapsOf([...names, ...begun])) {
      for (const { first, last, records, endTime } of this.#spans(ledger, gap)) {
        signal.throwIfAborted();
        if (typeof since === 'string' && endTime < since) continue;
        // What follows a run that is not there waits for it.
        if (state.problem === null) {
          const name = { ...ledger, first, last, ...this.#takenOf(ledger, { first, last }, taken) };
          const run = await this.#write(name, records, taken);
          onRun(run);
          if (run.outcome === 'shipped') state.lastEpoch = Math.max(state.lastEpoch, last);
          else if (run.outcome !== 'replaced') state.problem = run.outcome;
        }
        if (state.problem !== null) state.waiting++;
      }
    }
    return state;
  }

  #spans({ orgId }: ArchivedLedger, gap: { readonly after: number; readonly before?: number }) {
    const { withNewest, now } = this.#request;
    return completeSpans(this.#store, orgId, { ...gap, now: now(), withNewest });
  }

  /** The newest erasure of a record of these epochs, and the newest decision about one. */
  #takenOf({ orgId }: ArchivedLedger, { first, last }: RunSpan, { erasures, orders }: Taken) {
    const from = listEpochs(this.#store, orgId, first + 1, 1)[0]?.first_seq_no ?? 0;
    const to = listEpochs(this.#store, orgId, last + 1, 1)[0]?.last_seq_no ?? 0;
    return { erased: newestErasure(erasures, from, to), decided: newestErasure(orders, from, to) };
  }

  /**
   * Puts a run into the place of those that show what was erased since, or what is to leave the archive. A file is removed only once this ledger has written the one that
   * takes its place, or found its own there: whoever else writes to the archive could put anything under that name.
   * @param versions of one run, newest first
   * @returns null where nothing is to be replaced
   */
  async #replace([newest, ...older]: readonly RunName[], taken: Taken): Promise<ShippedRun | null> {
    if (newest === undefined) return null;
    const { kid, orgId } = newest;
    const { erased, decided } = this.#takenOf(newest, newest, taken);
    const refused = (outcome: Problem): ShippedRun => ({ kid, orgId, path: runPath(newest), outcome, records: 0 });
    if ((newest.erased ?? 0) > (erased ?? 0)) return refused('set_back');
    const isHeeded = newest.decided === null || taken.orders.some(({ eventNo }) => eventNo === newest.decided);
    const isSame = newest.erased === erased && (newest.decided === decided || !isHeeded);
    const replaced = isSame ? older : [newest, ...older];
    if (replaced.length === 0) return null;
    // What it withholds by a decision that does not count here would be shown again.
    if (!isHeeded) return refused('unheeded');
    const run = await this.#write({ ...newest, erased, decided }, 0, taken);
    if (run.outcome !== 'shipped') return run;
    for (const version of replaced) await this.#request.store.remove(runPath(version));
    return { ...run, outcome: 'replaced' };
  }

  async #write(name: RunKey, records: number, { orders }: Taken): Promise<ShippedRun> {
    const { store: runs, dataDir } = this.#request;
    const { orgId, kid } = name;
    // What is read is of one moment, although a service may go on writing.
    this.#store.sqlite.exec('BEGIN');
    try {
      const key = activeKey(dataDir, activeServiceKid(this.#store), this.#seal);
      const withheld = mergeRuns(orders.flatMap(({ runs }) => runs));
      const write = async (path: string) => (await writeRun(path, this.#store, key, orgId, name, withheld)) !== null;
      const created = await runs.create(name, write);
      if (created === null)
        return { kid, orgId, path: runPath({ ...name, second: null }), outcome: 'awaits_epoch', records };
      return { kid, orgId, path: created.path, outcome: created.outcome === 'second' ? 'second' : 'shipped', records };
    } finally {
      this.#store.sqlite.exec('ROLLBACK');
    }
  }
}

/** One process ships from a data folder at a time. @throws ArchiveError SHIPPING_ALREADY */
function lock(dataDir: string): FileLock {
  const held = lockFile(join(dataDir, 'archive.lock'));
  if (held === null) throw new ArchiveError('SHIPPING_ALREADY', `another process ships from ${dataDir}`);
  return held;
}

/**
 * Ships the runs of every ledger in a data folder that an archive lacks, whether or not a service is running on it. What was shipped is
 * what the archive has: a crash at any point leaves what the next shipping continues from.
 * @returns what the archive has of each ledger then
 * @throws ArchiveError, StartError; the signal's reason
 */
export async function shipRuns(request: ShipRequest): Promise<ShippedLedger[]> {
  const { dataDir, passphraseFile, wrappingKey = null, signal } = request;
  const path = join(dataDir, 'ledger.sqlite');
  if (!existsSync(path)) throw new ArchiveError('LEDGER_MISSING', `${dataDir} holds no ledger`);
  const seal = await openProtection(dataDir, wrappingKey, passphraseFile);
  const held = lock(dataDir);
  try {
    const store = openReadOnly(path);
    try {
      if (store.schemaVersion !== SCHEMA_VERSION) {
        throw new ArchiveError(
          'LEDGER_OLDER',
          `${path} was written by an older version: start this one's service once`,
        );
      }
      const kid = firstKidOf(listServiceKeys(store));
      if (kid === null) throw new ArchiveError('LEDGER_MISSING', 'the ledger has never been started');
      const orgIds = store.statement('SELECT org_id FROM organizations ORDER BY org_id').pluck().all() as string[];
      const ledgers: ShippedLedger[] = [];
      for (const orgId of orgIds) {
        signal.throwIfAborted();
        ledgers.push(await new Shipping(request, store, seal).ship({ kid, orgId }));
      }
      return ledgers;
    } finally {
      store.close();
    }
  } finally {
    held.release();
  }
}
