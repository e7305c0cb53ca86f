import { createReadStream, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { noteMissed } from '../../agent/light.ts';
import type { RecorderHome } from '../base/home.ts';
import { type FeedId, isFeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { PATIENCE_S } from '../seen/patience.ts';
import { type Received, Receiving } from '../seen/received.ts';
import { HOOK_BYTES, HookEvents, type HookParts } from './hook-events.ts';

/** How many events wait at most, and how many bytes of them: what is more is missed, and a gap tells. */
export const MOST_LEFT = { files: 1_000, bytes: 256 * 1024 * 1024 } as const;

/** FEED.EVENT, and what its hook had not written to the end. */
const NAME = /^([a-z]+)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\.part)?$/;

/** After this a hook writes nothing more: it gave up, or was killed. */
const GIVEN_UP_MS = 3 * PATIENCE_S * 1_000;

interface Left {
  readonly path: string;
  readonly feed: FeedId;
  readonly eventId: string;
  /** Since 1970, in milliseconds. */
  readonly leftAt: number;
}

/**
 * Has recorded what hooks left because no recorder answered them. Each event keeps its id: one that was taken before its recorder died, or
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

  async #take({ path, feed, eventId, leftAt }: Left, nowMs: number): Promise<void> {
    const receivedAt = new Date(Math.min(leftAt, nowMs)).toISOString();
    try {
      await this.#events.take(feed, await bodyIn(path), { eventId, receivedAt });
    } catch (error) {
      if (!(error instanceof RecordError) || error.code !== 'NOT_INSTALLED') throw error;
      // Its secrets do not wait until an agent is installed again: its line does.
      noteMissed(this.#home.folder, feed, [eventId]);
    }
    rmSync(path);
  }
}

/** In the order in which they were left. */
function leftIn({ left }: RecorderHome, nowMs: number): Left[] {
  if (!existsSync(left)) return [];
  const found = readdirSync(left).flatMap((name): Left[] => {
    const [, feed = '', eventId = '', part] = NAME.exec(name) ?? [];
    const path = join(left, name);
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (!isFeedId(feed) || !info?.isFile()) return [];
    if (part !== undefined && nowMs - info.mtimeMs < GIVEN_UP_MS) return [];
    return [{ path, feed, eventId, leftAt: info.mtimeMs }];
  });
  return found.sort((a, b) => a.leftAt - b.leftAt);
}

/** How many events of a feed wait for a recorder. */
export function leftCount(home: RecorderHome, feed: FeedId): number {
  return leftIn(home, Number.POSITIVE_INFINITY).filter((left) => left.feed === feed).length;
}

async function bodyIn(path: string): Promise<Received> {
  const body = new Receiving(HOOK_BYTES);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) body.data(chunk);
  return body.end(true);
}
