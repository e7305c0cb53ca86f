import type { Seen } from '../seen/seen.ts';

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

/** What was lost since this process started, by where: the records of gaps say how much in all. */
export class LostPlaces {
  readonly #places = new Map<string, LostPlace>();

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
    const named = { ...place, session: shown(place.session), tool: shown(place.tool) };
    const known = this.#places.get(keyOf(named));
    const one = known !== undefined || this.#places.size < MOST ? named : { ...named, session: null, tool: null };
    const before = this.#places.get(keyOf(one));
    const count = one.count === null || before?.count === null ? null : one.count + (before?.count ?? 0);
    this.#places.set(keyOf(one), { ...one, count });
  }
}

function keyOf({ session, tool, reason }: LostPlace): string {
  return JSON.stringify([session, tool, reason]);
}

function shown(name: string | null): string | null {
  return name === null ? null : name.slice(0, LONGEST).toWellFormed();
}
