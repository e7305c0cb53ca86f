import { giveBackMemory } from '../../node/index.ts';
import type { Take } from '../seen/feed.ts';

/** After this many events there is something to give back. */
const EVENTS = 200;
/** How long nothing has to come before, in milliseconds: giving back stops everything for a moment. */
const QUIET_MS = 20_000;

/**
 * Gives back the memory that a burst of events took, or the start, once it is over: V8 keeps it otherwise, and a recorder runs all day.
 * Only where the process was started with `--expose-gc`, as one is that does nothing but recording.
 */
export class MemoryRelease {
  /** Loading takes as much as many events do. */
  #events = EVENTS;
  #lastAt = performance.now();

  /** The same, counted. */
  counted(take: Take): Take {
    return (feed, seen) => {
      this.#events += seen.length;
      this.#lastAt = performance.now();
      return take(feed, seen);
    };
  }

  /** To be called now and then. */
  look(): void {
    if (this.#events < EVENTS || performance.now() - this.#lastAt < QUIET_MS) return;
    this.#events = 0;
    giveBackMemory();
  }
}
