import type { Spool } from '../spool/spool.ts';
import { asSpoolFull, commitGroup, type Kept, type Step, type Work } from './commit.ts';
import type { InstalledAgent } from './installed-agent.ts';

/** Something to be kept, in its place among what came for the same agent. */
interface Arrival<Prepared> {
  readonly agent: InstalledAgent<Prepared>;
  /** Null while it is being prepared. */
  steps: readonly Step<Prepared>[] | null;
  readonly settle: (kept: Kept) => void;
}

/** How many are kept in one transaction at most. */
const MOST_AT_ONCE = 256;

/**
 * Keeps what comes in: each agent's in the order in which it came, however long its preparation takes, and what came while the disk
 * was busy all at once.
 */
export class Arrivals<Prepared> {
  readonly #spool: Spool;
  #queue: Arrival<Prepared>[] = [];
  /** Groups that are committed, and that the disk has not confirmed. */
  #unflushed = 0;
  #isPlanned = false;
  #isClosed = false;
  /** Kept once it is closed and nothing is left to do. */
  readonly #done = Promise.withResolvers<void>();

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /**
   * @param first whether it goes before all that came for the agent
   * @returns what became of it; never rejected
   */
  keep(agent: InstalledAgent<Prepared>, steps: Promise<readonly Step<Prepared>[]>, first = false): Promise<Kept> {
    if (this.#isClosed) return Promise.resolve({ ok: false, error: new Error('the recorder is being closed') });
    return new Promise((settle) => {
      const arrival: Arrival<Prepared> = { agent, steps: null, settle };
      if (first) this.#queue.unshift(arrival);
      else this.#queue.push(arrival);
      steps.then(
        (prepared) => {
          arrival.steps = prepared;
          this.#plan();
        },
        (error: unknown) => {
          this.#queue = this.#queue.filter((other) => other !== arrival);
          settle({ ok: false, error });
          this.#plan();
          this.#look();
        },
      );
    });
  }

  /** Everything that came is kept, or has failed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#look();
    await this.#done.promise;
  }

  /** To be called wherever the last of what came may be gone. */
  #look(): void {
    if (this.#isClosed && this.#queue.length === 0 && this.#unflushed === 0) this.#done.resolve();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // Everything that has arrived by then shares the commit.
    setImmediate(() => {
      this.#isPlanned = false;
      this.#commit();
    });
  }

  #commit(): void {
    const held = new Set<InstalledAgent<Prepared>>();
    const group: (Work<Prepared> & Pick<Arrival<Prepared>, 'settle'>)[] = [];
    this.#queue = this.#queue.filter((arrival) => {
      const { agent, steps, settle } = arrival;
      if (steps === null || group.length >= MOST_AT_ONCE) held.add(agent);
      if (steps === null || held.has(agent)) return true;
      group.push({ agent, steps, settle });
      return false;
    });
    if (group.length === 0) return;
    const kept = commitGroup(this.#spool, group, Date.now());
    void this.#settle(group, kept);
    if (this.#queue.some(({ steps }) => steps !== null)) this.#plan();
  }

  /** Nobody is told that something is kept before it is on disk. */
  async #settle(group: readonly Pick<Arrival<Prepared>, 'settle'>[], kept: readonly Kept[]): Promise<void> {
    this.#unflushed++;
    const failure = await this.#spool.flushed().then(
      () => null,
      (error: unknown): Kept => ({ ok: false, error: asSpoolFull(error) }),
    );
    this.#unflushed--;
    for (const [index, { settle }] of group.entries()) {
      const result = failure ?? kept[index];
      if (result !== undefined) settle(result);
    }
    this.#look();
  }
}
