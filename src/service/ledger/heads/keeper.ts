import { canonicalize } from '../../../protocol/index.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { writeHeadsFile } from './heads-file.ts';
import { LedgerHeads, type OrgHeads } from './ledger-heads.ts';

export interface HeadsKeeperOptions extends WriteAccess {
  readonly key: KeyHolder;
  /** The heads file. */
  readonly path: string;
  readonly onError: (error: unknown) => void;
  /** How long it waits between two looks. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 5000;

/** Reading the heads of very many organizations holds everything else up: it then comes so much more seldom. */
const MAX_SHARE = 1 / 50;

/**
 * Keeps the heads of the ledger in a file beside it, so that the next start sees if the ledger was set back. It follows
 * the ledger at some seconds' distance and is never waited for by a submission.
 *
 * Only what is committed and on disk is written: the next task of the writer comes after that. So whenever a crash comes, the file is
 * at most behind the ledger, never ahead.
 */
export class HeadsKeeper {
  readonly #options: HeadsKeeperOptions;
  readonly #heads: LedgerHeads;
  #state = '';
  #written = '';
  #readingMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: HeadsKeeperOptions) {
    this.#options = options;
    this.#heads = new LedgerHeads(options.store);
  }

  /** Writes the heads as they are now, and from now on whenever the ledger has changed. */
  async start(): Promise<void> {
    await this.#look();
  }

  /** A clean stop: the heads as the ledger is left. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
    await this.#write();
  }

  #look(): Promise<void> {
    this.#running = this.#write().catch(this.#options.onError);
    return this.#running.then(() => {
      if (this.#closed) return;
      const pause = Math.max(this.#options.intervalMs ?? INTERVAL_MS, this.#readingMs / MAX_SHARE);
      this.#timer = setTimeout(() => void this.#look(), pause);
      this.#timer.unref();
    });
  }

  async #write(): Promise<void> {
    const { writer, key, path, now } = this.#options;
    const state = this.#changes();
    if (state === this.#state) return;
    // Between two tasks of the writer nothing is half done.
    const heads = await writer.append(async () => {
      const read = this.#read();
      await writer.flushFile();
      return read;
    });
    const text = canonicalize(heads);
    // What changed may have been a session or a delivery.
    if (text !== this.#written) await writeHeadsFile(path, heads, key, now());
    this.#written = text;
    this.#state = state;
  }

  #read(): OrgHeads[] {
    const begun = performance.now();
    const heads = this.#heads.all();
    this.#readingMs = performance.now() - begun;
    return heads;
  }

  /** Differs as soon as this connection or another one has changed anything. */
  #changes(): string {
    const { sqlite } = this.#options.store;
    const own = sqlite.prepare('SELECT total_changes()').pluck().get() as number;
    return `${own} ${sqlite.pragma('data_version', { simple: true })}`;
  }
}
