import type { Json } from '../../protocol/light.ts';
import type { Prepared } from '../content/prepared.ts';
import { CallJoining } from './call-joining.ts';
import type { Joined, StateChange } from './draft.ts';
import { DraftMaker } from './draft-maker.ts';
import { Calls } from './joined-calls.ts';
import type { JoinerOptions } from './options.ts';
import { Sessions } from './sessions.ts';

type PreparedSession = Extract<Prepared, { kind: 'session_started' | 'session_ended' }>;

const TOOLS_PREFIX = 'tools/';
/** The note of a transcript that was read: how it and the records of its session agree. */
const SESSION_CHECK = 'session.check';

/**
 * Makes records of what was seen of one agent: joins the moments of a call, and what several witnesses saw of it, keeps the
 * sessions, and words each as a payload of countersign.agent-action/1. Pure but for its own state: the same events in the same
 * order make the same records. Whoever calls it writes the changes of state together with the records, in one transaction.
 */
export class Joiner {
  readonly #maker: DraftMaker;
  readonly #calls = new Calls();
  readonly #sessions = new Sessions();
  readonly #joining: CallJoining;
  /** The newest definitions of each server's tools, by their digest. */
  readonly #tools = new Map<string, string>();
  #changes: StateChange[] = [];

  constructor(options: JoinerOptions) {
    this.#maker = new DraftMaker(options, this.#sessions);
    this.#joining = new CallJoining(options, this.#calls, this.#sessions, this.#maker);
  }

  /** Restores what was kept, before the first event. */
  load(entries: Iterable<{ readonly key: string; readonly value: unknown }>): void {
    for (const { key, value } of entries) {
      if (this.#calls.load(key, value) || this.#sessions.load(key, value)) continue;
      if (key.startsWith(TOOLS_PREFIX) && typeof value === 'string')
        this.#tools.set(key.slice(TOOLS_PREFIX.length), value);
    }
  }

  /** @param now when the recorder takes it, in milliseconds since the Unix epoch */
  take(seen: Prepared, now: number): Joined {
    this.#event(seen, now);
    return this.#drain();
  }

  /** What has to be recorded because time went by: ends that one witness saw and the first one did not. */
  tick(now: number): Joined {
    this.#joining.tick(now);
    this.#sessions.forgetIdle(now);
    return this.#drain();
  }

  /** The agent was told that it may not make a call that was recorded. */
  block(actionId: string, reason: string, now: number): Joined {
    this.#joining.block(actionId, reason, now);
    return this.#drain();
  }

  #drain(): Joined {
    const changes = [...this.#calls.drain(), ...this.#sessions.drain(), ...this.#changes];
    this.#changes = [];
    return { drafts: this.#maker.drain(), changes };
  }

  #event(seen: Prepared, now: number): void {
    switch (seen.kind) {
      case 'call':
        this.#joining.take(seen, now);
        break;
      case 'decision':
        this.#joining.decided(seen, now);
        break;
      case 'session_started':
      case 'session_ended':
        this.#takeSession(seen, now);
        break;
      case 'told':
        this.#maker.told(seen, now);
        break;
      case 'tools':
        this.#takeTools(seen, now);
        break;
      case 'note': {
        const { session } = seen;
        const isCheck = seen.source === 'transcript' && seen.name === SESSION_CHECK;
        const isOpen = session !== null && this.#sessions.get(session.id) !== undefined;
        const recorder = isCheck && isOpen ? this.#joining.checkOf(session.id) : {};
        this.#maker.note(seen, seen.name, seen.text, now, { recorder });
        break;
      }
      case 'gap':
        this.#maker.gap(seen, now);
    }
  }

  #takeSession(seen: PreparedSession, now: number): void {
    const { session, kind, reason } = seen;
    if (session === null) {
      this.#maker.note(seen, kind, reason, now);
    } else if (kind === 'session_ended') {
      this.#endSession(seen, session, now);
    } else {
      this.#sessions.start(session.id, now);
      // The session of a sub-agent: the call that began it is in the other one.
      const cause = session.parent === undefined ? [] : this.#sessions.meet(session.parent, now, session.id);
      this.#maker.make(seen, kind, (members) => reasonOf(members, reason), now, { cause });
    }
  }

  #endSession(seen: PreparedSession, session: NonNullable<PreparedSession['session']>, now: number): void {
    this.#joining.closeSession(session.id, seen, now);
    const known = this.#sessions.get(session.id);
    const totals = known?.started === true ? { records: known.records } : null;
    const further = known === undefined ? {} : { agreed: known.agreed, doubled: known.doubled };
    this.#maker.make(
      seen,
      'session_ended',
      (members) => {
        if (totals !== null) members.set('session', { ...session, totals });
        reasonOf(members, seen.reason);
      },
      now,
      { counted: false, recorder: further },
    );
    this.#sessions.end(session.id);
  }

  #takeTools(seen: Extract<Prepared, { kind: 'tools' }>, now: number): void {
    const { server, count, definitions_sha256 } = seen;
    const digest = `sha256:${definitions_sha256}`;
    const previous = this.#tools.get(server);
    if (previous === digest) return;
    this.#tools.set(server, digest);
    this.#changes.push({ key: TOOLS_PREFIX + server, value: digest });
    const tools = { server, count, digest, ...(previous === undefined ? {} : { previous }) };
    this.#maker.make(seen, 'tools', (members) => members.set('tools', tools), now);
  }
}

function reasonOf(members: { set(name: string, value: Json | null): unknown }, reason: string | null): void {
  if (reason !== null) members.set('note', { kind: 'reason', text: reason });
}
