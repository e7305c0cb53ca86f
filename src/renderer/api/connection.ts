/**
 * Whether what is on the page can be kept up to date: the service answers, and takes who is signed in. All calls report to
 * it; while it is cut, queries are paused, so that a page left open asks nothing over and over (query-client.ts).
 */
export interface Connection {
  /** When the service last answered, in ms since 1970, where it cannot be reached; else null. */
  readonly lostSince: number | null;
  /** When the session was last known to hold, where it has ended; else null. */
  readonly endedSince: number | null;
}

type Listener = () => void;

/** Follows one service from answer to answer. */
export class ConnectionState {
  #state: Connection = { lostSince: null, endedSince: null };
  #lastAnswer: number;
  readonly #now: () => number;
  readonly #listeners = new Set<Listener>();

  /** @param now the time in ms since 1970 */
  constructor(now: () => number) {
    this.#now = now;
    this.#lastAnswer = now();
  }

  get state(): Connection {
    return this.#state;
  }

  get isCut(): boolean {
    return this.#state.lostSince !== null || this.#state.endedSince !== null;
  }

  /** The service answered, whatever it said. */
  noteAnswer(): void {
    this.#lastAnswer = this.#now();
    if (this.#state.lostSince !== null) this.#set({ ...this.#state, lostSince: null });
  }

  noteUnreachable(): void {
    if (this.#state.lostSince === null) this.#set({ ...this.#state, lostSince: this.#lastAnswer });
  }

  noteSessionEnded(): void {
    if (this.#state.endedSince === null) this.#set({ ...this.#state, endedSince: this.#now() });
  }

  /** Somebody signed in or out: what is asked from now on is asked by them. */
  noteNewSession(): void {
    if (this.#state.endedSince !== null) this.#set({ ...this.#state, endedSince: null });
  }

  /** @returns ends it */
  subscribe(listener: Listener): Listener {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #set(state: Connection): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The connection of this page. */
export const connection = new ConnectionState(Date.now);

/** Between two attempts to reach a service that does not answer, in ms. */
export const PROBE_MS = 5_500;

/**
 * Asks for as long as the service cannot be reached, one request at a time, whether it can be again.
 * @param ask one request; that it was answered is reported by the call itself
 * @returns ends it
 */
export function probe(state: ConnectionState, ask: () => Promise<unknown>, everyMs = PROBE_MS): Listener {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  const settle = (): void => {
    isAsking = false;
    schedule();
  };
  function schedule(): void {
    if (state.state.lostSince === null) {
      clearTimeout(timer);
      timer = undefined;
    } else if (timer === undefined && !isAsking) {
      timer = setTimeout(() => {
        timer = undefined;
        isAsking = true;
        void ask().then(settle, settle);
      }, everyMs);
    }
  }
  const end = state.subscribe(schedule);
  return () => {
    end();
    clearTimeout(timer);
  };
}
