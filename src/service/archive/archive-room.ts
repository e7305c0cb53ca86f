import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveState, SweepArchive } from '../../api/index.ts';
import { RequestThread, syncFolder, workerUrl } from '../../node/index.ts';
import { countRuns, formatTime } from '../../protocol/index.ts';
import { digestOfRuns } from '../cases/archived/archive-index.ts';
import { areContentsAsked } from '../cases/archived/contents-asked.ts';
import { type CaseFile, saveCaseFile, unverifiedCase } from '../cases/case-file.ts';
import type { Cases } from '../cases/cases.ts';
import { Holds } from '../evidence/retention/holds.ts';
import { endedSweep, planOf, type SweepRow } from '../evidence/retention/sweep-row.ts';
import { type EngineAddress, EngineError } from '../search/engine/clickhouse.ts';
import type { Store } from '../store/open.ts';
import { ArchiveEngine, type EngineState } from './archive-engine.ts';
import { ArchiveError } from './archive-error.ts';
import type {
  ArchiveAnswer,
  ArchiveRefusal,
  ArchiveTask,
  ArchiveTold,
  DueRecords,
  IndexState,
} from './archive-worker.ts';
import { decidedBy, decisionsOn, isInForce, type LedgerDecision } from './decisions.ts';
import { type AcceptedRun, type FollowRequest, nameOf, type RefusedRun } from './follow.ts';
import type { RunPlace } from './open-run-store.ts';

/** Verifying takes what verifying a case takes, and a run as it lies on the disk. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1024 };
/** How often damage that a reader found is looked for, in milliseconds. What failed is tried again with the next look at the archive. */
const LOOK_MS = 2000;
const MOST_REFUSED = 1000;

/** Who reads: an organization of this service, and the organizations whose ledgers it may see. */
export type Grants = ReadonlyMap<string, ReadonlySet<string>>;

/** How a central node stands, in figures. */
export interface CentralHealth {
  readonly accepted: number;
  /** By everybody who may read them. */
  readonly searchable: number;
  readonly refused: number;
  readonly hasFailed: boolean;
  /** How the search engine stands, in the archive where it stands worst; null where there is none. */
  readonly engine: EngineState['state'] | null;
}

/** What an organization of this service reads of the archive: a case that grows. */
interface Reading {
  readonly caseId: string;
  readonly organizations: ReadonlySet<string>;
  index: IndexState | null;
}

export interface ArchiveRoomContext {
  readonly cases: Cases;
  /** Rules, sweeps and holds. */
  readonly store: Store;
  /** Where cases are, each in a folder by its id. */
  readonly folder: string;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export interface RoomOptions {
  readonly from: RunPlace;
  readonly grants: Grants;
  /** A search engine that counts in what was accepted. */
  readonly engine?: EngineAddress | undefined;
}

type Following = Pick<FollowRequest, 'trustedKids' | 'accepted' | 'recheck' | 'onAccepted' | 'onRefused'> & {
  readonly signal: AbortSignal;
  /** Organizations of this service, each with those whose payloads it decides about. */
  readonly keepers: Grants;
};

/** A new folder of a case. A crash before its rename leaves what the next start removes. */
async function makeFolder(parent: string, about: CaseFile): Promise<void> {
  const half = join(parent, `${about.case_id}.new`);
  await mkdir(half, { mode: 0o700 });
  await saveCaseFile(half, about);
  await rename(half, join(parent, about.case_id));
  await syncFolder(parent);
}

/**
 * What a central node accepted, as cases that grow: one for each organization of the service that may read some of it, with the ledgers that it
 * may see and no other. Everything in them is made of the runs and of what was accepted, and made again from these where it is lost.
 */
export class ArchiveRoom {
  readonly #context: ArchiveRoomContext;
  readonly #verifying: RequestThread<ArchiveTask, ArchiveAnswer, ArchiveTold, ArchiveRefusal>;
  readonly #indexing: RequestThread<ArchiveTask, ArchiveAnswer, never, ArchiveRefusal>;
  readonly #stop = new AbortController();
  #from: RunPlace = { at: '', spool: '' };
  #readings: Reading[] = [];
  #keepers: Grants = new Map();
  /** What was decided about payloads, as whoever decides writes it down. */
  decisions: readonly LedgerDecision[] = [];
  #accepted: AcceptedRun[] = [];
  #refused: RefusedRun[] = [];
  #lookedAt: string | null = null;
  #upkeep: Promise<void> | null = null;
  /** An index is taken away, and nothing is asked of it meanwhile. */
  #removing: Promise<void> | null = null;
  #isDue = false;
  #engine: ArchiveEngine | null = null;
  #filling: Promise<void> | null = null;
  /** Whether the last look at the archive failed, and whether the last indexing did. */
  #failed = { look: false, index: false };
  #timer: NodeJS.Timeout | undefined;

