import { createReadStream, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LeavingWitness, noteMissed, PATIENCE_S } from '../../agent/light.ts';
import type { RecorderHome } from '../base/home.ts';
import { type FeedId, isFeedId } from '../base/programs.ts';
import { RecordError, type RecordErrorCode } from '../base/record-error.ts';
import { type Received, Receiving } from '../seen/received.ts';
import { HOOK_BYTES, HookEvents, type HookParts } from './hook-events.ts';

/** FEED.EVENT of a hook, FEED.ID.WITNESS.COUNT of a proxy or library (`leaveSeen`), and what was not written to the end. */
const NAME =
  /^([^.]+)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(library|mcp|acp)\.([1-9]\d{0,3}))?(\.part)?$/;

/** After this nobody writes anything more: who did gave up, or was killed. */
const GIVEN_UP_MS = 3 * PATIENCE_S * 1_000;

/** In place of the ids of events that cannot be read. */
const NO_ID = '-';

/**
 * What becomes a line: what cannot be read, as where its process was killed over it, and what has no agent any more. Its secrets do not wait
 * until one is installed again.
 */
const LINES: ReadonlySet<RecordErrorCode> = new Set(['NOT_INSTALLED', 'EVENT_INVALID']);

interface Left {
  readonly path: string;
  readonly feed: FeedId;
  /** Of the event, or of what a proxy or library left: some events in our own form. */
  readonly id: string;
  readonly witness: LeavingWitness | null;
  readonly count: number;
  /** Since 1970, in milliseconds. */
  readonly leftAt: number;
}

/**
 * Has recorded what hooks, proxies and libraries left because no recorder answered them. Each event keeps its id: one that was taken before its recorder died, or
 * is taken again because this one does, makes the same records.
 *
 * These are the only events that lie on the disk as programs gave them.
 */
export class LeftEvents {
  readonly #home: RecorderHome;
  readonly #parts: HookParts;
  readonly #events: HookEvents;

  constructor(home: RecorderHome, parts: HookParts) {
    this.#home = home;
    this.#parts = parts;
    this.#events = new HookEvents(parts);
  }

  /** What cannot be taken now stays for the next look. */
  async look(nowMs = Date.now()): Promise<void> {
    for (const left of leftIn(this.#home, nowMs)) {
      try {
        await this.#take(left, nowMs);
      } catch (error) {
        this.#parts.onError(error);
      }
    }
  }

  async #take({ path, feed, id, witness, count, leftAt }: Left, nowMs: number): Promise<void> {
    const receivedAt = new Date(Math.min(leftAt, nowMs)).toISOString();
    let ids = witness === null ? [id] : Array<string>(count).fill(NO_ID);
    try {
      const body = await bodyIn(path, witness === null);
      if (witness === null) await this.#events.take(feed, body, { eventId: id, receivedAt });
      else {
        const seen = (await import('./seen-body.ts')).readSeenBody(body);
        ids = seen.map(({ event_id }) => event_id);
        await this.#events.takeOrLose(feed, seen);
      }
    } catch (error) {
      if (!(error instanceof RecordError) || !LINES.has(error.code)) throw error;
      noteMissed(this.#home.folder, feed, ids, witness ?? undefined);
    }
    rmSync(path);
  }
}

/** In the order in which they were left. */
function leftIn({ left }: RecorderHome, nowMs: number): Left[] {
  if (!existsSync(left)) return [];
  const found = readdirSync(left).flatMap((name): Left[] => {
    const [, feed = '', id = '', by, count = '1', part] = NAME.exec(name) ?? [];
    const path = join(left, name);
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (!isFeedId(feed) || !info?.isFile()) return [];
    if (part !== undefined && nowMs - info.mtimeMs < GIVEN_UP_MS) return [];
    const witness = by === 'library' || by === 'mcp' || by === 'acp' ? by : null;
    return [{ path, feed, id, witness, count: Number(count), leftAt: info.mtimeMs }];
  });
  return found.sort((a, b) => a.leftAt - b.leftAt);
}

/** How many events of a feed wait for a recorder. */
export function leftCount(home: RecorderHome, feed: FeedId): number {
  const all = leftIn(home, Number.POSITIVE_INFINITY).filter((left) => left.feed === feed);
  return all.reduce((sum, { count }) => sum + count, 0);
}

/** @param mayBeCutOff whether JSON that ends too early is read as far as it got */
async function bodyIn(path: string, mayBeCutOff: boolean): Promise<Received> {
  const body = new Receiving(HOOK_BYTES);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) body.data(chunk);
  return body.end(mayBeCutOff);
}
