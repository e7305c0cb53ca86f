import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, lockFile } from '../../node/index.ts';
import { listEpochs } from '../ledger/epochs/epoch-queries.ts';
import { nextKeyPath, openKeyFile } from '../ledger/keys/file-key-holder.ts';
import type { KeyHolder } from '../ledger/keys/key-holder.ts';
import { openProtection } from '../ledger/keys/open-protection.ts';
import type { Sealer } from '../ledger/keys/sealing.ts';
import { activeServiceKid, listServiceKeys } from '../ledger/keys/service-keys.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import { openReadOnly, type ReadOnlyStore } from '../store/open-read-only.ts';
import { ArchiveError } from './archive-error.ts';
import type { RunStore } from './folder-store.ts';
import { firstKidOf, hashOf, readRunHead } from './run-head.ts';
import { type ArchivedLedger, ledgerPath, type RunName, type RunSpan, runPath } from './run-name.ts';
import { completeSpans, writeRun } from './write-run.ts';

/** What came of a ledger's next run. */
export interface ShippedRun extends ArchivedLedger {
  readonly path: string;
  readonly outcome:
    | 'shipped'
    /** Another file has the name, with other content: this one is kept next to it. */
    | 'second'
    /** The archive has epochs that the ledger lacks, or has otherwise: the ledger was set back, or the file is another host's. */
    | 'set_back'
    /** The newest run of the archive cannot be read, so that nothing can be said to continue it. */
    | 'unreadable'
    /** The service key was rotated, and no epoch of the new one is there yet. */
    | 'awaits_epoch';
  readonly records: number;
}

export interface ShipRequest {
  readonly dataDir: string;
  readonly store: RunStore;
  /** Also what is sealed and whose day or number of records is not complete. */
  readonly withNewest: boolean;
  /** Path of a file whose first line is the passphrase of the key files; null for none. */
  readonly passphraseFile: string | null;
  /** The first epoch, or the time from which epochs end, of what is shipped to a store that need not have what is before it. */
  readonly since?: number | string;
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
  async ship(ledger: ArchivedLedger): Promise<void> {
    const { store: runs, onRun, since } = this.#request;
    await runs.tidy(ledger);
    const names = (await runs.list()).flatMap(({ name }) =>
      name !== null && name.second === null && ledgerPath(name) === ledgerPath(ledger) ? [name] : [],
    );
    const newest = names.reduce<RunName | null>((a, b) => (a === null || b.last > a.last ? b : a), null);
    const problem = newest === null ? null : await isContinued(this.#store, runs, newest);
    if (newest !== null && problem !== null) {
      onRun({ ...ledger, path: runPath(newest), outcome: problem, records: 0 });
      return;
    }
    const begun = typeof since === 'number' ? [{ first: 1, last: since - 1 }] : [];
    for (const gap of gapsOf([...names, ...begun])) if (!(await this.#fill(ledger, gap))) return;
  }

  /** @returns false where nothing can follow */
  async #fill(ledger: ArchivedLedger, gap: { readonly after: number; readonly before?: number }): Promise<boolean> {
    const { withNewest, now, signal, since, onRun } = this.#request;
    const spans = completeSpans(this.#store, ledger.orgId, { ...gap, now: now(), withNewest });
    for (const { first, last, records, endTime } of spans) {
      signal.throwIfAborted();
      if (typeof since === 'string' && endTime < since) continue;
      const run = await this.#write({ ...ledger, first, last }, records);
      onRun(run);
      if (run.outcome !== 'shipped') return false;
    }
    return true;
  }

  async #write(name: Omit<RunName, 'second'>, records: number): Promise<ShippedRun> {
    const { store: runs, dataDir } = this.#request;
    const { orgId, kid } = name;
    // What is read is of one moment, although a service may go on writing.
    this.#store.sqlite.exec('BEGIN');
    try {
      const key = activeKey(dataDir, activeServiceKid(this.#store), this.#seal);
      const write = async (path: string) => (await writeRun(path, this.#store, key, orgId, name)) !== null;
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
 * @throws ArchiveError, StartError; the signal's reason
 */
export async function shipRuns(request: ShipRequest): Promise<void> {
  const { dataDir, passphraseFile, signal } = request;
  const path = join(dataDir, 'ledger.sqlite');
  if (!existsSync(path)) throw new ArchiveError('LEDGER_MISSING', `${dataDir} holds no ledger`);
  const seal = await openProtection(dataDir, null, passphraseFile);
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
      for (const orgId of orgIds) {
        signal.throwIfAborted();
        await new Shipping(request, store, seal).ship({ kid, orgId });
      }
    } finally {
      store.close();
    }
  } finally {
    held.release();
  }
}
