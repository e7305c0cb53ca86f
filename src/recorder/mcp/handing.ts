import { messageOf } from '../../protocol/light.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { Take, Verdict } from '../seen/feed.ts';
import type { Seen } from '../seen/seen.ts';

/** What a proxy needs of the recorder. */
export interface Recorder {
  readonly take: Take;
  /** Notes that events were not recorded. Kept with what the agent's policy says of that. */
  missed(feed: FeedId, eventIds: readonly string[]): Promise<Verdict>;
  /** What the policy says where nothing can be noted either. */
  withoutRecord(feed: FeedId): Promise<Verdict>;
}

interface Waiting {
  readonly feed: FeedId;
  readonly seen: readonly Seen[];
  /** Of the message that it was seen in. */
  readonly bytes: number;
  /** Of whoever waits for the verdict. */
  readonly settle: ((verdict: Verdict) => void) | null;
}

/** Events of a feed that were dropped. */
interface Dropped {
  /** Of the first ones. */
  readonly ids: string[];
  /** How many there were after those. */
  further: number;
}

/** The most that waits for a recorder that is slower than the server: messages, and their bytes. */
const MOST_WAITING = 4_096;
const MOST_WAITING_BYTES = 64 << 20;

/** From here on whoever hands over is asked to wait, so that a pipe that was read already still has room. */
const ENOUGH_WAITING = MOST_WAITING / 4;
const ENOUGH_WAITING_BYTES = MOST_WAITING_BYTES / 4;

/** A recorder that takes nothing for this long holds nobody up any more until it takes something again, in milliseconds. */
const STALLED_MS = 5_000;

/** The most ids of dropped events that are kept for a feed. Further events are counted, and noted as missed without theirs. */
const MOST_DROPPED_IDS = 16_384;
/** In place of the id of an event that was missed. */
const NO_ID = '-';

/** The most that is handed over at a time, unless one message has more: events, and bytes of messages. */
const MOST_AT_A_TIME = 64;
const MOST_BYTES_AT_A_TIME = 1 << 20;

const ALLOWED: Verdict = { allowed: true, reason: null, operation_ids: [] };

/** Hands events to the recorder in the order in which they came, one hand-over at a time. Nothing that it does fails. */
export class Handing {
  readonly #recorder: Recorder;
  readonly #say: (text: string) => void;
  readonly #waiting: Waiting[] = [];
  readonly #said = new Set<string>();
  #running: Promise<void> | null = null;
  #bytes = 0;
  /** Kept at the next hand-over. */
  #next = Promise.withResolvers<void>();
  #isStalled = false;
  /** Events that were dropped because the recorder was too slow, to be noted as missed. */
  readonly #dropped = new Map<FeedId, Dropped>();

  /** @param say for the person at the terminal: standard error */
  constructor(recorder: Recorder, say: (text: string) => void) {
    this.#recorder = recorder;
    this.#say = say;
  }

  /** Hands over without waiting. */
  later(feed: FeedId, seen: readonly Seen[], bytes: number): void {
    if (seen.length === 0) return;
    if (this.#waiting.length >= MOST_WAITING || this.#bytes + bytes > MOST_WAITING_BYTES) {
      const dropped = this.#dropped.get(feed) ?? { ids: [], further: 0 };
      this.#dropped.set(feed, dropped);
      for (const { event_id } of seen) {
        if (dropped.ids.length < MOST_DROPPED_IDS) dropped.ids.push(event_id);
        else dropped.further++;
      }
      this.#sayOnce('slow', 'the recorder is too slow: events are dropped');
      return;
    }
    this.#push({ feed, seen, bytes, settle: null });
  }

  /**
   * Hands over, and waits for what the recorder says of it, after everything that came before.
   * @param isUnread whether there is more to it than could be read: then what the policy says of what is not recorded counts as well
   */
  async asked(feed: FeedId, seen: readonly Seen[], bytes: number, isUnread = false): Promise<Verdict> {
    const verdict =
      seen.length === 0 ? ALLOWED : await new Promise<Verdict>((settle) => this.#push({ feed, seen, bytes, settle }));
    return verdict.allowed && isUnread ? this.#recorder.withoutRecord(feed) : verdict;
  }

  /**
   * Kept once there is room: what feeds this is not read further before that, so that a flood waits where it comes from. A recorder
   * that hangs would have the agent hang with it: after STALLED_MS without a hand-over the flood continues, and what is too much is
   * dropped and noted as missed.
   */
  async room(): Promise<void> {
    while (!this.#isStalled && this.#isFull()) {
      const timer = setTimeout(() => {
        this.#isStalled = true;
        this.#next.resolve();
      }, STALLED_MS);
      await this.#next.promise;
      clearTimeout(timer);
    }
  }

  #isFull(): boolean {
    return this.#waiting.length >= ENOUGH_WAITING || this.#bytes >= ENOUGH_WAITING_BYTES;
  }

