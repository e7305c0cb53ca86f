import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestStopped, RequestThread, workerUrl } from '../../../node/index.ts';
import { contentPaths } from './catalog.ts';
import type { ContentJob, ContentReply, ContentWorkerData } from './content-worker.ts';
import type { Step } from './shelf-writer.ts';

/** Left to itself, V8 lets the garbage of a thread pile up. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 512 };

/** How long new records wait before the index takes them in, unless a question comes first. */
const DELAY_MS = 500;
/** As long as more records than these come in during a step, the next one waits for this multiple of the time that the step took. */
const CALM = 500;
const RESTS = 9;
/** After a failure, a full disk say, the index is tried again so much later. */
const RETRY_MS = 5000;
/** How long a question waits for the index to come after. */
const PATIENCE_MS = 10_000;

export interface ContentIndexOptions extends ContentWorkerData {
  /** Gets errors of work in the background, which has no caller. */
  readonly onError: (error: unknown) => void;
}

/**
 * The index of what is in the ledger's records (docs/content-index.md): kept up on a thread, which gives way while records are
 * submitted, and made again where it is missing or damaged. Whoever reads it has separate file handles (ContentView).
 */
export class ContentIndex {
  readonly #thread: RequestThread<ContentJob, ContentReply>;
  readonly #onError: (error: unknown) => void;
  readonly #folder: string;
  readonly #behind = new Set<string>();
  readonly #stop = new AbortController();
  #submitted = 0;
  /** By performance.now; null while nothing is behind. */
  #behindSince: number | null = null;
  #opened: Promise<unknown> | null = null;
  #upkeep: Promise<void> | null = null;

  constructor({ onError, ...workerData }: ContentIndexOptions) {
    const url = workerUrl(import.meta.url, 'content-worker');
    this.#thread = new RequestThread({ url, workerData, resourceLimits: LIMITS });
    this.#onError = onError;
    this.#folder = workerData.folder;
  }

  /**
   * Begins to take in what is not indexed yet. Where there is neither a record nor an index, that waits for the first record: most of
   * a thread's memory is its code.
   */
  start({ hasRecords }: { readonly hasRecords: boolean }): void {
    if (!hasRecords && !existsSync(contentPaths(this.#folder).catalog)) return;
    this.#inBackground(async () => {
      const found = await this.#thread.ask({ kind: 'behind' });
      if ('behind' in found) for (const orgId of found.behind) this.#behind.add(orgId);
    });
  }

  /** Has the files made that a reader opens, where there were none. */
  async opened(): Promise<void> {
    this.#opened ??= this.#thread.ask({ kind: 'behind' });
    await this.#opened.catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
  }

  /** How long there has been something to take in, in milliseconds. */
  get behindMs(): number {
    return this.#behindSince === null ? 0 : performance.now() - this.#behindSince;
  }

  /** Tells of records that were committed, of these organizations. */
  committed(orgIds: readonly string[]): void {
    this.#submitted += orgIds.length;
    for (const orgId of orgIds) this.#behind.add(orgId);
    this.#inBackground(() => this.#rest(DELAY_MS));
  }

  #inBackground(begin: () => Promise<void>): void {
    if (this.#behind.size > 0) this.#behindSince ??= performance.now();
    if (this.#upkeep !== null || this.#stop.signal.aborted) return;
    this.#upkeep = begin()
      .then(() => this.#catchUpAll())
      .catch(async (error: unknown) => {
        if (this.#stop.signal.aborted) return;
        this.#onError(error);
        await this.#rest(RETRY_MS);
      })
      .finally(() => {
        this.#upkeep = null;
        if (this.#behind.size === 0) this.#behindSince = null;
        if (this.#behind.size > 0) this.#inBackground(() => this.#rest(DELAY_MS));
      });
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined);
  }

  async #catchUpAll(): Promise<void> {
    if (this.#behind.size > 0) this.#behindSince ??= performance.now();
    while (this.#behind.size > 0 && !this.#stop.signal.aborted) {
      for (const orgId of [...this.#behind]) {
        if (this.#stop.signal.aborted) return;
        const began = performance.now();
        const before = this.#submitted;
        this.#behind.delete(orgId);
        await this.#step(orgId);
        if (this.#submitted - before > CALM) await this.#rest(RESTS * (performance.now() - began));
      }
    }
  }

  async #step(orgId: string, kind: 'step' | 'clear' = 'step'): Promise<Step> {
    try {
      const reply = (await this.#thread.ask({ kind, orgId })) as Step;
      if (reply.more) this.#behind.add(orgId);
      return reply;
    } catch (error) {
      this.#behind.add(orgId);
      // What it holds in memory is not to be relied on after a failure.
      await this.#thread.end();
      throw error;
    }
  }

  /**
   * Has the index come after with an organization's records before a question, for as long as one may wait.
   * @throws RequestStopped once nobody waits for the answer
   */
  async catchUp(orgId: string, signal?: AbortSignal): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    const patience = new AbortController();
    const isAwaited = (): boolean => signal?.aborted !== true && performance.now() < deadline;
    const steps = async (): Promise<void> => {
      for (let waits = true; waits && isAwaited(); ) {
        const { more, isNear } = await this.#step(orgId);
        waits = more && isNear;
      }
    };
    const done = steps();
    // Whoever stops waiting leaves the rest to the upkeep; what fails then is told there.
    done.catch(() => undefined);
    const signals = signal === undefined ? [patience.signal] : [patience.signal, signal];
    const waited = sleep(PATIENCE_MS, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
    await Promise.race([done, waited]).finally(() => patience.abort());
    if (signal?.aborted === true) throw new RequestStopped();
    if (this.#behind.size > 0) this.#inBackground(() => this.#rest(0));
  }

  /** Takes out what was erased: afterwards no file of the index has it. Those who read let go of the files by themselves. */
  async erased(orgId: string): Promise<void> {
    await this.#step(orgId);
  }

  /** Begins to make the index of an organization again, which turned out to be damaged. */
  async rebuild(orgId: string): Promise<void> {
    this.#onError(new Error('the content index is damaged: it is made again'));
    await this.#step(orgId, 'clear');
    if (this.#behind.size > 0) this.#inBackground(() => this.#rest(0));
  }

  /** Waits for the step that runs. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#upkeep;
    await this.#thread.end();
  }
}
