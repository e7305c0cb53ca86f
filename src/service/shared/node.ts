import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { NodeState } from '../../api/index.ts';
import { messageOf } from '../../protocol/light.ts';
import { MACHINE_CLOCK } from '../ledger/clock/known-time-file.ts';
import { openLedgerKey } from '../ledger/keys/file-key-holder.ts';
import { activeServiceKid } from '../ledger/keys/service-keys.ts';
import { startSettings } from '../operator/run-time-settings.ts';
import { notActive, type ServiceError, StartError } from '../store/base/service-error.ts';
import type { KnownTime } from '../store/clock-watch.ts';
import { prepareDataFolder } from '../store/data-folder.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import { storeOn } from '../store/open.ts';
import type { SettingOrigins } from '../store/settings/settings.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import { isStorageFull } from '../store/sqlite-errors.ts';
import type { AroundCommit, HoldCommit, RowImage } from '../store/writer.ts';
import { ActiveCommits } from './active-commits.ts';
import { type CommitLog, LogDoubt, type Place } from './commit-log.ts';
import { Follower, type FollowerOptions } from './follower.ts';
import { type FolderKeys, keysOf, openLog } from './open-log.ts';

/** How long an active node may say nothing before a standby takes over, in milliseconds. By the reader's own steady clock. */
const SILENCE_MS = 2000;
/** How often a standby reads the log, and how long it waits after an engine that gave no clear answer. */
const READ_EVERY_MS = 100;
const RETRY_MS = 300;
/** How long a node that cannot start for want of room waits before it tries again, and for how long after that it takes over later than others. */
const FULL_RETRY_MS = 2000;
const FULL_FOR_MS = 30_000;
/** The most that counts as silence between two looks at the log, in milliseconds. */
const MOST_A_LOOK_MS = 500;
/** How often a node says that it is there. */
const MEET_EVERY_MS = 1000;

export type NodeRole = 'standby' | 'active' | 'stopped';

/** What a service learns of the node that it runs on. */
export interface ServiceNode {
  readonly isStandby: boolean;
  /** Of the active node, for what is added to the ledger. */
  readonly hold?: HoldCommit;
  /** The answer to what this node cannot do: who to ask instead. */
  refusal(): ServiceError;
  look(): NodeState;
  /** The latest of what the other nodes' clocks and the engine's read; null where nothing is known of them. */
  readonly told: () => KnownTime | null;
}

/** A standby's ledger, to its node. */
export interface Replica {
  readonly sqlite: Database.Database;
  /** Whether this node's clock is in doubt: then it signs nothing, and others had better take over. */
  isClockInDoubt(): boolean;
  /** Has an entry's changes made in the turn of the service's writer, and tells whoever remembers something. */
  apply(rows: readonly RowImage[], make: () => void): Promise<void>;
}

/** The service of a node, in either role. */
interface NodeService {
  readonly url: string;
  readonly replica: Replica;
  close(): Promise<void>;
}

export interface NodeOptions<Running extends NodeService> {
  /** Where the log is. */
  readonly log: string;
  /** The name of this node: for people. */
  readonly name: string;
  /** The settings of both roles, as a start takes them. */
  readonly given: Partial<Settings>;
  readonly origins: SettingOrigins;
  readonly wrappingKey: Uint8Array | null;
  /** Starts the service on the folder in one role; it is closed at each change of role. */
  readonly start: (aroundCommit: AroundCommit, node: ServiceNode) => Promise<Running>;
  /** Learns each change of role, and of what is in the way. */
  readonly onChange: (
    state: NodeRole,
    about: { readonly url: string; readonly service: Running | null; readonly why: string },
  ) => void;
}

/** How long the active node has said nothing, as far as this one listened: whoever slept, or did not get the processor, heard nobody meanwhile. */
export class Silence {
  #sign: string | null = null;
  #lookedAt = 0;
  #lasts = 0;

