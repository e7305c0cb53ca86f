import type { ExactJson } from '../../protocol/light.ts';
import { type CallEnd, cancelled, unknown } from '../mcp/call-ends.ts';
import { asText, canonicalText, type JsonObject } from '../mcp/message.ts';
import { NO_MESSAGE, type Origin } from '../mcp/open-call.ts';
import type { Seen } from '../seen/seen.ts';
import type { AcpCall, AcpSeen, AcpSession } from './acp-seen.ts';
import {
  inputOf,
  messageOf,
  outputOf,
  type ToolCallFacts,
  toolOfCall,
  touchedOf,
  withContent,
  withUpdate,
} from './tool-call.ts';

/** The most calls that are followed at once, and the most bytes of messages that are kept of them: an agent may begin some without end. */
const MOST = 2_000;
const MOST_BYTES = 32 << 20;
/** Of a call with more, further pieces of content are not kept. */
const MOST_BYTES_OF_CALL = 4 << 20;
/** How many ended calls are known, so that what is said of one later does not begin another. */
const MOST_ENDED = 4_000;

const TOO_MANY = unknown('not_followed', 'Too many calls were open at once to follow this one to its end.');

/** The members that hold content, each of which a message replaces whole. */
const LARGE = ['rawInput', 'rawOutput', 'content', 'locations'] as const;

interface Open {
  readonly facts: ToolCallFacts;
  readonly call: AcpCall;
  readonly stage: 'unseen' | 'asked' | 'proposed' | 'started';
  /** How much of the bytes that came is kept, by member. */
  readonly sizes: ReadonlyMap<string, number>;
}

type ExitOf = (content: ToolCallFacts['content'], session: string) => number | null;

/** A call that somebody is asked about. */
export interface AskedCall {
  readonly key: string;
  readonly call: AcpCall;
  readonly seen: Seen[];
}

/** The calls of tools that an agent tells its client of, from their first message to their end. */
export class ToolCalls {
  readonly #make: AcpSeen;
  readonly #open = new Map<string, Open>();
  /** The status with which a call ended. */
  readonly #ended = new Map<string, CallEnd['outcome']['status']>();
  /** The exit code of a terminal that a call shows; null where none is known. */
  readonly #exitOf: ExitOf;
  #bytes = 0;

  constructor(make: AcpSeen, exitOf: ExitOf) {
    this.#make = make;
    this.#exitOf = exitOf;
  }

