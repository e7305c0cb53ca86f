import type { StateChange } from './draft.ts';

/** What is kept of a session while it lasts. */
export interface OpenSession {
  readonly id: string;
  /** Whether its start was recorded: else its end states no totals. */
  readonly started: boolean;
  /** Records since its start, that one included. */
  readonly records: number;
  /** The sub-agents that were met. */
  readonly sub_agents: readonly string[];
  /** The records by which sub-agents were called and that no sub-agent was joined to yet, oldest first. */
  readonly sub_agent_calls: readonly string[];
  /** When the recorder first heard of it, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** When anything of it was last recorded, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** How many observations of further witnesses came after a call's end and agreed with it. */
  readonly agreed: number;
  /** How many events came twice from one witness, and were left out. */
  readonly doubled: number;
  /** How many calls its transcript tells of from before that, which are not recorded. */
  readonly before: number;
}

const NEW = { started: false, records: 0, sub_agents: [], sub_agent_calls: [], agreed: 0, doubled: 0, before: 0 };

const PREFIX = 'session/';
/** The most sub-agents of one session that are told apart. */
const MAX_SUB_AGENTS = 1000;
/** How long a session without events is kept. A program that names no end leaves it behind. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000;

/** The most sessions that have ended of which it is known since when they were. */
const MAX_ENDED = 1000;

/** The sessions of one agent. */
export class Sessions {
  readonly #sessions = new Map<string, OpenSession>();
  /** Since when those were heard of that have ended: what tells of them later tells of that time. */
  readonly #ended = new Map<string, number>();
  readonly #changed = new Set<string>();

  load(key: string, value: unknown): boolean {
    if (!key.startsWith(PREFIX)) return false;
    // An earlier version may have kept it without what came since.
    const session = value as Omit<OpenSession, 'since' | 'before'> & Partial<OpenSession>;
    const { since = session.at, before = 0 } = session;
    this.#sessions.set(session.id, { ...session, since, before });
    return true;
  }

  drain(): StateChange[] {
    const changes = [...this.#changed].map((id) => {
      const session = this.#sessions.get(id);
      return { key: PREFIX + id, value: session === undefined ? null : (session as never) };
    });
    this.#changed.clear();
    return changes;
  }

  get(id: string): OpenSession | undefined {
    return this.#sessions.get(id);
  }

  /** When a session was first heard of, also of one that has ended; undefined where none is known. */
  since(id: string): number | undefined {
    return this.#sessions.get(id)?.since ?? this.#ended.get(id);
  }

  #set(session: OpenSession): void {
    this.#sessions.set(session.id, session);
    this.#changed.add(session.id);
  }

  #at(id: string, now: number): OpenSession {
    const known = this.#sessions.get(id) ?? { ...NEW, id, since: this.#ended.get(id) ?? now, at: now };
    // A clock that was ahead when it began, and was set since, would place all that follows before it.
    return known.since > now ? { ...known, since: now } : known;
  }

  /** A session begins, or is taken up again under its name: its totals count from here. */
  start(id: string, now: number): void {
    this.#ended.delete(id);
    this.#set({ ...this.#at(id, now), started: true, records: 0 });
  }

  /** A record of it is made. */
  count(id: string, now: number): void {
    const session = this.#at(id, now);
    this.#set({ ...session, records: session.records + 1, at: now });
  }

  end(id: string): void {
    const since = this.#sessions.get(id)?.since;
    if (since !== undefined) this.#ended.set(id, since);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    this.#sessions.delete(id);
    this.#changed.add(id);
  }

  note(id: string, now: number, what: 'agreed' | 'doubled' | 'before'): void {
    const session = this.#at(id, now);
    this.#set({ ...session, [what]: session[what] + 1 });
  }

  /** A call of a tool that begins a sub-agent was recorded. */
  callsSubAgent(id: string, now: number, operationId: string): void {
    const session = this.#at(id, now);
    this.#set({ ...session, sub_agent_calls: [...session.sub_agent_calls, operationId].slice(-64) });
  }

  /**
   * @returns the records that may have begun a sub-agent that is met for the first time: the oldest call without one yet, since programs
   *   start them in the order of their calls; nothing where it was met before
   */
  meet(id: string, now: number, subAgent: string): readonly string[] {
    const session = this.#at(id, now);
    if (session.sub_agents.includes(subAgent)) return [];
    const [cause, ...rest] = session.sub_agent_calls;
    const sub_agents = [...session.sub_agents, subAgent].slice(-MAX_SUB_AGENTS);
    this.#set({ ...session, sub_agents, sub_agent_calls: rest });
    return cause === undefined ? [] : [cause];
  }

  /** Forgets what nothing was heard of for long. */
  forgetIdle(now: number): void {
    for (const { id, at } of this.#sessions.values()) if (now - at > FORGOTTEN_AFTER_MS) this.end(id);
  }
}