  /** Kept once everything that came so far is handed over. */
  async idle(): Promise<void> {
    await this.#running;
  }

  #push(item: Waiting): void {
    this.#waiting.push(item);
    this.#bytes += item.bytes;
    this.#run();
  }

  #run(): void {
    this.#running ??= this.#handAll();
  }

  async #handAll(): Promise<void> {
    // Before the first look, so that `#running` is set by then.
    await Promise.resolve();
    do {
      await this.#handWaiting();
      await this.#noteDropped();
    } while (this.#waiting.length > 0 || this.#dropped.size > 0);
    // In the same step as the last look at the queue: an event that comes later must find nothing running.
    this.#running = null;
  }

  async #handWaiting(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const count = this.#together(first.feed);
      const items = this.#waiting.splice(0, count);
      for (const { bytes } of items) this.#bytes -= bytes;
      const verdict = await this.#hand(
        first.feed,
        items.flatMap(({ seen }) => seen),
      );
      items.at(-1)?.settle?.(verdict);
      this.#isStalled = false;
      this.#next.resolve();
      this.#next = Promise.withResolvers<void>();
    }
  }

  /** Of what was dropped so far. What is dropped meanwhile is noted after the queue was handed over, or nobody would get a verdict. */
  async #noteDropped(): Promise<void> {
    const dropped = [...this.#dropped];
    this.#dropped.clear();
    for (const [feed, { ids, further }] of dropped) {
      await this.#noted(feed, ids);
      for (let left = further; left > 0; left -= MOST_DROPPED_IDS) {
        await this.#noted(feed, Array<string>(Math.min(left, MOST_DROPPED_IDS)).fill(NO_ID));
      }
    }
  }

  /** How many go together: of one feed, up to the first that somebody waits for, so that its verdict is of nothing later. */
  #together(feed: FeedId): number {
    let [count, events, bytes] = [0, 0, 0];
    for (const item of this.#waiting) {
      events += item.seen.length;
      bytes += item.bytes;
      const isTooMuch = events > MOST_AT_A_TIME || bytes > MOST_BYTES_AT_A_TIME;
      if (item.feed !== feed || (count > 0 && isTooMuch)) break;
      count++;
      if (item.settle !== null) break;
    }
    return count;
  }

  async #hand(feed: FeedId, seen: readonly Seen[]): Promise<Verdict> {
    try {
      return await this.#recorder.take(feed, seen);
    } catch (error) {
      if (!(error instanceof RecordError)) return this.#lost(feed, seen, error);
      if (error.code === 'NOT_INSTALLED') {
        this.#sayOnce(error.code, `nothing is recorded: ${error.message}`);
        return ALLOWED;
      }
      const smaller = error.code === 'EVENT_TOO_LARGE' ? withoutContent(seen) : null;
      return smaller === null ? this.#lost(feed, seen, error) : this.#hand(feed, smaller);
    }
  }

  #lost(feed: FeedId, seen: readonly Seen[], error: unknown): Promise<Verdict> {
    const text = messageOf(error);
    this.#sayOnce(text, `something could not be recorded: ${text}`);
    return this.#noted(
      feed,
      seen.map(({ event_id }) => event_id),
    );
  }

  async #noted(feed: FeedId, eventIds: readonly string[]): Promise<Verdict> {
    try {
      return await this.#recorder.missed(feed, eventIds);
    } catch (error) {
      const text = messageOf(error);
      this.#sayOnce(text, `not even that something is missing could be noted: ${text}`);
      return this.#recorder.withoutRecord(feed);
    }
  }

  #sayOnce(key: string, text: string): void {
    if (this.#said.size > 64 || this.#said.has(key)) return;
    this.#said.add(key);
    this.#say(text);
  }
}

/** The same without what calls were given and gave, where that was too much; null where there was none. */
function withoutContent(seen: readonly Seen[]): Seen[] | null {
  if (!seen.some((event) => event.kind === 'call' && (event.input !== undefined || event.output !== undefined))) {
    return null;
  }
  return seen.map((event) => {
    if (event.kind !== 'call') return event;
    const { input, output, ...rest } = event;
    return { ...rest, extra: { ...event.extra, content_too_large: true } };
  });
}