  /** @param said a `tool_call` or `tool_call_update`, which in version 2 begins a call as well */
  updated(session: AcpSession, said: JsonObject, rawEvent: string, origin: Origin): Seen[] {
    const id = asText(said['toolCallId']) ?? '';
    if (id === '') return [this.#make.note('acp.call_without_id', null, session, rawEvent, origin)];
    const key = keyOf(session, id);
    const ended = this.#ended.get(key);
    if (ended !== undefined && !this.#isBegunAgain(said))
      return this.#after(key, ended, session, said, rawEvent, origin);
    const { open, dropped } = this.#keep(key, session, id, said, origin);
    return [...dropped, ...this.#moved(key, open, rawEvent, origin)];
  }

  /** A piece of content of a call (`tool_call_content_chunk`, version 2). */
  gave(session: AcpSession, id: string, piece: ExactJson, origin: Origin): void {
    const key = keyOf(session, id);
    const open = this.#open.get(key);
    if (open === undefined || sum(open.sizes) > MOST_BYTES_OF_CALL) return;
    const sizes = new Map(open.sizes).set('content', (open.sizes.get('content') ?? 0) + origin.size);
    this.#set(key, { ...open, facts: withContent(open.facts, piece), sizes });
  }

  /**
   * The client is asked whether a call may be made.
   * @returns the call, for what is answered
   */
  asked(session: AcpSession, said: JsonObject, rawEvent: string, origin: Origin): AskedCall {
    const id = asText(said['toolCallId']) ?? '';
    // Version 2 asks about commands that are no call of a tool as well.
    const key = id === '' ? this.#make.begin().request : keyOf(session, id);
    const { open, dropped } = this.#keep(key, session, id, said, origin);
    const stage = open.stage === 'unseen' ? 'asked' : open.stage;
    const fixed = this.#fixed(open);
    this.#set(key, { ...fixed, stage });
    return { key, call: fixed.call, seen: [...dropped, this.#make.call(fixed.call, 'asked', rawEvent, origin)] };
  }

  /** A call that was asked about is not made. Nothing where it ended already. */
  notMade({ key }: Pick<AskedCall, 'key'>, end: CallEnd, rawEvent: string, origin: Origin): Seen[] {
    const open = this.#open.get(key);
    return open === undefined ? [] : this.#finish(key, open, end, rawEvent, origin);
  }

  /** The turn of a session is over: calls that had no end until then have none. */
  turnEnded(sessionId: string, stopReason: string | null, rawEvent: string, origin: Origin): Seen[] {
    const end =
      stopReason === 'cancelled'
        ? cancelled('The turn was cancelled.')
        : unknown('turn_ended', 'The turn ended before the call did.');
    return this.#closed(({ call }) => call.session?.id === sessionId, end, rawEvent, origin);
  }

  closed(end: CallEnd): Seen[] {
    return this.#closed(() => true, end, 'connection closed', NO_MESSAGE);
  }

  #closed(isOf: (open: Open) => boolean, end: CallEnd, rawEvent: string, origin: Origin): Seen[] {
    return [...this.#open]
      .filter(([, open]) => isOf(open))
      .flatMap(([key, open]) => this.#finish(key, open, end, rawEvent, origin));
  }

  /** Whether a message about a call that has ended begins another one under its id. */
  #isBegunAgain(said: JsonObject): boolean {
    return said['sessionUpdate'] === 'tool_call';
  }

  /** What is said of a call after its end: recorded where the end is another. */
  #after(
    key: string,
    before: CallEnd['outcome']['status'],
    session: AcpSession,
    said: JsonObject,
    rawEvent: string,
    origin: Origin,
  ): Seen[] {
    const facts = withUpdate(null, said);
    const end = this.#endOf(facts, session);
    if (end === null || (end.outcome.status === 'ok') === (before === 'ok')) return [];
    this.#markEnded(key, end.outcome.status);
    const call = this.#callOf(facts, asText(said['toolCallId']) ?? '', session);
    return [this.#make.ended(call, end, rawEvent, origin)];
  }

  #keep(
    key: string,
    session: AcpSession,
    id: string,
    said: JsonObject,
    origin: Origin,
  ): { open: Open; dropped: Seen[] } {
    const before = this.#open.get(key);
    this.#ended.delete(key);
    const facts = withUpdate(before?.facts ?? null, said);
    const sizes = new Map(before?.sizes);
    for (const member of LARGE) if (said[member] !== undefined) sizes.set(member, origin.size);
    const begun = before?.call ?? this.#callOf(facts, id, session);
    const call = before === undefined || before.stage === 'unseen' ? { ...this.#described(begun, facts) } : begun;
    const open = { facts, call, stage: before?.stage ?? 'unseen', sizes };
    this.#set(key, open);
    return { open, dropped: this.#dropTooMany(key, origin) };
  }

  #callOf(facts: ToolCallFacts, id: string, session: AcpSession): AcpCall {
    const call = {
      ...this.#make.begin(),
      tool: toolOfCall(facts),
      callId: id === '' ? null : id,
      input: undefined,
      touched: [],
      session,
      subAgent: null,
      title: null,
    };
    return this.#described(call, facts);
  }

  /** What a call is, as far as it is known by now. */
  #described(call: AcpCall, facts: ToolCallFacts): AcpCall {
    const tool = toolOfCall(facts);
    const touched = touchedOf(tool, facts, call.session?.cwd ?? this.#make.cwd);
    return { ...call, tool, touched, subAgent: facts.parent, title: facts.title };
  }

  /** With the input that it has in every record from now on. */
  #fixed(open: Open): Open {
    if (open.stage !== 'unseen') return open;
    return { ...open, call: { ...open.call, input: inputOf(open.facts) } };
  }

  /** Records what the status of a call says now. */
  #moved(key: string, open: Open, rawEvent: string, origin: Origin): Seen[] {
    const { facts, stage } = open;
    const end = this.#endOf(facts, open.call.session);
    if (end !== null) {
      const { call } = this.#fixed(open);
      this.#drop(key, end.outcome.status);
      return [this.#make.ended({ ...call, lateInput: lateInput(call, facts) }, end, rawEvent, origin)];
    }
    if (stage === 'started') return [];
    const isRunning = facts.status === 'in_progress';
    // An input comes with the first message or soon after; until then there is nothing that could be held against the end.
    if (!isRunning && (stage !== 'unseen' || facts.rawInput === undefined)) return [];
    return this.#shown(key, open, isRunning ? 'started' : 'proposed', rawEvent, origin);
  }

  #shown(key: string, open: Open, stage: 'proposed' | 'started', rawEvent: string, origin: Origin): Seen[] {
    const fixed = this.#fixed(open);
    this.#set(key, { ...fixed, stage });
    return [this.#make.call(fixed.call, stage, rawEvent, origin)];
  }

  /** An end that the agent did not tell. */
  #finish(key: string, open: Open, end: CallEnd, rawEvent: string, origin: Origin): Seen[] {
    const begun = open.stage === 'unseen' ? this.#shown(key, open, 'proposed', rawEvent, origin) : [];
    const call = this.#open.get(key)?.call ?? open.call;
    this.#drop(key, end.outcome.status);
    return [...begun, this.#make.ended(call, end, rawEvent, origin)];
  }

  #endOf(facts: ToolCallFacts, session: AcpSession | null): CallEnd | null {
    const exit = facts.exitCode ?? this.#exitOf(facts.content, session?.id ?? '');
    const exit_code = exit === null ? {} : { exit_code: exit };
    const output = outputOf(facts);
    const gave = output === undefined ? {} : { output };
    switch (facts.status) {
      case 'completed':
        return { stage: 'completed', outcome: { status: 'ok', ...exit_code }, ...gave };
      case 'failed': {
        const message = messageOf(facts);
        const error = message === null ? {} : { error: { message } };
        return { stage: 'failed', outcome: { status: 'error', ...exit_code, ...error }, ...gave };
      }
      // Version 2.
      case 'cancelled':
        return { ...cancelled(null), ...gave };
      default:
        return null;
    }
  }

  #set(key: string, open: Open): void {
    this.#bytes += sum(open.sizes) - sum(this.#open.get(key)?.sizes ?? new Map());
    this.#open.set(key, open);
  }

  #drop(key: string, status: CallEnd['outcome']['status']): void {
    this.#bytes -= sum(this.#open.get(key)?.sizes ?? new Map());
    this.#open.delete(key);
    this.#markEnded(key, status);
  }

  #markEnded(key: string, status: CallEnd['outcome']['status']): void {
    this.#ended.delete(key);
    this.#ended.set(key, status);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MOST_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }

  #dropTooMany(newest: string, origin: Origin): Seen[] {
    const seen: Seen[] = [];
    for (const [key, open] of this.#open) {
      if (this.#open.size <= MOST && this.#bytes <= MOST_BYTES) break;
      if (key !== newest) seen.push(...this.#finish(key, open, TOO_MANY, 'not followed', { ...NO_MESSAGE, ...origin }));
    }
    return seen;
  }
}

/** The input, where the agent said it after the call was recorded with what it showed or said until then. */
function lateInput({ input }: AcpCall, { rawInput }: ToolCallFacts): ExactJson | undefined {
  if (rawInput === undefined || input === undefined) return rawInput;
  return canonicalText(rawInput) === canonicalText(input) ? undefined : rawInput;
}

function keyOf(session: AcpSession, id: string): string {
  return JSON.stringify([session.id, id]);
}

function sum(sizes: ReadonlyMap<string, number>): number {
  let bytes = 0;
  for (const size of sizes.values()) bytes += size;
  return bytes;
}
