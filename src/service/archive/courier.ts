import { RequestStopped, runJobThread, workerUrl } from '../../node/index.ts';
import type { Jobs, JobsOfKind } from '../jobs/jobs.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { CourierRefusal, CourierTask } from './courier-worker.ts';
import type { ShippedLedger } from './ship.ts';

export interface CourierContext {
  readonly settings: Settings;
  readonly jobs: Jobs;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** The key that the service's secrets are sealed with, where whoever started it has it. */
  readonly wrappingKey: Uint8Array | null;
  readonly random?: () => number;
}

/** What is known of what was shipped: nothing but what this service saw since its start, since the archive itself says what it has. */
export interface CourierState {
  readonly isSet: boolean;
  /** What the newest shipping left; null where none has ended well since the start. */
  readonly ledgers: readonly ShippedLedger[] | null;
  readonly shippedAt: number | null;
  /** Why the newest one failed, and since when none has succeeded. */
  readonly failure: { readonly code: string; readonly since: number } | null;
}

/** How often an archive is looked at that has everything, in milliseconds. */
const EVERY_MS = 10 * 60_000;
/** Where an archive is to have what is sealed within the hour. */
const HOUR_MS = 3_600_000;
/** After a failure: the first wait, and the longest. */
const FIRST_WAIT_MS = 15_000;
const MOST_WAIT_MS = HOUR_MS;
/** Another process ships from this data folder. */
const BUSY_MS = 60_000;

const KEY = 'archive';

/** The archive refused, or cannot be reached; its message is for the log. */
class CourierFailed extends Error {
  override readonly name = 'CourierFailed';
  readonly code: string;

  constructor({ code, message }: CourierRefusal) {
    super(message);
    this.code = code;
  }
}

/** Ships what the ledger has sealed to the archive of the settings, by itself: as `countersign archive ship` does, on a thread. */
export class Courier {
  readonly #context: CourierContext;
  readonly #jobs: JobsOfKind<null, readonly ShippedLedger[], never>;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #failures = 0;
  #newestAt = Number.NEGATIVE_INFINITY;
  #state: Omit<CourierState, 'isSet'> = { ledgers: null, shippedAt: null, failure: null };

  constructor(context: CourierContext) {
    this.#context = context;
    this.#jobs = context.jobs.of<null, readonly ShippedLedger[]>({
      lane: 'archive',
      ownerOf: () => KEY,
      keyOf: () => KEY,
      run: (_, { signal }) => this.#ship(signal),
      // Told by health and, once, by the log.
      foreseen: (error) => (error instanceof CourierFailed ? error.message : undefined),
    });
  }

  start(): void {
    this.look();
  }

  /** Ships now, where an archive is set; also after the settings have changed. */
  look(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#isClosed || this.#context.settings.archiveTo === null || this.#jobs.find(KEY) !== undefined) return;
    void this.#jobs.start(null).catch(this.#context.onError);
  }

  async #ship(signal: AbortSignal): Promise<readonly ShippedLedger[]> {
    const { settings, now, wrappingKey } = this.#context;
    const { archiveTo, archiveEndpoint: endpoint, archiveEvery, dataDir, keyPassphraseFile } = settings;
    const begun = now();
    const withNewest = archiveEvery === 'hour' && begun - this.#newestAt >= HOUR_MS;
    const task = { dataDir, wrappingKey, passphraseFile: keyPassphraseFile, withNewest };
    let wait = EVERY_MS;
    try {
      const ledgers = await runJobThread<CourierTask, readonly ShippedLedger[], never, CourierRefusal>(
        { ...task, at: archiveTo ?? '', s3: { endpoint } },
        {
          url: workerUrl(import.meta.url, 'courier-worker'),
          refused: (refusal) => new CourierFailed(refusal),
          signal,
        },
      );
      if (withNewest) this.#newestAt = begun;
      this.#failures = 0;
      this.#state = { ledgers, shippedAt: now(), failure: null };
      return ledgers;
    } catch (error) {
      if (error instanceof RequestStopped) throw error;
      const code = error instanceof CourierFailed ? error.code : 'SHIPPING_FAILED';
      if (code === 'SHIPPING_ALREADY') wait = BUSY_MS;
      else {
        const { random = Math.random } = this.#context;
        const longest = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
        // Many hosts whose archive comes back do not all come at once.
        wait = longest / 2 + (random() * longest) / 2;
        // Whoever reads the log is told once of each kind of failure.
        if (error instanceof CourierFailed && this.#state.failure?.code !== code) this.#context.onError(error);
        this.#state = { ...this.#state, failure: { code, since: this.#state.failure?.since ?? begun } };
      }
      throw error;
    } finally {
      this.#sleep(wait);
    }
  }

  #sleep(wait: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.look(), wait);
    this.#timer.unref();
  }

  get state(): CourierState {
    return { isSet: this.#context.settings.archiveTo !== null, ...this.#state };
  }

  /** From now on nothing is begun; what runs ends with the jobs. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
