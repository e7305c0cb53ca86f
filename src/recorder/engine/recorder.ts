import { randomUUID } from 'node:crypto';
import { setImmediate as afterOthers } from 'node:timers/promises';
import { type FileLock, lockFile } from '../../node/index.ts';
import { codeOf } from '../../protocol/light.ts';
import type { RecorderHome } from '../base/home.ts';
import { prepareOwnFolder } from '../base/own-files.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { Verdict } from '../seen/feed.ts';
import { gapOf } from '../seen/gap.ts';
import type { Seen } from '../seen/seen.ts';
import { Spool, type SpoolOptions } from '../spool/spool.ts';
import { BEGINNING } from '../spool/waiting.ts';
import { AgentBook } from './agent-book.ts';
import { Arrivals } from './arrivals.ts';
import type { Kept, Step } from './commit.ts';
import type { InstalledAgent } from './installed-agent.ts';
import { type LostPlace, LostPlaces } from './lost-places.ts';
import type { Pipeline } from './pipeline.ts';
import type { Stopped } from './sender.ts';

interface AgentStatus {
  readonly feed: string;
  readonly agent_id: string;
  readonly org_id: string;
  /** How many signed records wait for the service. */
  readonly waiting: number;
  /** When the oldest of them was signed (RFC 3339); null where none waits. */
  readonly oldest: string | null;
  /** When the service received the newest record that there is a receipt for (RFC 3339). */
  readonly last_receipt_at: string | null;
  /** Chain hash of the newest record. */
  readonly head: string | null;
  /** Why its records are not sent; null while they are. */
  readonly stopped: Stopped | null;
  /** How many events were lost that no record tells of yet. */
  readonly lost: number;
  /** What was lost in the last seven days, by session and tool. */
  readonly losses: readonly LostPlace[];
}

interface RecorderStatus {
  readonly waiting: number;
  readonly spool: { readonly bytes: number; readonly max_bytes: number };
  readonly agents: readonly AgentStatus[];
  /** What is wrong with the files of agents that cannot be used. */
  readonly problems: readonly string[];
}

/** What is kept here, and what has become of it. */
function statusOf<Prepared>(
  spool: Spool,
  installed: readonly InstalledAgent<Prepared>[],
  problems: readonly string[],
  placesOf: (agent: number) => LostPlaces,
): RecorderStatus {
  const senders = new Map(installed.map(({ id, sender }) => [id, sender]));
  const agents = spool.chains.all().map(({ id, feed, agent_id, org_id, last_receipt_at, head }): AgentStatus => {
    const { waiting, oldest } = spool.waiting.count(id);
    const sender = senders.get(id);
    const uninstalled = { code: 'NOT_INSTALLED', message: 'no agent file has its key', since: oldest ?? '' };
    const stopped = sender === undefined && waiting > 0 ? uninstalled : (sender?.stopped ?? null);
    const lost = spool.losses.of(id)?.count ?? 0;
    const losses = placesOf(id).all();
    return { feed, agent_id, org_id, waiting, oldest, last_receipt_at, head, stopped, lost, losses };
  });
  const waiting = agents.reduce((sum, agent) => sum + agent.waiting, 0);
  return { waiting, spool: { bytes: spool.usedBytes, max_bytes: spool.maxBytes }, agents, problems };
}

/**
 * Makes the recorder's folder where there is none, and holds it for this process: two recorders on one spool would sign two records
 * for the same place of a chain.
 * @throws RecordError RECORDER_RUNNING, FOLDER_UNUSABLE
 */
function lockRecorder(home: RecorderHome): FileLock {
  prepareOwnFolder(home.folder);
  let lock: FileLock | null;
  try {
    lock = lockFile(home.lock);
  } catch (error) {
    throw new RecordError('FOLDER_UNUSABLE', `the folder ${home.folder} cannot be written`, { cause: error });
  }
  if (lock === null) throw new RecordError('RECORDER_RUNNING', `another recorder uses the folder ${home.folder}`);
  return lock;
}

export interface RecorderOptions<Prepared> extends SpoolOptions {
  readonly home: RecorderHome;
  readonly pipeline: Pipeline<Prepared>;
}

