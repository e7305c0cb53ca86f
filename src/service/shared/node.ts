import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../protocol/light.ts';
import { strayFiles } from '../evidence/exports/retention.ts';
import { listen } from '../http/listen.ts';
import { openLedgerKey } from '../ledger/keys/file-key-holder.ts';
import { activeServiceKid } from '../ledger/keys/service-keys.ts';
import { startSettings } from '../operator/run-time-settings.ts';
import { StartError } from '../store/base/service-error.ts';
import { prepareDataFolder } from '../store/data-folder.ts';
import { lockFolder } from '../store/lock.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import { type OpenStore, openStore } from '../store/open.ts';
import type { SettingOrigins } from '../store/settings/settings.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { AroundCommit } from '../store/writer.ts';
import { ActiveCommits } from './active-commits.ts';
import { type CommitLog, LogDoubt, type Place } from './commit-log.ts';
import { Follower } from './follower.ts';
import { type FolderKeys, keysOf, openLog } from './open-log.ts';
import { isShared } from './row-images.ts';

/** How long an active node may say nothing before a standby takes over, in milliseconds. By the reader's own steady clock. */
const SILENCE_MS = 2000;
/** How often a standby reads the log, and how long it waits after an engine that gave no clear answer. */
const READ_EVERY_MS = 100;
const RETRY_MS = 300;

export type NodeState = 'standby' | 'active' | 'stopped';

/** A service that runs while its node is active. */
interface ActiveService {
  readonly url: string;
  close(): Promise<void>;
}

export interface NodeOptions<Running extends ActiveService> {
  /** Where the log is. */
  readonly log: string;
  /** The name of this node: for people. */
  readonly name: string;
  /** The settings of both roles, as a start takes them. */
  readonly given: Partial<Settings>;
  readonly origins: SettingOrigins;
  readonly wrappingKey: Uint8Array | null;
  /** Starts the service on the same folder; it is closed when another node takes over. */
  readonly start: (aroundCommit: AroundCommit) => Promise<Running>;
  /** Learns each change of role, and of what is in the way. */
  readonly onChange: (
    state: NodeState,
    about: { readonly url: string; readonly service: Running | null; readonly why: string },
  ) => void;
}

/**
 * One node of a ledger that several keep. It begins as a standby: reads the log, makes what is kept, and answers requests
 * with the address of the active node. Once that one is silent, it takes over by an entry (R5): closes its standby and starts
 * the service on the same folder. A role is fixed for as long as one of the two runs.
 */
export class SharedNode<Running extends ActiveService> {
  readonly #options: NodeOptions<Running>;
  readonly #settings: Settings;
  readonly #stop = new AbortController();
  #leaving: () => void = () => undefined;

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
        const term = await this.#standBy(log, folder);
        if (term !== null) await this.#serve(log, folder, term);
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

