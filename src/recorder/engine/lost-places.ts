import type { Seen } from '../seen/seen.ts';
import type { Spool } from '../spool/spool.ts';

/** Events of one session and tool that were not recorded. */
export interface LostPlace {
  readonly session: string | null;
  readonly tool: string | null;
  /** Null where nobody knows how many. */
  readonly count: number | null;
  /** RFC 3339. */
  readonly last_at: string;
  readonly reason: string;
}

/** Places that are told apart; what is lost elsewhere is counted without its session and tool. */
const MOST = 64;
/** The most of a name that is shown, in characters. */
const LONGEST = 128;

/** How long after its last event a place is named. */
const NAMED_MS = 7 * 86_400_000;
/** Under which it is kept with what an agent has open. */
const KEY = 'losses';

/**
 * What was lost in the last days, by where: the records of gaps say how much in all. It is kept as soon as the disk takes it; until then
 * it is in memory.
 */
export class LostPlaces {
  readonly #spool: Spool;
  readonly #agent: number;
  readonly #places: Map<string, LostPlace>;
  #isKept = true;

  constructor(spool: Spool, agent: number) {
    this.#spool = spool;
    this.#agent = agent;
    const kept = (spool.open.get(agent, KEY) ?? []) as unknown as readonly LostPlace[];
    this.#places = new Map(kept.map((place) => [keyOf(place), place]));
  }

  /**
   * Writes what is in memory alone.
   * @throws SqliteError where it cannot be written: what the agent has open is then to be read again
   */
  keep(nowMs: number): void {
    const count = this.#places.size;
    for (const [key, { last_at }] of this.#places) {
      if (nowMs - Date.parse(last_at) > NAMED_MS) this.#places.delete(key);
    }
    if (this.#isKept && this.#places.size === count) return;
    const value = this.#places.size === 0 ? null : this.all().map((place) => ({ ...place }));
    this.#spool.transaction(() => this.#spool.open.set(this.#agent, { key: KEY, value }));
    this.#isKept = true;
  }

  /** Counts events that could not be kept. */
  lost(seen: readonly Seen[], at: string, reason: string): void {
    for (const one of seen) {
      const tool = 'tool' in one ? one.tool.name : null;
      this.#add({ session: one.session?.id ?? null, tool, count: 1, last_at: at, reason });
    }
  }

  /** Counts what a gap says that is missing, which no recorder saw. */
  gaps(seen: readonly Seen[]): void {
    for (const one of seen) {
      if (one.kind === 'gap')
        this.#add({ session: null, tool: null, count: one.count, last_at: one.last_at, reason: one.reason });
    }
  }

  all(): readonly LostPlace[] {
    return [...this.#places.values()];
  }

  #add(place: LostPlace): void {
    this.#isKept = false;
    const { reason } = place;
    const named = { ...place, session: shown(place.session), tool: shown(place.tool) };
    const known = this.#places.get(keyOf(named));
    const one = known !== undefined || this.#places.size < MOST ? named : { ...named, ...this.#elsewhere(reason) };
    const before = this.#places.get(keyOf(one));
    const count = one.count === null || before?.count === null ? null : one.count + (before?.count ?? 0);
    this.#places.set(keyOf(one), { ...one, count });
  }

  /** One place for all that is not told apart: reasons may differ without end. */
  #elsewhere(reason: string): Pick<LostPlace, 'session' | 'tool' | 'reason'> {
    const first = this.all().find(({ session, tool }) => session === null && tool === null);
    return { session: null, tool: null, reason: first?.reason ?? reason };
  }
}

function keyOf({ session, tool, reason }: LostPlace): string {
  return JSON.stringify([session, tool, reason]);
}

function shown(name: string | null): string | null {
  return name === null ? null : name.slice(0, LONGEST).toWellFormed();
}