/** How long a call waits for its receipt, in milliseconds: a hook gives up after three seconds. */
const RECEIPT_MS = 2500;
/** How often what nobody ends is looked for, in milliseconds. */
const TICK_MS = 10_000;
/** How many records are looked through at a time, and about how many characters of them. */
const LOOKED_AT = { records: 100, characters: 1_000_000 } as const;

/** Signs what witnesses saw, keeps it, and sends it to the service. One for each user's folder. */
export class Recorder<Prepared> {
  readonly #pipeline: Pipeline<Prepared>;
  readonly #lock: FileLock;
  readonly #spool: Spool;
  readonly #book: AgentBook<Prepared>;
  readonly #arrivals: Arrivals<Prepared>;
  readonly #ticking: NodeJS.Timeout;
  #closing: Promise<void> | null = null;
  /** Agents for which the record of a loss is on its way. */
  readonly #telling = new Set<InstalledAgent<Prepared>>();
  /** By the numbers of agents in the spool. */
  readonly #places = new Map<number, LostPlaces>();

  /**
   * Locks the folder, and sends the records that wait there.
   * @throws RecordError RECORDER_RUNNING, FOLDER_UNUSABLE
   */
  constructor({ home, pipeline, ...spool }: RecorderOptions<Prepared>) {
    this.#pipeline = pipeline;
    this.#lock = lockRecorder(home);
    try {
      this.#spool = new Spool(home.spool, spool);
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    this.#book = new AgentBook(home, this.#spool, pipeline);
    this.#arrivals = new Arrivals(this.#spool);
    this.#book.load();
    this.#ticking = setInterval(() => this.#tick(), TICK_MS);
    this.#ticking.unref();
  }

  /**
   * Keeps what a witness saw: see Take.
   * @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE, NOT_INSTALLED, FOLDER_UNUSABLE
   */
  async take(feed: FeedId, seen: readonly Seen[]): Promise<Verdict> {
    const agent = this.#book.of(feed);
    this.#tellOfLoss(agent);
    const kept = await this.#arrivals.keep(agent, this.#prepare(agent, seen));
    if (!kept.ok) return this.#lose(agent, seen, kept.error);
    if (kept.drafts.length > 0 && seen.some(({ kind }) => kind === 'gap')) {
      this.#placesOf(agent.id).gaps(seen);
      this.#keepPlaces(agent);
    }
    agent.sender.wake();
    const refusal = agent.file.threshold === 'countersigned' ? await this.#awaitReceipt(agent, kept) : null;
    return { allowed: refusal === null, reason: refusal, operation_ids: kept.operationIds };
  }

  /**
   * Whether an event was taken, as far as is remembered: whoever handed it in may not have waited for the answer.
   * @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE
   */
  isTaken(feed: FeedId, eventId: string): boolean {
    return this.#spool.taken.find(this.#book.of(feed).id, eventId) !== null;
  }

  /**
   * How many records of a session wait for the service: others may, for as long as an agent works.
   * @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE
   */
  async waitingOf(feed: FeedId, session: string): Promise<number> {
    const { id } = this.#book.of(feed);
    let waiting = 0;
    for (let after = 0; ; ) {
      const { count, last } = this.#spool.waiting.countOfSession(id, session, after, LOOKED_AT);
      if (last === null) return waiting;
      waiting += count;
      after = last;
      // A day's records may wait, and hooks do not wait for those to be read.
      await afterOthers();
    }
  }

  /** Of what is installed by now: whoever installs asks before there was an event. */
  status(): RecorderStatus {
    const problems = this.#book.load().map(({ message }) => message);
    return statusOf(this.#spool, this.#book.all, problems, (id) => this.#placesOf(id));
  }

  /** Keeps the events that arrived, and releases the folder. The next recorder sends the records that wait. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#ticking);
    await this.#arrivals.close();
    await this.#book.close();
    await this.#spool.close();
    this.#lock.release();
  }

  async #prepare(agent: InstalledAgent<Prepared>, seen: readonly Seen[]): Promise<Step<Prepared>[]> {
    const prepared = await this.#pipeline.prepare(seen, agent.file);
    return prepared.map((event, index) => ({
      eventId: seen[index]?.event_id ?? null,
      join: (joining) => joining.take(event, Date.now()),
    }));
  }

  /** @returns why the agent may not go on; null where it may */
  async #awaitReceipt(agent: InstalledAgent<Prepared>, kept: Kept & { ok: true }): Promise<string | null> {
    const calls = agent.file.require_receipt_for === 'all' ? BEGINNING.read : BEGINNING.change;
    const seq = this.#spool.waiting.lastBeginning(agent.id, kept.operationIds, calls);
    if (seq === null) return null;
    const why = await agent.sender.receiptFor(seq, RECEIPT_MS);
    if (why === null) return null;
    const actions = kept.drafts.map(({ payload }) => payload['action_id']).filter((id) => typeof id === 'string');
    const steps = [...new Set(actions)].map(
      (id): Step<Prepared> => ({ eventId: null, join: (joining) => joining.block(id, why, Date.now()) }),
    );
    const blocked = await this.#arrivals.keep(agent, Promise.resolve(steps));
    if (!blocked.ok) this.#countLoss(agent, steps.length, blocked.error);
    return `Countersign stopped this call: no receipt was given for its record (${why})`;
  }

  /**
   * What could not be kept is counted, and a record tells of it as soon as one can be kept.
   * @throws the error itself where the event is to blame
   */
  async #lose(agent: InstalledAgent<Prepared>, seen: readonly Seen[], error: unknown): Promise<Verdict> {
    const isFull = error instanceof RecordError && error.code === 'SPOOL_FULL';
    this.#countLoss(agent, seen.length, error);
    this.#placesOf(agent.id).lost(seen, new Date().toISOString(), codeOf(error) ?? 'INTERNAL_ERROR');
    this.#keepPlaces(agent);
    await this.#spool.flushed();
    if (!isFull) throw error;
    const isAllowed = agent.file.on_failure === 'allow';
    const reason = `Countersign stopped this call: it could not be recorded (${error.message})`;
    return { allowed: isAllowed, reason: isAllowed ? null : reason, operation_ids: [] };
  }

