import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { Serial } from '../../node/index.ts';
import { messageOf } from '../../protocol/light.ts';
import { nextKeyPath } from '../ledger/keys/file-key-holder.ts';
import { notActive, ServiceError } from '../store/base/service-error.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { AroundCommit, HoldCommit, RowImage } from '../store/writer.ts';
import { type CommitLog, type EntrySeal, LogError, type Place } from './commit-log.ts';
import { RowImages, setMark } from './row-images.ts';

/** How often an active node says that it is there, in milliseconds. */
const BEAT_MS = 1000;
/** How soon after a commit: only then does a standby know that the commit is kept, and shows it. */
const SOON_MS = 100;
const CUT_EVERY_MS = 60 * 1000;

export interface ActiveOptions {
  readonly log: CommitLog;
  readonly seal: EntrySeal;
  readonly node: string;
  readonly keyPath: string;
  /** Runs after each sign of life, in the turn of what goes to the log. */
  readonly onBeat?: () => Promise<void>;
}

/**
 * The commits of the active node: each is tried and undone, or held open, its rows are kept by the log, and only then made. So the ledger
 * never holds what the log may not have, and whoever reads it, or gets a receipt from it, sees nothing that a takeover
 * could lose. Anything but a clear answer ends this for good (fail-stop).
 */
export class ActiveCommits {
  readonly #options: ActiveOptions;
  /** The newest entry, which is this node's and kept. */
  #last: Place;
  #lost: unknown = null;
  readonly #whenLost = Promise.withResolvers<string>();
  #images: { readonly of: Database.Database; readonly rows: RowImages } | null = null;
  #beat: NodeJS.Timeout | null = null;
  readonly #cut: NodeJS.Timeout;
  /** Where it can be reached; for the nodes that read its entries. */
  url: string;
  /** What goes to the log goes there one after the other: a beat names the newest entry. */
  readonly #turns = new Serial();

  /** @param last the entry by which this node took over */
  constructor(options: ActiveOptions, last: Place, url: string) {
    this.#options = options;
    this.#last = last;
    this.url = url;
    this.#beatIn(0);
    this.#cut = setInterval(() => void this.#inTurn(() => this.#options.log.cut(this.#last.no)), CUT_EVERY_MS);
    this.#cut.unref();
  }

  get last(): Place {
    return this.#last;
  }

  /** Kept with the reason once the node may not go on: it has to close its service, and begin again as a standby. */
  get lost(): Promise<string> {
    return this.#whenLost.promise;
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** To be put around each commit of the service's writer. */
  readonly around: AroundCommit = async (sqlite, commit) => {
    this.#needActive();
    const images = this.#imagesOf(sqlite);
    const { result, rows } = images.tried(commit);
    if (rows.length === 0) return result;
    await this.append(rows);
    this.#make(() => images.apply(this.#last, { rows }));
    return result;
  };

  /** For a change that says itself which rows it makes: it is made once, and committed with the mark once the log has the rows. */
  readonly hold: HoldCommit = async (sqlite, change) => {
    this.#needActive();
    const rows: RowImage[] = [];
    sqlite.exec('BEGIN IMMEDIATE');
    try {
      const result = change((row) => rows.push(row));
      await this.append(rows);
      this.#make(() => {
        // By itself the mark would say that the ledger has what it has not.
        if (!sqlite.inTransaction) throw new Error('the transaction of a change ended before it was kept');
        setMark(sqlite, this.#last);
        sqlite.exec('COMMIT');
      });
      return result;
    } finally {
      if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
    }
  };

  /** Has the ledger hold what the log has. */
  #make(make: () => void): void {
    try {
      make();
    } catch (error) {
      // On a full disk, say. The ledger lacks what the log has: nothing may be built on it until the entry is read again.
      throw this.#lose(error);
    }
    this.#beatIn(SOON_MS);
  }

  /** @throws ServiceError NOT_ACTIVE; PAYLOAD_TOO_LARGE where the change is larger than an entry may be, and nothing is changed */
  async append(rows: readonly RowImage[], kind: 'changes' | 'end' = 'changes'): Promise<void> {
    const { log, seal, node, keyPath } = this.#options;
    const isRotation = rows.some(({ table, key }) => table === 'service_keys' && key === null);
    const keyFile = isRotation ? readFileSync(nextKeyPath(keyPath)) : null;
    const { no, id: prev } = this.#last;
    const place = { no: no + 1, prev, kept: no, schema: SCHEMA_VERSION, kind };
    const entry = (() => {
      try {
        return seal.sealed(place, { rows, keyFile, node, url: this.url });
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
        throw new ServiceError('PAYLOAD_TOO_LARGE', error.message);
      }
    })();
    await this.#turns.run(async () => {
      this.#needActive();
      let taken: boolean;
      try {
        taken = await log.append(entry);
      } catch (error) {
        throw this.#lose(error);
      }
      if (!taken) throw this.#lose(new Error('another node has taken over'));
      // A crash before the change is made here loses nothing: this node reads the entry, as every other one does.
      this.#last = { no: entry.no, id: entry.id };
    });
  }

  /** Leaves: no commit after it, and the others need not wait until it has been silent. */
  async leave(): Promise<void> {
    this.#stop();
    await this.#turns.run(async () => {
      if (this.#lost !== null) return;
      this.#lost = new Error('the node has left');
      try {
        await this.#sayBeat(true);
      } catch {
        // Then the others take over once it was silent for long enough.
      }
    });
  }

  #needActive(): void {
    if (this.#lost === null) return;
    throw this.refusal();
  }

  #lose(error: unknown): ServiceError {
    if (this.#lost === null) {
      this.#lost = error;
      this.#stop();
      this.#whenLost.resolve(messageOf(error));
    }
    return this.refusal();
  }

  /** What is answered once it is lost. */
  refusal(): ServiceError {
    return notActive(`this node is not the active one any more: ${messageOf(this.#lost)}`, null);
  }

  #imagesOf(sqlite: Database.Database): RowImages {
    if (this.#images?.of !== sqlite) this.#images = { of: sqlite, rows: new RowImages(sqlite) };
    return this.#images.rows;
  }

  #beatIn(milliseconds: number): void {
    if (this.#lost !== null) return;
    clearTimeout(this.#beat ?? undefined);
    this.#beat = setTimeout(() => void this.#inTurn(() => this.#beatNow()), milliseconds);
  }

  async #beatNow(): Promise<void> {
    if (!(await this.#sayBeat(false))) throw new Error('another node has taken over');
    await this.#options.onBeat?.();
    this.#beatIn(BEAT_MS);
  }

  /** Runs in the turn of what goes to the log; nothing does once this is lost, which it is where that fails. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#lost === null) await work().catch((error: unknown) => this.#lose(error));
    });
  }

  #sayBeat(left: boolean): Promise<boolean> {
    const { log, seal } = this.#options;
    const { no, id } = this.#last;
    return log.beat({ no, id, count: randomUUID(), proof: seal.proofOf({ no, id }), left });
  }

  #stop(): void {
    clearTimeout(this.#beat ?? undefined);
    clearInterval(this.#cut);
  }
}
