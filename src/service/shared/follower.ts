import type Database from 'better-sqlite3';
import { writeDurablyNow } from '../../node/index.ts';
import { nextKeyPath } from '../ledger/keys/file-key-holder.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import {
  type CommitLog,
  type Content,
  type EntrySeal,
  isCut,
  type LogEntry,
  LogError,
  type Place,
  READ_BYTES,
} from './commit-log.ts';
import { markOf, RowImages } from './row-images.ts';

/** Entries that are read at once. */
const MOST = 64;

const NEWER = 'a newer version of Countersign wrote to the shared log: install it on this node too';
const ENDED = 'the shared log was ended: its ledger is continued by one machine alone';

/** Without the rows, which are not to be kept in memory. */
const aboutOf = ({ node, url }: Content): Pick<Content, 'node' | 'url'> => ({ node, url });

export interface FollowerOptions {
  readonly sqlite: Database.Database;
  readonly log: CommitLog;
  readonly seal: EntrySeal;
  readonly keyPath: string;
  /** Applies in the writer's turn, and tells whoever remembers something. */
  readonly applied: (entry: LogEntry, content: Content, apply: () => void) => Promise<void>;
}

/** What the newest reading of a log told. */
export interface Followed {
  /** The newest entry that is there, kept or not. */
  readonly newest: Place;
  /** Changes with everything that the active node says. */
  readonly sign: string;
  readonly left: boolean;
}

/** A standby's reading of the log: it makes the changes that are surely kept, in their order, and no others (R3). */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #images: RowImages;
  /** The newest entry that the ledger holds. */
  #mark: Place;
  /** What is there after it, and not known to be kept. */
  #pending: LogEntry[] = [];
  /** Who wrote the newest entry. */
  active: Pick<Content, 'node' | 'url'> | null = null;

  /** @throws Error where the ledger belongs to no log */
  constructor(options: FollowerOptions) {
    this.#options = options;
    const mark = markOf(options.sqlite);
    if (mark === null) throw new Error('the ledger belongs to no shared log');
    this.#mark = mark;
    this.#images = new RowImages(options.sqlite);
  }

  get mark(): Place {
    return this.#mark;
  }

  /**
   * Reads on, and makes what is kept.
   * @throws LogDoubt where the engine gives no clear answer; LogError where this node cannot go on
   */
  async step(): Promise<Followed> {
    const { log, seal } = this.#options;
    for (let scale = 1; ; ) {
      const mark = this.#mark;
      const [most, bytes] = [(MOST + 1) * scale, READ_BYTES * scale];
      const { entries, beat } = await log.read(mark, most, bytes);
      const [held] = entries;
      if (held !== undefined && this.active === null) this.active = aboutOf(seal.opened(held));
      this.#pending = entries.filter(({ no }) => no > this.#mark.no);
      for (const { schema } of this.#pending) if (schema > SCHEMA_VERSION) throw new LogError('LOG_NEWER', NEWER);
      const isBeatOurs = beat !== null && beat.proof === seal.proofOf(beat);
      const told = isBeatOurs && entries.some(({ no, id }) => no === beat.no && id === beat.id) ? beat.no : 0;
      const kept = Math.max(told, ...this.#pending.map((entry) => entry.kept));
      const newest = this.#pending.at(-1) ?? this.#mark;
      await this.#applyTo(kept);
      if (isCut(mark, entries, most, bytes)) {
        // What says that these are kept may come only later.
        scale = this.#mark === mark ? 2 * scale : 1;
        continue;
      }
      return {
        newest: { no: newest.no, id: newest.id },
        sign: `${newest.id} ${beat?.count ?? ''}`,
        left: isBeatOurs && beat.left && beat.id === newest.id,
      };
    }
  }

  /** Makes everything that was read: a later entry of this node's own, which is kept, shows that all of it is (R5). */
  async applyAll(): Promise<void> {
    await this.#applyTo(Number.POSITIVE_INFINITY);
  }

  /** Goes to an entry of this node's own, which changes nothing. */
  async caughtUpWith(own: LogEntry): Promise<void> {
    this.#pending = [own];
    await this.applyAll();
  }

  async #applyTo(kept: number): Promise<void> {
    const { seal, keyPath, applied } = this.#options;
    for (let entry = this.#pending[0]; entry !== undefined && entry.no <= kept; entry = this.#pending[0]) {
      const content = seal.opened(entry);
      if (entry.kind === 'end') throw new LogError('LOG_ENDED', ENDED);
      this.active = aboutOf(content);
      const place = { no: entry.no, id: entry.id };
      await applied(entry, content, () => {
        // Before the ledger says that this key counts. A crash in between leaves a file that the next reading writes again.
        if (content.keyFile !== null) writeDurablyNow(nextKeyPath(keyPath), content.keyFile);
        this.#images.apply(place, content);
      });
      this.#mark = place;
      this.#pending.shift();
    }
  }
}