  /** @returns the entry by which it took over; null where it was stopped */
  async #standBy(log: CommitLog, folder: FolderKeys): Promise<Place | null> {
    const { name } = this.#options;
    const settings = this.#settings;
    const lock = lockFolder(settings.dataDir);
    const closers: (() => void | Promise<void>)[] = [() => lock.release()];
    try {
      const store = openStore(join(settings.dataDir, 'ledger.sqlite'));
      closers.unshift(() => store.close());
      if (!isShared(store.sqlite)) {
        throw new StartError(
          'LEDGER_SHARED',
          'this ledger belongs to no shared log: countersign shared begin, or countersign join',
        );
      }
      const follower = new Follower({
        sqlite: store.sqlite,
        log,
        seal: folder.seal,
        keyPath: folder.keyPath,
        applied: async (_entry, { rows }, apply) => {
          apply();
          // What was erased is to be in no file: the ledger's own log has it until it is emptied.
          if (rows.some(({ table, key }) => table === 'operations' && key !== null)) {
            store.sqlite.pragma('wal_checkpoint(TRUNCATE)');
          }
          // Of an export that was deleted, since it holds what was erased, this node may have a file.
          const files = join(settings.dataDir, 'exports');
          if (rows.some(({ table, row }) => table === 'exports' && row === null) && existsSync(files)) {
            for (const file of strayFiles(store, files)) await rm(join(files, file), { force: true });
          }
        },
      });
      const server = await listen(
        settings,
        notActive(() => follower.active?.url ?? null),
      );
      closers.unshift(() => server.close(() => undefined));
      this.#tell('standby', server.url, null, '');
      return await this.#follow(log, folder, follower, store, { name, url: settings.publicUrl ?? server.url });
    } finally {
      for (const close of closers) await close();
    }
  }

  async #follow(
    log: CommitLog,
    folder: FolderKeys,
    follower: Follower,
    store: OpenStore,
    self: { readonly name: string; readonly url: string },
  ): Promise<Place | null> {
    let sign = '';
    let heard = performance.now();
    let told = '';
    const tell = (why: string): void => {
      if (why !== told) this.#tell('standby', self.url, null, why);
      told = why;
    };
    while (!this.#stop.signal.aborted) {
      try {
        const followed = await follower.step();
        tell('');
        if (followed.sign !== sign) {
          sign = followed.sign;
          heard = performance.now();
        }
        if (followed.left || performance.now() - heard > SILENCE_MS) {
          const term = await this.#takeOver(log, folder, follower, store, followed.newest, self);
          if (term !== null) return term;
        }
        await sleep(READ_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      } catch (error) {
        // Without the key that signs a node reads all the same: it may come with an entry, or somebody copies it.
        if (!(error instanceof LogDoubt) && !(error instanceof StartError)) throw error;
        tell(messageOf(error));
        // Whether the active node says something is not known meanwhile.
        heard = performance.now();
        await sleep(RETRY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
    return null;
  }

  /** @returns null where another node was faster. @throws StartError where this one has not the key that signs */
  async #takeOver(
    log: CommitLog,
    { seal, keyPath, protection }: FolderKeys,
    follower: Follower,
    { sqlite, db, statement, clock }: OpenStore,
    newest: Place,
    { name, url }: { readonly name: string; readonly url: string },
  ): Promise<Place | null> {
    openLedgerKey(keyPath, activeServiceKid({ sqlite, db, statement, clock }), protection);
    const place = { no: newest.no + 1, prev: newest.id, kept: follower.mark.no, schema: SCHEMA_VERSION };
    const term = seal.sealed({ ...place, kind: 'term' }, { rows: [], keyFile: null, node: name, url });
    if (!(await log.append(term))) return null;
    // A crash from here on leaves an entry of a node that says nothing: another one takes over after it.
    await follower.applyAll();
    await follower.caughtUpWith(term);
    return { no: term.no, id: term.id };
  }

  async #serve(log: CommitLog, { seal, keyPath }: FolderKeys, term: Place): Promise<void> {
    const { name, start } = this.#options;
    const settings = this.#settings;
    const lost = Promise.withResolvers<string>();
    this.#leaving = () => lost.resolve('it was stopped');
    if (this.#stop.signal.aborted) this.#leaving();
    const commits = new ActiveCommits(
      { log, seal, node: name, keyPath, onLost: (error) => lost.resolve(messageOf(error)) },
      term,
      settings.publicUrl ?? '',
    );
    let service: Running | null = null;
    try {
      service = await start(commits.around).catch((error: unknown) => {
        if (!commits.isLost) throw error;
        return null;
      });
      if (service === null) return this.#tell('standby', '', null, await lost.promise);
      commits.url = settings.publicUrl ?? service.url;
      if (!commits.isLost) this.#tell('active', service.url, service, '');
      const why = await lost.promise;
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

  #tell(state: NodeState, url: string, service: Running | null, why: string): void {
    this.#options.onChange(state, { url, service, why });
  }
}

/** What a standby answers: who to ask. */
function notActive(active: () => string | null): RequestListener {
  return (request, response) => {
    request.resume();
    const message = 'this node is a standby: send the request to the active node';
    const error = { code: 'NOT_ACTIVE', message, active: active(), request_id: randomUUID() };
    const body = JSON.stringify({ error });
    response.writeHead(503, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'Retry-After': '1',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(body);
  };
}