  #placesOf(agent: number): LostPlaces {
    const known = this.#places.get(agent) ?? new LostPlaces(this.#spool, agent);
    this.#places.set(agent, known);
    return known;
  }

  /** What cannot be written now is tried again by the next look. */
  #keepPlaces(agent: InstalledAgent<Prepared>): void {
    try {
      this.#placesOf(agent.id).keep(Date.now());
    } catch (error) {
      if (codeOf(error) === null) throw error;
      agent.forgetJoining();
    }
  }

  #countLoss({ id }: InstalledAgent<Prepared>, count: number, error: unknown): void {
    const reason = codeOf(error) ?? 'INTERNAL_ERROR';
    this.#spool.losses.add(id, count, new Date().toISOString(), reason);
  }

  /** Has the loss recorded before whatever comes next, where there is room for it. */
  #tellOfLoss(agent: InstalledAgent<Prepared>): void {
    if (this.#telling.has(agent)) return;
    const loss = this.#spool.losses.of(agent.id);
    if (loss === null || !this.#spool.hasRoom) return;
    this.#telling.add(agent);
    const gap = gapOf({ ...loss, source: 'other', event_id: randomUUID(), raw_event: 'recorder.gap' });
    const steps = this.#prepare(agent, [gap]).then((told) => told.map((step) => ({ ...step, loss })));
    // Where it fails the loss stays counted, and the next event tries again.
    void this.#arrivals.keep(agent, steps, true).then((kept) => {
      this.#telling.delete(agent);
      if (!kept.ok) return;
      this.#keepPlaces(agent);
      agent.sender.wake();
    });
  }

  #tick(): void {
    const nowMs = Date.now();
    for (const agent of this.#book.all) {
      this.#tellOfLoss(agent);
      this.#keepPlaces(agent);
      if (!this.#spool.open.hasAny(agent.id)) continue;
      const step: Step<Prepared> = { eventId: null, join: (joining) => joining.tick(nowMs) };
      // What is not kept now is found again by the next look.
      void this.#arrivals.keep(agent, Promise.resolve([step])).then((kept) => {
        if (kept.ok && kept.drafts.length > 0) agent.sender.wake();
      });
    }
  }
}