  /**
   * Notes a look at the log.
   * @param sign the newest sign of life; null where the log could not be read
   * @param now by this node's steady clock, in milliseconds
   * @param enough how long it has to last
   * @returns whether it has lasted long enough to take over
   */
  look(sign: string | null, now: number, enough = SILENCE_MS): boolean {
    if (sign === null || sign !== this.#sign) this.#lasts = 0;
    else this.#lasts += Math.min(now - this.#lookedAt, MOST_A_LOOK_MS);
    this.#sign = sign;
    this.#lookedAt = now;
    return this.#lasts > enough;
  }
}

/**
 * One node of a ledger that several keep. It begins as a standby: reads the log, makes what is kept, and its
 * service answers what changes nothing. Once the active node is silent, it takes over by an entry (R5), and starts the service on the same
 * folder again. A role is fixed for as long as a service runs.
 */
export class SharedNode<Running extends NodeService> {
  readonly #options: NodeOptions<Running>;
  readonly #settings: Settings;
  readonly #stop = new AbortController();
  #leaving: () => void = () => undefined;
  /** What the others said of themselves, and when that was read. */
  #others: NodeState['nodes'] = [];
  #metAt = Number.NEGATIVE_INFINITY;
  #told: KnownTime | null = null;
  #bytes = 0;
  #takeovers = 0;
  /** Whether a service of this node ran: a start that fails for want of room is tried again then, and else refused. */
  #hasServed = false;
  /** When its disk took no more; by performance.now. */
  #fullAt = Number.NEGATIVE_INFINITY;
  /** When this node last had everything that was known to be kept; by performance.now. */
  #upToDate = performance.now();

  /** @throws StartError SETTING_INVALID */
  constructor(options: NodeOptions<Running>) {
    this.#options = options;
    this.#settings = startSettings(options.given, options.origins).settings;
  }

  /**
   * Runs until it is stopped.
   * @throws StartError where folder, keys or port cannot be used; LogError where this node cannot go on with the log
   */
  async run(): Promise<void> {
    const { wrappingKey, log: place } = this.#options;
    const { dataDir, keyPassphraseFile } = this.#settings;
    prepareDataFolder(dataDir);
    const folder = await keysOf(dataDir, wrappingKey, keyPassphraseFile);
    const log = await openLog(place);
    try {
      while (!this.#stop.signal.aborted) {
        try {
          const commits = await this.#standBy(log, folder);
          if (commits !== null) await this.#serve(commits);
        } catch (error) {
          if (!this.#hasServed || !isStorageFull(error)) throw error;
          if (performance.now() - this.#fullAt > FULL_FOR_MS) this.#tell('standby', '', null, messageOf(error));
          this.#fullAt = performance.now();
          await this.#pause(FULL_RETRY_MS);
        }
      }
    } finally {
      await log.close();
      this.#tell('stopped', '', null, '');
    }
  }

  /** Leaves the others in charge. `run` returns once everything is closed. */
  stop(): void {
    this.#stop.abort();
    this.#leaving();
  }

  /** @returns the commits of this node, which has taken over; null where it was stopped */
  async #standBy(log: CommitLog, folder: FolderKeys): Promise<ActiveCommits | null> {
    let follower: Follower | null = null;
    const refusal = (): ServiceError =>
      notActive('this node is a standby: send the request to the active node', follower?.active?.url ?? null);
    const refuse = (): never => {
      throw refusal();
    };
    const look = (): NodeState => this.#look('standby', service.url, follower?.active?.url ?? null);
    const service: Running = await this.#options.start(refuse, {
      isStandby: true,
      refusal,
      look,
      told: () => this.#told,
    });
    try {
      const { sqlite, apply } = service.replica;
      const applied: FollowerOptions['applied'] = async ({ kind }, { rows }, make) => {
        await apply(rows, make);
        if (kind === 'term') this.#takeovers++;
      };
      follower = new Follower({ sqlite, log, ...folder, applied });
      this.#tell('standby', service.url, service, '');
      return await this.#follow(log, folder, follower, service);
    } finally {
      await service.close();
    }
  }

