import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RecorderHome } from '../base/home.ts';
import { type FeedId, isFeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { Take } from '../seen/feed.ts';
import { gapOf } from '../seen/gap.ts';
import { type SeenGap, WITNESS_SOURCES } from '../seen/seen.ts';

/** A UUID of the form of version 4 that follows from a digest: the same digest gives the same one. */
function uuidFrom(digest: Uint8Array): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * What is written for an event that did not reach a recorder: when (to the second), the event's id, or `-`, and who saw it, which is
 * left out by a hook's script.
 */
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) ([0-9a-f-]{1,36})(?: ([a-z]{1,16}))?$/;

/** A file that was put aside: nobody writes to it any more, except for whoever had it open. */
const ASIDE = /^([^.]+)\.[0-9a-f-]{36}$/;

/** A line has under 60 bytes; a larger file is not one that our scripts wrote. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Makes signed gaps of what hooks, plugins, proxies and libraries noted as missed. Each look puts aside what there is, and reads what the look before put aside: so a
 * script that had the file open when it got its other name has long finished its line.
 *
 * A crash at any moment loses nothing, since a file is removed once its gap is durable, and doubles nothing, since the id of the gap
 * follows from what is in the file.
 */
export class MissedEvents {
  readonly #home: RecorderHome;
  readonly #take: Take;
  readonly #isTaken: (feed: FeedId, eventId: string) => boolean;

  /** @param isTaken whether an event was recorded after all, though its hook did not wait for the answer */
  constructor(home: RecorderHome, take: Take, isTaken: (feed: FeedId, eventId: string) => boolean) {
    this.#home = home;
    this.#take = take;
    this.#isTaken = isTaken;
  }

  /** @throws what taking a gap throws besides NOT_INSTALLED, and what the file system does */
  async look(): Promise<void> {
    const { missed } = this.#home;
    mkdirSync(missed, { recursive: true, mode: 0o700 });
    const names = readdirSync(missed);
    for (const name of names) {
      const feed = ASIDE.exec(name)?.[1];
      if (feed !== undefined && isFeedId(feed)) await this.#record(feed, join(missed, name));
    }
    for (const name of names) {
      if (isFeedId(name)) renameSync(join(missed, name), join(missed, `${name}.${randomUUID()}`));
    }
  }

  /**
   * Makes a gap of the lines of a file, which a hook handed in because the recorder cannot see it: it lies with the person.
   * @param lines null where they are too many to be read
   * @throws what taking a gap throws
   */
  async take(feed: FeedId, lines: Buffer | null): Promise<void> {
    const gap = this.#gapOf(feed, lines);
    if (gap !== null) await this.#take(feed, [gap]);
  }

  async #record(feed: FeedId, path: string): Promise<void> {
    try {
      const gap = this.#gapOf(feed, linesIn(path));
      if (gap !== null) await this.#take(feed, [gap]);
    } catch (error) {
      // It stays until an agent is installed again: then its first record says what was missed.
      if (error instanceof RecordError && error.code === 'NOT_INSTALLED') return;
      throw error;
    }
    rmSync(path, { recursive: true });
  }

  /** @returns null where nothing was missed after all */
  #gapOf(feed: FeedId, bytes: Buffer | null): SeenGap | null {
    const digest = createHash('sha256')
      .update(bytes ?? randomUUID())
      .digest();
    const now = new Date().toISOString();
    const lines = bytes?.toString('latin1').split('\n').filter(Boolean) ?? null;
    const missed = lines?.map((line) => LINE.exec(line)).filter((found) => !this.#isKnown(feed, found?.[2]));
    if (missed?.length === 0) return null;
    // Of the form of a time, and perhaps none: whoever can write the file may have written the line.
    const given = (missed ?? []).flatMap((found) => (found?.[1] === undefined ? [] : [found[1]]));
    const times = given.filter((time) => !Number.isNaN(Date.parse(time))).sort();
    const told = {
      count: missed?.length ?? null,
      first_at: times[0] ?? now,
      last_at: times.at(-1) ?? now,
      reason: 'no recorder answered',
    };
    const sources = new Set((missed ?? []).map((found) => found?.[3] ?? 'hook'));
    const source = WITNESS_SOURCES.find((known) => sources.size === 1 && sources.has(known)) ?? 'other';
    return gapOf({ ...told, source, event_id: uuidFrom(digest), raw_event: 'missed' }, digest.toString('hex'));
  }

  #isKnown(feed: FeedId, eventId: string | undefined): boolean {
    return eventId !== undefined && eventId !== '-' && this.#isTaken(feed, eventId);
  }
}

/**
 * What a script wrote. Any program of the user can put something else there: reading a pipe would never end.
 * @returns null for what no script wrote: then something was missed, and nobody knows how much
 */
function linesIn(path: string): Buffer | null {
  const info = lstatSync(path);
  return info.isFile() && info.size <= MOST_BYTES ? readFileSync(path) : null;
}
