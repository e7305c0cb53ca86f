import { Recording, type RecordingSettings } from './recording.ts';

/** The most connections that are followed at once. */
const MOST = 1_000;

/** A connection, and what the ids of its requests are unique in. */
export interface Connection {
  readonly recording: Recording;
  readonly scope: string;
}

/** Which requests of HTTP belong together: by `Mcp-Session-Id`, by the endpoint that an older server named, or by nothing. */
export class HttpSessions {
  readonly #settings: RecordingSettings;
  /** By the id of the session, or the path of the endpoint. The oldest first. */
  readonly #named = new Map<string, Recording>();
  #unnamed: Recording;
  #begun = 0;

  constructor(settings: RecordingSettings) {
    this.#settings = settings;
    this.#unnamed = new Recording(settings);
  }

  /** @param exchange names the request among all others */
  of(session: string | null, path: string, exchange: string): Connection {
    const atEndpoint = this.#named.get(endpointKey(path));
    if (atEndpoint !== undefined) return { recording: atEndpoint, scope: '' };
    // Without sessions two clients may use the same ids, but a response comes where its request went.
    if (session === null) return { recording: this.#unnamed, scope: exchange };
    const known = this.#named.get(sessionKey(session));
    return { recording: known ?? this.#add(sessionKey(session), new Recording(this.#settings)), scope: '' };
  }

  /** A client begins: its session is named in the answer, if it has one. */
  begin(): Recording {
    return new Recording(this.#settings);
  }

  /** @param session null for a server without sessions: what follows from clients without one is of this recording */
  begun(recording: Recording, session: string | null): void {
    if (session !== null) {
      this.#add(sessionKey(session), recording);
      return;
    }
    // Its requests may still be answered.
    this.#add(`earlier ${++this.#begun}`, this.#unnamed);
    this.#unnamed = recording;
  }

  /** Revision 2024-11-05: a stream named where its client is to send to. */
  atEndpoint(path: string): Recording {
    return this.#add(endpointKey(path), new Recording(this.#settings));
  }

  /** Whether a stream named this path: who knows it was let in. */
  isEndpoint(path: string): boolean {
    return this.#named.has(endpointKey(path));
  }

  endEndpoint(path: string): void {
    this.#end(endpointKey(path));
  }

  endSession(session: string): void {
    this.#end(sessionKey(session));
  }

  closeAll(): void {
    for (const recording of this.#named.values()) recording.closed();
    this.#named.clear();
    this.#unnamed.closed();
  }

  #add(key: string, recording: Recording): Recording {
    this.#named.set(key, recording);
    const [oldest] = this.#named.keys();
    if (this.#named.size > MOST && oldest !== undefined) this.#end(oldest);
    return recording;
  }

  #end(key: string): void {
    this.#named.get(key)?.closed();
    this.#named.delete(key);
  }
}

function sessionKey(session: string): string {
  return `session ${session}`;
}

function endpointKey(path: string): string {
  return `endpoint ${path}`;
}