  constructor(context: ArchiveRoomContext) {
    this.#context = context;
    const url = workerUrl(import.meta.url, 'archive-worker');
    const refused = ({ code, message }: ArchiveRefusal): Error => new ArchiveError(code, message);
    this.#verifying = new RequestThread({ url, resourceLimits: LIMITS, refused });
    this.#indexing = new RequestThread({ url, resourceLimits: LIMITS, refused });
  }

  /** Begins, changes or ends what organizations of this service read. What one may read no longer is gone when this returns. */
  async open({ from, grants, engine }: RoomOptions): Promise<void> {
    const { cases, folder } = this.#context;
    clearInterval(this.#timer);
    await this.settled();
    this.#from = from;
    this.#keepers = new Map();
    this.#engine = engine === undefined ? null : new ArchiveEngine(engine, (caseId) => this.#tellOf(caseId));
    cases.engine = this.#engine;
    const archives = cases.store.all().filter(({ archive }) => archive !== null);
    const kept: Reading[] = [];
    for (const about of archives) {
      const granted = grants.get(about.org_id ?? '');
      const had = about.archive?.organizations ?? [];
      if (granted !== undefined && had.every((orgId) => granted.has(orgId))) {
        kept.push({ caseId: about.case_id, organizations: granted, index: null });
        await cases.store.change(about.case_id, {
          archive: { ...this.#emptyState(), ...about.archive, organizations: [...granted] },
        });
        continue;
      }
      await this.#indexing.ask({ kind: 'close', folder: cases.store.folderOf(about.case_id) });
      await cases.removeArchive(about.case_id);
      await this.#engine?.remove(about.case_id);
    }
    const begun = new Set(kept.map(({ caseId }) => cases.store.must(caseId).org_id));
    for (const [orgId, organizations] of grants) {
      if (begun.has(orgId) || organizations.size === 0) continue;
      const about = this.#newCase(orgId, [...organizations]);
      await makeFolder(folder, about);
      cases.store.add(about);
      kept.push({ caseId: about.case_id, organizations, index: null });
    }
    this.#readings = kept;
    this.#timer = setInterval(() => {
      const isAsked = this.#readings.some(({ caseId }) => areContentsAsked(cases.store.folderOf(caseId)));
      if (isAsked) this.#keepUp();
    }, LOOK_MS).unref();
  }

  #emptyState(): ArchiveState {
    return {
      organizations: [],
      ledgers: 0,
      runs: 0,
      waiting: 0,
      records: 0,
      indexed_to: 0,
      refused: [],
      engine: null,
      looked_at: null,
    };
  }

  #newCase(orgId: string, organizations: string[]): CaseFile {
    const caseId = randomUUID();
    return {
      ...unverifiedCase({ orgId }, []),
      case_id: caseId,
      name: 'Archive',
      file_name: 'archive',
      bytes: 0,
      // Nothing has this digest: a custody log is of one case, and says which by it.
      sha256: `sha256:${createHash('sha256').update(`archive ${caseId}`).digest('hex')}`,
      kind: 'bundle-gzip',
      receipts: [],
      created_at: this.#context.now(),
      created_by: null,
      items: { count: 0, bytes: 0, due: false, unchecked: 0, contradicting: [], found: [] },
      origin: null,
      state: 'ready',
      archive: { ...this.#emptyState(), organizations },
    };
  }

  /**
   * Looks at the archive once, on a thread; what is accepted becomes searchable afterwards.
   * @throws what the store fails with, what onAccepted fails with, RequestStopped
   */
  async follow({ trustedKids, accepted, recheck, signal, keepers, onAccepted, onRefused }: Following): Promise<void> {
    const { decisions } = this;
    this.#accepted = [...accepted];
    this.#keepers = keepers;
    this.#keepUp();
    const refused: RefusedRun[] = [];
    const written = new Int32Array(new SharedArrayBuffer(4));
    const tell = (value: number): void => {
      Atomics.store(written, 0, value);
      Atomics.notify(written, 0);
    };
    let done = Promise.resolve();
    let failure: { readonly error: unknown } | null = null;
    let count = 0;
    const take = async (run: AcceptedRun): Promise<void> => {
      try {
        await onAccepted(run);
        const at = this.#accepted.findIndex(({ sha256 }) => sha256 === run.replaces);
        // The index has the run that is replaced: it is made again without.
        if (at >= 0) this.#accepted[at] = run;
        else this.#accepted.push(run);
        tell(++count);
        this.#keepUp();
      } catch (error) {
        failure ??= { error };
        tell(-1);
      }
    };
    const task = { kind: 'follow', from: this.#from, written, trustedKids, accepted, decisions, recheck } as const;
    try {
      await this.#verifying.ask(task, {
        signal,
        onProgress: (told) => {
          if (told.kind === 'accepted') done = done.then(() => take(told.run));
          else {
            refused.push(told.run);
            onRefused(told.run);
          }
        },
      });
    } catch (error) {
      this.#failed.look = !signal.aborted;
      await done;
      throw failure === null ? error : (failure as { readonly error: unknown }).error;
    }
    this.#refused = refused;
    this.#lookedAt = formatTime(this.#context.now());
    // Where that cannot be written, the look has failed as well.
    this.#failed.look = true;
    for (const reading of this.#readings) await this.#tell(reading);
    this.#failed.look = false;
  }

