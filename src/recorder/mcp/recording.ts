import { randomUUID } from 'node:crypto';
import { PROGRAMS } from '../../api/light.ts';
import { exactJsonText } from '../../protocol/light.ts';
import { type FeedId, PROGRAM_IDS } from '../base/programs.ts';
import type { Received } from '../seen/received.ts';
import { type Seen, shortenedBy } from '../seen/seen.ts';
import { BLOCKED, type CallEnd } from './call-ends.ts';
import type { Handing } from './handing.ts';
import { type Reading, type RpcId, readMessages } from './message.ts';
import { NO_MESSAGE, type Origin, type Side } from './open-call.ts';
import type { ConnectionFacts, Followed, RpcProtocol } from './rpc-protocol.ts';
import { NOTE_EVERY_MS, SpacedNote } from './spaced-note.ts';

/**
 * Whose actions those of a program are: its own agent's, else the one's for programs with windows, else the one's for all others.
 * @param name null where the program has not said it
 * @param installed whether an agent is installed for a feed
 */
function feedOfProgram(name: string | null, installed: (feed: FeedId) => boolean): FeedId {
  const lower = name?.toLowerCase() ?? '';
  const own = PROGRAM_IDS.find((id) => PROGRAMS[id].clients.some((beginning) => lower.startsWith(beginning)));
  const candidates: readonly FeedId[] = [...(own === undefined ? [] : [own]), 'gui', 'other'];
  return candidates.find(installed) ?? own ?? 'other';
}

/** The longest message that is kept whole, in bytes; longer ones are recorded from what `Receiving` keeps of them. */
export const LONGEST_PARSED = 16 << 20;

/** The most messages of a connection that were not read, or not understood, and have a note each; further ones are told together. */
const MOST_NOTES = 100;

/** What recordings of all connections of a proxy share. */
export interface RecordingSettings extends Omit<ConnectionFacts, 'id'> {
  readonly protocol: RpcProtocol;
  readonly handing: Handing;
  /** Null where the name of the program that acts decides. */
  readonly feed: FeedId | null;
  readonly isInstalled: (feed: FeedId) => boolean;
}

/** Why a message is not forwarded, and what its sender gets instead. */
export interface Refusal {
  /** JSON without a line end. */
  readonly answer: string;
}

/** The code of JSON-RPC that a refused request is answered with. */
const REFUSED = -32_001;

/** Records one connection: what it is shown is a copy of what was forwarded, or is about to be. */
export class Recording {
  readonly #settings: RecordingSettings;
  readonly #conversation: Followed;
  readonly #unread = { client: 0, server: 0 };
  #notes = 0;
  readonly #further: SpacedNote;
  #noting: NodeJS.Timeout | null = null;

  constructor(settings: RecordingSettings) {
    const monotonic = (): number => performance.now();
    this.#settings = settings;
    this.#conversation = settings.protocol.follow({ ...settings, id: randomUUID() }, { now: Date.now, monotonic });
    this.#further = new SpacedNote(monotonic);
  }

  /** Whether what a side sends may be held back. */
  isHeld(from: Side): boolean {
    return this.#settings.protocol.isHeld(from);
  }

  /**
   * Shows what a side sends that may be held back, before it is forwarded. Where it is an action, this waits for the recorder.
   * @returns null where it may be forwarded
   */
  async beforeForwarding(
    from: Side,
    message: Received,
    scope: string,
    session: string | null,
  ): Promise<Refusal | null> {
    // Blank lines are no messages.
    if (isBlank(message)) return null;
    const { protocol, handing } = this.#settings;
    const kept = message.json?.length ?? 0;
    const { reading, seen } = this.#read(from, message, scope, session);
    const messages = reading?.messages ?? [];
    const isUnread = reading === null || reading.others > 0;
    const origin = { ...NO_MESSAGE, session, raw_sha256: message.sha256 };
    const text = `from the ${protocol.sides[from]}, ${message.size} bytes`;
    const note = isUnread ? this.#unreadNote('not_understood', text, origin) : [];
    if (!isUnread && !messages.some((one) => protocol.isAction(one))) {
      this.#later(seen, kept);
      return null;
    }
    const verdict = await handing.asked(this.#feed, [...seen, ...note], kept, isUnread);
    if (verdict.allowed) return null;
    const ids = messages.flatMap((one) => (one.kind === 'request' ? [one.id] : []));
    this.gaveUp(from, ids, scope, BLOCKED);
    return { answer: refusalOf(reading?.batch ?? false, ids, verdict.reason ?? 'The recorder does not allow it.') };
  }

  /**
   * A message of a side that may be held back cannot be decoded.
   * @returns null where it may be forwarded; `tooLong` then says what it was
   */
  async isUnread(from: Side, session: string | null): Promise<Refusal | null> {
    const verdict = await this.#settings.handing.asked(this.#feed, [], 0, true);
    if (verdict.allowed) return null;
    const text = `from the ${this.#settings.protocol.sides[from]}, not read and not forwarded`;
    this.#later(this.#unreadNote('not_understood', text, { ...NO_MESSAGE, session }));
    return { answer: refusalOf(false, [], verdict.reason ?? 'The recorder does not allow it.') };
  }

  /** Shows what a side sends that is forwarded whatever it is. */
  forwarded(from: Side, message: Received, scope: string, session: string | null): void {
    if (message.json === null) {
      this.tooLong(from, message, session);
      return;
    }
    if (isBlank(message)) return;
    const { seen } = this.#read(from, message, scope, session);
    this.#later(seen, message.json.length);
  }

  /** Kept once the recorder is not behind: until then nothing further is read of either side. */
  room(): Promise<void> {
    return this.#settings.handing.room();
  }

  /** What says at once that a message was not read; where there were too many before, of all since the last such note. */
  #unreadNote(name: string, text: string, origin: Origin): Seen[] {
    if (++this.#notes <= MOST_NOTES) return [this.#note(name, text, origin)];
    const note = this.#furtherNote(this.#further.add());
    this.#noteLater();
    return note;
  }

  #furtherNote(count: number): Seen[] {
    return count === 0 ? [] : [this.#note('not_understood', `${count} more, not read`, NO_MESSAGE)];
  }

  #note(name: string, text: string, origin: Origin): Seen {
    return this.#conversation.note(`${this.#settings.protocol.name}.${name}`, text, origin);
  }

