import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sha256Hex } from '../../actions/tools/index.ts';
import {
  hasTranscripts,
  isUntried,
  type TranscriptProgramId,
  type TranscriptSession,
} from '../../actions/transcripts/index.ts';
import type { FeedId } from '../base/programs.ts';
import { HookEvent } from '../programs/hook-event.ts';
import type { Take } from '../seen/feed.ts';
import type { Seen, SeenNote } from '../seen/seen.ts';
import {
  agentsNamedIn,
  findTranscript,
  opencodeStore,
  type ProgramPlaces,
  subAgentTranscripts,
} from './find-transcript.ts';
import { type Followed, FollowedFile, type Told } from './follow-file.ts';
import { FollowedStore } from './follow-store.ts';
import { seenOfCall } from './seen-of-call.ts';

/** How many calls are handed in at a time. */
const AT_A_TIME = 64;
/** How long the end of a session waits for its transcript to be read, in milliseconds: a hook gives up after three seconds. */
const END_MS = 1_500;
/**
 * A transcript is read to its end once this number of reads in a row, this many milliseconds apart, found nothing new; a session's end reads
 * no more often than this, by count, since clocks are set while sessions end.
 */
const QUIET_READS = 2;
const MAX_READS = 8;
const PAUSE_MS = 150;
/**
 * A session that nothing was heard of for this long is not looked at until its next event. Of programs that do not say when a session ends
 * it is then checked; of others, whose end may never be said either, after the longer time.
 */
const QUIET_MS = 2 * 60_000;
const LONG_QUIET_MS = 30 * 60_000;
const SAYS_NO_END: ReadonlySet<TranscriptProgramId> = new Set(['kimi', 'opencode']);
/** How long a session is known that nothing is heard of. */
const FORGOTTEN_MS = 24 * 3_600_000;
/** How often after an event a transcript is looked for that is not there. */
const MAX_LOOKS = 3;
/** The most sessions that are followed at once, and the most sub-agents of one, and files that its program names. */
const MAX_SESSIONS = 64;
const MAX_AGENTS = 1_000;
/** The longest path that is taken, in characters: that of Linux. */
const MAX_PATH = 4_096;

interface FollowedSession {
  readonly program: TranscriptProgramId;
  readonly id: string;
  /** Where the program says that it is. */
  path: string | null;
  readonly paths: Set<string>;
  readonly agents: Set<string>;
  readonly files: Map<string, Followed>;
  /** What each file says of the session that it is of. */
  readonly said: Map<string, TranscriptSession>;
  /** When an event came, or the transcript grew, by performance.now: the time of day may be set meanwhile. */
  at: number;
  /** How often since then nothing was found. */
  looks: number;
  /** Whether anything came since it was last checked. */
  isUnchecked: boolean;
  calls: number;
  unread: number;
  /** What was not read, in the transcript's own words for it. */
  reasons: Set<string>;
  reading: Promise<void>;
}

export interface WitnessOptions {
  readonly around: ProgramPlaces;
  /** What keeps what was seen. */
  readonly take: Take;
  readonly onError: (error: unknown) => void;
  /** How long nothing is heard of a session whose end is not said before it is checked, in milliseconds. */
  readonly quietMs?: number;
}

/**
 * Reads the transcripts that programs write of their sessions, as a second witness next to their hooks: calls that no hook tells of, ends
 * that hooks do not know, and what a session comes to. Which sessions there are it learns of the events of others.
 */
export class TranscriptWitness {
  readonly #options: WitnessOptions;
  readonly #sessions = new Map<string, FollowedSession>();
  /** Of sessions that have ended. */
  readonly #ending = new Set<Promise<void>>();

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  /**
   * Learns what others saw, before it is kept. Settled at once but for the end of a session: then once its transcript was read, or
   * has taken too long.
   */
  async saw(feed: FeedId, seen: readonly Seen[]): Promise<void> {
    if (!hasTranscripts(feed)) return;
    for (const one of seen) this.#note(feed, one);
    for (const one of seen) if (one.kind === 'session_ended') await this.#ends(feed, one.session?.id);
  }