  /** The sweep of an organization's rules that the archive is to follow; null where there is none since a time. */
  sweepOf(orgId: string, since: number): SweepRow | null {
    return endedSweep(this.#context.store, orgId, since);
  }

  /** What tells which holds of an organization are in force. */
  holdsOf(orgId: string): string {
    const holds = Holds.selections(this.#context.store, orgId);
    return holds.map(({ holdId }) => holdId).join();
  }

  /**
   * Which records of an accepted run are due by a sweep of an organization that reads it, and held by none of its holds.
   * @param by of a decision: its records alone, which are due
   * @returns null where the run cannot be searched yet
   */
  async due(orgId: string, run: AcceptedRun, by: SweepRow | LedgerDecision): Promise<DueRecords | null> {
    const { cases, store } = this.#context;
    const reading = this.#readings.find(({ caseId }) => cases.store.must(caseId).org_id === orgId);
    if (reading === undefined) return null;
    const folder = cases.store.folderOf(reading.caseId);
    const [plan, about] = 'decision_no' in by ? [null, [by]] : [planOf(by), this.decisions];
    const inForce = about.filter((one) => isInForce(one, run));
    const decided = decidedBy(decisionsOn(inForce, nameOf(run)));
    for (;;) {
      while (this.#removing !== null) await this.#removing;
      const holds = Holds.selections(store, orgId);
      const task = { kind: 'due', folder, sha256: run.sha256, plan, holds, decided } as const;
      const found = await this.#indexing.ask(task);
      // A hold that was placed meanwhile counts.
      const now = Holds.selections(store, orgId);
      if (JSON.stringify(now) === JSON.stringify(holds)) return found === null || 'runs' in found ? null : found;
    }
  }

  /** Counts, run by run, what a sweep would find in the ledgers that an organization keeps; null where it keeps none, and before the first look. */
  count(sweep: SweepRow): AsyncIterable<SweepArchive> | null {
    const organizations = this.#keepers.get(sweep.orgId);
    if (organizations === undefined) return null;
    const runs = this.#accepted.filter(({ org_id }) => organizations.has(org_id));
    return this.#count(sweep, runs);
  }

  async *#count(sweep: SweepRow, runs: readonly AcceptedRun[]): AsyncGenerator<SweepArchive> {
    let counted = { due: 0, held: 0, runs_left: runs.length };
    yield counted;
    for (const run of runs) {
      const found = await this.due(sweep.orgId, run, sweep);
      if (found === null) continue;
      const { due, held, runs_left } = counted;
      counted = { due: due + countRuns(found.due), held: held + found.held, runs_left: runs_left - 1 };
      yield counted;
    }
  }

  /**
   * Puts a decision in its place for the host.
   * @param trusted the node's own key and organization
   * @param proof null to take it away
   * @throws ArchiveError
   */
  async order(path: string, trusted: string, proof: string | null): Promise<void> {
    await this.#verifying.ask({ kind: 'order', from: this.#from, path, trusted, proof });
  }

  /** Null where this is no central node. */
  get health(): CentralHealth | null {
    if (this.#from.at === '') return null;
    const waiting = this.#readings.map(({ organizations, index }) => {
      const wanted = this.#accepted.filter(({ org_id }) => organizations.has(org_id)).length;
      return wanted - (index === null || index.more ? 0 : index.runs);
    });
    const accepted = this.#accepted.length;
    return {
      accepted,
      searchable: waiting.length === 0 ? 0 : accepted - Math.max(0, ...waiting),
      refused: this.#refused.length,
      hasFailed: this.#failed.look || this.#failed.index,
      engine: this.#engineState,
    };
  }

  get #engineState(): EngineState['state'] | null {
    const engine = this.#engine;
    if (engine === null) return null;
    const states = new Set(this.#readings.map(({ caseId }) => engine.stateOf(caseId).state));
    return states.has('away') ? 'away' : states.has('behind') ? 'behind' : 'ready';
  }

  /** Waits until everything that was accepted can be searched. */
  async settled(): Promise<void> {
    while (this.#upkeep !== null || this.#filling !== null) {
      await this.#upkeep;
      await this.#filling;
    }
  }

  /** Fills the engine; what fails is tried again with the next look at the archive. */
  #fill(engine: ArchiveEngine): void {
    const { reads, store } = this.#context.cases;
    const all = async (): Promise<void> => {
      for (const { caseId } of this.#readings) {
        if (this.#stop.signal.aborted) return;
        const folder = store.folderOf(caseId);
        await engine.bringUp(caseId, (query, ...args) => reads.ask(folder, query, ...args), this.#stop.signal);
      }
    };
    this.#filling ??= all()
      .catch((error: unknown) => {
        // That it is away is said by its state.
        if (!this.#stop.signal.aborted && !(error instanceof EngineError)) this.#context.onError(error);
      })
      .finally(() => {
        this.#filling = null;
      });
  }

  #keepUp(): void {
    this.#isDue = true;
    if (this.#upkeep !== null || this.#stop.signal.aborted) return;
    this.#upkeep = this.#bringUp()
      .then(() => {
        this.#failed.index = false;
      })
      .catch((error: unknown) => {
        this.#isDue = true;
        this.#failed.index = !this.#stop.signal.aborted;
        if (!this.#stop.signal.aborted) this.#context.onError(error);
      })
      .finally(() => {
        this.#upkeep = null;
        if (this.#engine !== null) this.#fill(this.#engine);
      });
  }

  async #bringUp(): Promise<void> {
    while (this.#isDue && !this.#stop.signal.aborted) {
      this.#isDue = false;
      for (const reading of this.#readings) await this.#bringUpOne(reading);
    }
  }

  async #ask(task: ArchiveTask): Promise<IndexState> {
    const state = await this.#indexing.ask(task);
    if (state === null || !('runs' in state)) throw new Error(`the thread of the archive said nothing of ${task.kind}`);
    return state;
  }

  async #bringUpOne(reading: Reading): Promise<void> {
    const { cases } = this.#context;
    const folder = cases.store.folderOf(reading.caseId);
    const wanted = (): AcceptedRun[] => this.#accepted.filter(({ org_id }) => reading.organizations.has(org_id));
    let state = await this.#ask({ kind: 'look', folder });
    if (state.digest !== digestOfRuns(wanted().slice(0, state.runs))) {
      // A run was replaced, or what was accepted is that of another central ledger.
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#removing = promise;
      try {
        await this.#indexing.ask({ kind: 'close', folder });
        await cases.removeIndex(reading.caseId);
      } finally {
        this.#removing = null;
        resolve();
      }
      state = await this.#ask({ kind: 'look', folder });
    }
    reading.index = state;
    await this.#tell(reading);
    for (;;) {
      if (this.#stop.signal.aborted) return;
      const run = wanted()[state.runs];
      if (run !== undefined) state = await this.#ask({ kind: 'add', folder, from: this.#from, run });
      else if (state.more) state = await this.#ask({ kind: 'step', folder });
      else return;
      reading.index = state;
      await this.#tell(reading);
    }
  }

  #tellOf(caseId: string): void {
    const reading = this.#readings.find((one) => one.caseId === caseId);
    if (reading !== undefined) this.#tell(reading).catch(this.#context.onError);
  }

  /** Writes down what a case says of itself. */
  async #tell({ caseId, organizations, index }: Reading): Promise<void> {
    const { store } = this.#context.cases;
    const about = store.get(caseId);
    if (about === undefined) return;
    const accepted = this.#accepted.filter(({ org_id }) => organizations.has(org_id));
    const archive: ArchiveState = {
      organizations: [...organizations],
      ledgers: new Set(accepted.map(({ kid, org_id }) => `${kid} ${org_id}`)).size,
      runs: index?.runs ?? 0,
      waiting: accepted.length - (index?.runs ?? 0),
      records: index?.records ?? 0,
      indexed_to: index?.indexedTo ?? 0,
      refused: this.#refusedIn(organizations),
      engine: this.#engine?.stateOf(caseId) ?? null,
      looked_at: this.#lookedAt,
    };
    if (JSON.stringify(archive) === JSON.stringify(about.archive)) return;
    await store.change(caseId, { archive, verified_at: this.#lookedAt === null ? null : Date.parse(this.#lookedAt) });
  }

  /** Of the ledgers that an organization may see: a file's place says whose it would be. */
  #refusedIn(organizations: ReadonlySet<string>): ArchiveState['refused'] {
    return this.#refused
      .filter(({ path }) => {
        try {
          return organizations.has(decodeURIComponent(path.split('/')[1] ?? ''));
        } catch {
          return false;
        }
      })
      .slice(0, MOST_REFUSED)
      .map(({ findings, ...run }) => ({ ...run, findings: [...findings] }));
  }

  /** Ends what is done for the archive. What was accepted and is not searchable yet is, after the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#upkeep;
    await this.#filling;
    await Promise.all([this.#verifying.end(), this.#indexing.end()]);
  }
}