  /** What is owed is noted also where nothing comes any more: a crash would take it along. */
  #noteLater(): void {
    if (this.#noting !== null || !(this.#conversation.owesNotes || this.#further.isOwed)) return;
    this.#noting = setTimeout(() => {
      this.#noting = null;
      this.#later([...this.#conversation.owed(), ...this.#furtherNote(this.#further.due())]);
      this.#noteLater();
    }, NOTE_EVERY_MS).unref();
  }

  /** A message was too long, or could not be decoded. It is known by its digest and size alone. */
  tooLong(from: Side, { sha256, size }: { sha256: string; size: number }, session: string | null): void {
    this.#unread[from]++;
    const origin = { ...NO_MESSAGE, session, raw_sha256: sha256 };
    const text = `from the ${this.#settings.protocol.sides[from]}, ${size} bytes`;
    this.#later(this.#unreadNote('message_too_long', text, origin));
  }

  /** Counts a message that could not be read. */
  unreadable(from: Side): void {
    this.#unread[from]++;
  }

  /** Requests will have no response any more, or none that could be read. */
  gaveUp(from: Side, ids: readonly RpcId[], scope: string, end: CallEnd): void {
    this.#later(ids.flatMap((id) => this.#conversation.gaveUp(from, id, scope, end)));
  }

  /** The connection ended. */
  closed(): void {
    const { client, server } = this.#unread;
    const { sides } = this.#settings.protocol;
    const stray = this.#conversation.strayResponses;
    const counts = `not understood: ${client} from the ${sides.client}, ${server} from the ${sides.server}; responses to no request: ${stray}`;
    if (this.#noting !== null) clearTimeout(this.#noting);
    const note = client + server + stray > 0 ? [this.#note('not_understood', counts, NO_MESSAGE)] : [];
    this.#later([...this.#conversation.closed(), ...this.#furtherNote(this.#further.take()), ...note]);
  }

  #read(
    from: Side,
    message: Received,
    scope: string,
    session: string | null,
  ): { reading: Reading | null; seen: Seen[] } {
    const reading = message.json && readMessages(message.json, this.#settings.protocol.acts);
    this.#unread[from] += reading === null ? 1 : reading.others;
    if (reading === null) return { reading, seen: [] };
    const size = Math.ceil(message.size / Math.max(1, reading.messages.length));
    const origin: Origin = { scope, session, raw_sha256: message.sha256, size, ...shortenedBy(message) };
    const seen = reading.messages.flatMap((one) => this.#conversation.saw(from, one, origin));
    this.#noteLater();
    return { reading, seen };
  }

  #later(seen: readonly Seen[], bytes = 0): void {
    this.#settings.handing.later(this.#feed, seen, bytes);
  }

  get #feed(): FeedId {
    const { feed, isInstalled } = this.#settings;
    return feed ?? feedOfProgram(this.#conversation.programName, isInstalled);
  }
}

function refusalOf(batch: boolean, ids: readonly RpcId[], reason: string): string {
  const answers = ids.map((id) => ({ jsonrpc: '2.0', id, error: { code: REFUSED, message: reason } }));
  // Of what could not be read nobody knows the id (JSON-RPC 2.0, section 5).
  const unknown = { jsonrpc: '2.0', id: null, error: { code: REFUSED, message: reason } };
  return exactJsonText(batch && answers.length > 0 ? answers : (answers[0] ?? unknown));
}

function isBlank({ json, size }: Received): boolean {
  return (
    json !== null && size < 16 && json.every((byte) => byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09)
  );
}
