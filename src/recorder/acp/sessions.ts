import { asText, type JsonObject } from '../mcp/message.ts';
import type { AcpSession } from './acp-seen.ts';

/** The most sessions of one connection that are followed. */
const MOST = 1_000;

interface Known {
  readonly session: AcpSession;
  /** Whether its beginning was recorded. */
  readonly isBegun: boolean;
  /** Prompts without a response. */
  readonly open: number;
}

interface Replayed {
  readonly updates: number;
  readonly calls: number;
}

/** The sessions of one connection. */
export class AcpSessions {
  readonly #known = new Map<string, Known>();
  /** Of sessions that are being loaded: what was repeated so far. */
  readonly #replays = new Map<string, Replayed>();

  /** The session that a message names, whether or not its beginning was seen; null where it names none. */
  of(params: JsonObject): AcpSession | null {
    const id = asText(params['sessionId']);
    if (id === null || id === '') return null;
    return this.#known.get(id)?.session ?? { id: id.toWellFormed(), cwd: null, turn: 0 };
  }

  begin(id: string, cwd: string | null): AcpSession {
    const session = { id, cwd, turn: this.#known.get(id)?.session.turn ?? 0 };
    this.#set(id, { session, isBegun: true, open: 0 });
    return session;
  }

  prompted(id: string): AcpSession {
    const known = this.#at(id);
    const session = { ...known.session, turn: known.session.turn + 1 };
    this.#set(id, { ...known, session, open: known.open + 1 });
    return session;
  }

  /** A prompt has its response. @returns whether no other is open in the session */
  answered(id: string): boolean {
    const known = this.#at(id);
    const open = Math.max(0, known.open - 1);
    this.#set(id, { ...known, open });
    return open === 0;
  }

  /** @returns whether its beginning was recorded, and no end of it */
  end(id: string): boolean {
    const isBegun = this.#known.get(id)?.isBegun === true;
    this.#known.delete(id);
    return isBegun;
  }

  takeAll(): AcpSession[] {
    const begun = [...this.#known.values()].filter(({ isBegun }) => isBegun).map(({ session }) => session);
    this.#known.clear();
    return begun;
  }

  /** A session is to be loaded: what comes of it until the response was before. */
  replays(id: string): void {
    if (this.#replays.size < MOST) this.#replays.set(id, { updates: 0, calls: 0 });
  }

  /** Counts an update of a session that is being loaded. @returns whether it is one */
  countsAsReplayed(id: string, kind: string): boolean {
    const replayed = this.#replays.get(id);
    if (replayed === undefined) return false;
    const calls = replayed.calls + (kind === 'tool_call' ? 1 : 0);
    this.#replays.set(id, { updates: replayed.updates + 1, calls });
    return true;
  }

  /** The session is loaded. @returns null where it was not being loaded */
  replayed(id: string): Replayed | null {
    const replayed = this.#replays.get(id) ?? null;
    this.#replays.delete(id);
    return replayed;
  }

  #at(id: string): Known {
    return this.#known.get(id) ?? { session: { id, cwd: null, turn: 0 }, isBegun: false, open: 0 };
  }

  #set(id: string, known: Known): void {
    this.#known.set(id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }
}