  async #follow(
    log: CommitLog,
    folder: FolderKeys,
    follower: Follower,
    service: Running,
  ): Promise<ActiveCommits | null> {
    const silence = new Silence();
    let told = '';
    const tell = (why: string): void => {
      if (why !== told) this.#tell('standby', service.url, service, why);
      told = why;
    };
    while (!this.#stop.signal.aborted) {
      try {
        const followed = await follower.step();
        this.#upToDate = performance.now();
        const isLast = service.replica.isClockInDoubt() || this.#upToDate - this.#fullAt < FULL_FOR_MS;
        const isSilent = silence.look(followed.sign, this.#upToDate, isLast ? 2 * SILENCE_MS : SILENCE_MS);
        await this.#meet(log, folder, 'standby', this.#settings.publicUrl ?? service.url);
        tell('');
        if ((followed.left && !isLast) || isSilent) {
          const commits = await this.#takeOver(log, folder, follower, followed.newest, service);
          if (commits !== null) return commits;
        }
        await this.#pause(READ_EVERY_MS);
      } catch (error) {
        // Without the key that signs a node reads all the same: it may come with an entry, or somebody copies it.
        const isFull = isStorageFull(error);
        if (!(error instanceof LogDoubt) && !(error instanceof StartError) && !isFull) throw error;
        tell(messageOf(error));
        // Whether the active node says something is not known meanwhile.
        silence.look(null, performance.now());
        if (isFull) this.#fullAt = performance.now();
        await this.#pause(RETRY_MS);
      }
    }
    return null;
  }

  /** @returns null where another node was faster. @throws StartError where this one has not the key that signs */
  async #takeOver(
    log: CommitLog,
    { seal, keyPath, protection }: FolderKeys,
    follower: Follower,
    newest: Place,
    service: Running,
  ): Promise<ActiveCommits | null> {
    const { name } = this.#options;
    const url = this.#settings.publicUrl ?? service.url;
    openLedgerKey(keyPath, activeServiceKid(storeOn(service.replica.sqlite)), protection);
    const place = { no: newest.no + 1, prev: newest.id, kept: follower.mark.no, schema: SCHEMA_VERSION };
    const term = seal.sealed({ ...place, kind: 'term' }, { rows: [], keyFile: null, node: name, url });
    if (!(await log.append(term))) return null;
    // A crash from here on leaves an entry of a node that says nothing: another one takes over after it.
    const onBeat = (): Promise<void> => this.#meet(log, { seal }, 'active', commits.url);
    const commits = new ActiveCommits({ log, seal, node: name, keyPath, onBeat }, term, url);
    try {
      await follower.applyAll();
      await follower.caughtUpWith(term);
    } catch (error) {
      await commits.leave();
      throw error;
    }
    return commits;
  }

  /** Waits, until it is stopped at the longest. */
  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #serve(commits: ActiveCommits): Promise<void> {
    const { publicUrl } = this.#settings;
    const left = Promise.withResolvers<string>();
    this.#leaving = () => left.resolve('it was stopped');
    if (this.#stop.signal.aborted) this.#leaving();
    const refusal = (): ServiceError => commits.refusal();
    const look = (): NodeState => this.#look('active', commits.url, commits.url);
    let service: Running | null = null;
    try {
      service = await this.#options
        .start(commits.around, { isStandby: false, hold: commits.hold, refusal, look, told: () => this.#told })
        .catch((error: unknown) => {
          if (!commits.isLost) throw error;
          return null;
        });
      if (service === null) return this.#tell('standby', '', null, await commits.lost);
      commits.url = publicUrl ?? service.url;
      if (!commits.isLost) this.#tell('active', service.url, service, '');
      const why = await Promise.race([left.promise, commits.lost]);
      if (commits.isLost) this.#tell('standby', service.url, null, why);
    } finally {
      this.#leaving = () => undefined;
      await service?.close().catch((error: unknown) => {
        // What it could not write any more is the next node's to write; without a loss it is an error as ever.
        if (!commits.isLost) throw error;
      });
      await commits.leave();
    }
  }

  /** Says that this node is there, now and then. */
  async #meet(log: CommitLog, { seal }: Pick<FolderKeys, 'seal'>, role: NodeState['role'], url: string): Promise<void> {
    if (performance.now() - this.#metAt < MEET_EVERY_MS) return;
    const about = { name: this.#options.name, role, url, at: MACHINE_CLOCK.now() };
    const { nodes, bytes, now } = await log.meet(seal.signOf(about));
    this.#metAt = performance.now();
    this.#bytes = bytes;
    const heard = nodes.flatMap(({ heardMs, ...sign }) => {
      const said = seal.aboutIn(sign);
      return said === null ? [] : [{ ...said, heard_ms: Math.round(heardMs) }];
    });
    this.#others = heard.map(({ at: _, ...other }) => other);
    const wall = Math.round(Math.max(now, ...heard.map(({ at, heard_ms }) => at + heard_ms)));
    this.#told = { wall, uptime: MACHINE_CLOCK.uptime() };
  }

  #look(role: NodeState['role'], url: string, active: string | null): NodeState {
    const since = (time: number): number => Math.round(performance.now() - time);
    const { name } = this.#options;
    const others = this.#others.map((other) => ({ ...other, heard_ms: other.heard_ms + since(this.#metAt) }));
    const nodes = [{ name, role, url, heard_ms: 0 }, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
    const lag = role === 'active' ? 0 : since(this.#upToDate);
    return { name, role, url, active, lag_ms: lag, takeovers: this.#takeovers, log_bytes: this.#bytes, nodes };
  }

  #tell(state: NodeRole, url: string, service: Running | null, why: string): void {
    this.#hasServed ||= service !== null;
    this.#options.onChange(state, { url, service, why });
  }
}