  /** Reads what was written since, of each session that something is heard of. */
  async look(): Promise<void> {
    const { quietMs = QUIET_MS } = this.#options;
    for (const [key, session] of this.#sessions) {
      const quiet = performance.now() - session.at;
      if (quiet > FORGOTTEN_MS) this.#sessions.delete(key);
      else if (quiet >= (SAYS_NO_END.has(session.program) ? quietMs : LONG_QUIET_MS)) await this.#isQuiet(session);
      else if (quiet < QUIET_MS && (session.files.size > 0 || session.looks++ < MAX_LOOKS)) await this.#read(session);
    }
  }

  /** Nothing was heard of a session for long: it is checked as far as it came. */
  async #isQuiet(session: FollowedSession): Promise<void> {
    if (!session.isUnchecked) return;
    const before = sizeOf(session);
    await this.#read(session);
    if (sizeOf(session) !== before) return;
    session.isUnchecked = false;
    await this.#options.take(session.program, [checkOf(session, ' The program has not said that the session ended.')]);
  }

  /** Everything that is being read has been handed in. */
  async close(): Promise<void> {
    await Promise.all([...this.#ending, ...[...this.#sessions.values()].map(({ reading }) => reading)]);
  }

  #note(program: TranscriptProgramId, seen: Seen): void {
    if (seen.session === null || seen.source === 'transcript') return;
    const { id } = seen.session;
    const key = `${program} ${id}`;
    const session = this.#sessions.get(key) ?? newFollowed(program, id);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    session.at = performance.now();
    session.looks = 0;
    session.isUnchecked = true;
    const { transcript_path: main, agent_transcript_path: other } = seen.extra ?? {};
    if (isPath(main)) session.path = main;
    if (isPath(other) && session.paths.size < MAX_AGENTS) session.paths.add(other);
    if (seen.sub_agent !== null) meets(session, [seen.sub_agent.id]);
  }

  async #ends(program: TranscriptProgramId, id: string | undefined): Promise<void> {
    const key = `${program} ${id ?? ''}`;
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    const read = this.#readToEnd(session)
      .then(() => this.#close(session))
      .catch(this.#options.onError)
      .finally(() => this.#ending.delete(read));
    this.#ending.add(read);
    const stopped = new AbortController();
    const late = setTimeout(END_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    // Reading takes its time; looks for a transcript that is not there end by their number.
    await Promise.race([read, late.then(() => (session.files.size === 0 ? read : undefined))]);
    stopped.abort();
    this.#sessions.delete(key);
  }

  /** Programs write a while after they have run their last hook, or while they wait for it. */
  async #readToEnd(session: FollowedSession): Promise<void> {
    const mayRead = (): number => (session.files.size === 0 ? MAX_LOOKS : MAX_READS);
    for (let reads = 0, quiet = 0; quiet < QUIET_READS && reads < mayRead(); reads++) {
      const before = sizeOf(session);
      await this.#read(session);
      quiet = sizeOf(session) === before && session.files.size > 0 ? quiet + 1 : 0;
      if (quiet < QUIET_READS) await setTimeout(PAUSE_MS);
    }
  }

  /** One after the other: two looks at a file would read the same twice. */
  #read(session: FollowedSession): Promise<void> {
    const reading = session.reading.then(() => this.#readNow(session));
    session.reading = reading.catch(this.#options.onError);
    return session.reading;
  }

  async #readNow(session: FollowedSession): Promise<void> {
    for (const path of await this.#pathsOf(session)) {
      // Of a file that cannot be read nothing is known; the others are read all the same.
      await this.#readFile(session, session.files.get(path) ?? followed(session, path)).catch(this.#options.onError);
    }
  }

  async #readFile(session: FollowedSession, file: Followed): Promise<void> {
    const before = { size: file.size, changed: file.changed };
    let batch: Seen[] = [];
    for await (const said of file.more()) {
      batch.push(...this.#seenIn(session, file, said));
      if (batch.length >= AT_A_TIME) {
        await this.#options.take(session.program, batch);
        batch = [];
      }
    }
    if (file.changed > before.changed)
      batch.push(noteOf(session, 'transcript_changed', 'What was read of the transcript is not there any more.'));
    if (batch.length > 0) await this.#options.take(session.program, batch);
    if (file.size > 0) session.files.set(file.path, file);
    if (file.size !== before.size) {
      session.at = performance.now();
      session.isUnchecked = true;
    }
  }

  async #pathsOf({ program, id, path, paths, agents }: FollowedSession): Promise<readonly string[]> {
    const { around } = this.#options;
    if (program === 'opencode') return [opencodeStore(around)];
    const found = path === null ? await findTranscript(around, program, id).catch(() => []) : [path];
    const [main] = found;
    // Next to a path that leads nowhere there is nothing.
    const others = main === undefined ? [] : await subAgentTranscripts(program, main, id, agents).catch(() => []);
    return [...new Set([...found, ...paths, ...others])];
  }

  #seenIn(session: FollowedSession, { path }: Followed, { items, sha256 }: Told): Seen[] {
    const now = new Date().toISOString();
    return items.flatMap((item): Seen[] => {
      if (item.kind === 'session') session.said.set(path, item);
      if (item.kind === 'unread') {
        session.unread++;
        if (session.reasons.size < 8) session.reasons.add(item.reason);
      }
      const said = session.said.get(path) ?? null;
      // Of a session that was taken up again under another name, what came before is that one's. Sub-agents name the one they work for, or
      // have their file in a folder that is called like it.
      const names = [said?.session_id, said?.parent_session_id, basename(dirname(path))];
      const isOther = said !== null && !names.includes(session.id);
      if (item.kind !== 'call' || isOther) return [];
      session.calls++;
      // Hooks name them as well; what they said is not remembered across a start of the recorder.
      meets(session, agentsNamedIn(item.output));
      return [seenOfCall(session.program, item, { id: session.id, said }, sha256, now)];
    });
  }

  /** The session is over: calls without an end are handed in, and what all of it came to. */
  async #close(session: FollowedSession): Promise<void> {
    const open = [...session.files.values()].flatMap((file) => this.#seenIn(session, file, file.unended()));
    await this.#options.take(session.program, [...open, checkOf(session)]);
  }
}

function meets({ agents }: FollowedSession, ids: readonly string[]): void {
  for (const id of ids) if (agents.size < MAX_AGENTS) agents.add(id);
}

/** Any program of the user can tell a hook anything. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_PATH && !value.includes('\0');
}

function newFollowed(program: TranscriptProgramId, id: string): FollowedSession {
  return {
    program,
    id,
    path: null,
    paths: new Set(),
    agents: new Set(),
    files: new Map(),
    said: new Map(),
    at: 0,
    looks: 0,
    isUnchecked: true,
    calls: 0,
    unread: 0,
    reasons: new Set(),
    reading: Promise.resolve(),
  };
}

function sizeOf({ files }: FollowedSession): number {
  return [...files.values()].reduce((sum, { size }) => sum + size, 0);
}

function followed({ program, id }: FollowedSession, path: string): Followed {
  return program === 'opencode' ? new FollowedStore(path, id) : new FollowedFile(program, path);
}

/** What the transcript of a session came to. */
function checkOf(session: FollowedSession, further = ''): SeenNote {
  if (session.files.size === 0) {
    const text = 'No transcript of the session could be read: what no hook tells of is not recorded.';
    return noteOf(session, 'transcript_missing', text);
  }
  return noteOf(session, 'session.check', checkText(session) + further, {
    calls: session.calls,
    files: session.files.size,
    unread: session.unread,
    ...(session.reasons.size > 0 && { not_read: [...session.reasons] }),
    ...(isUntried(session.program, versionOf(session)) && { not_tried: versionOf(session) ?? '' }),
  });
}

function checkText(session: FollowedSession): string {
  const { calls, unread } = session;
  const lines = unread === 0 ? '' : ` ${unread} of its lines could not be read.`;
  const version = isUntried(session.program, versionOf(session)) ? ' The version that wrote it was not tried.' : '';
  return `The transcript has ${calls} calls.${lines}${version}`;
}

function versionOf({ said }: FollowedSession): string | null {
  return said.values().next().value?.version ?? null;
}

function noteOf(
  session: FollowedSession,
  name: string,
  told: string,
  extra: { readonly [member: string]: number | string | readonly string[] } = {},
): SeenNote {
  const now = new Date().toISOString();
  const event = new HookEvent(
    {
      event: name,
      source: 'transcript',
      session: session.id,
      programVersion: versionOf(session) ?? undefined,
      extra,
    },
    { eventId: randomUUID(), receivedAt: now, digest: sha256Hex(told) },
  );
  return event.note(name, told);
}
