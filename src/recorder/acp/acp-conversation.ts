import type { ExactJson } from '../../protocol/light.ts';
import { type CallEnd, unknown } from '../mcp/call-ends.ts';
import {
  asArray,
  asObject,
  asText,
  idOf,
  type JsonObject,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from '../mcp/message.ts';
import { NO_MESSAGE, type Origin, type Side } from '../mcp/open-call.ts';
import { PendingRequests } from '../mcp/pending.ts';
import type { Clock, ConnectionFacts, Followed } from '../mcp/rpc-protocol.ts';
import { peerOf } from '../mcp/said.ts';
import { SpacedNote } from '../mcp/spaced-note.ts';
import type { Seen, SeenTold } from '../seen/seen.ts';
import { AcpSeen, type AcpSession } from './acp-seen.ts';
import { type AskedOfClient, ClientRequests } from './client-requests.ts';
import { CHOICES, PASSED_OVER, SESSION_BEGINS, SESSION_ENDS, UPDATES_PASSED_OVER } from './methods.ts';
import { decisionOf, type Question, questionOf } from './permission.ts';
import { AcpSessions } from './sessions.ts';
import { ToolCalls } from './tool-calls.ts';

/** A request whose response has not come. */
type Pending =
  | { readonly kind: 'initialize' }
  | { readonly kind: 'session'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'closing'; readonly session: AcpSession; readonly method: string }
  | { readonly kind: 'prompt'; readonly session: AcpSession }
  | { readonly kind: 'permission'; readonly question: Question; readonly size: number }
  | { readonly kind: 'client'; readonly asked: AskedOfClient; readonly session: AcpSession | null }
  | { readonly kind: 'other' };

const CLOSED = unknown('connection_closed', 'The connection ended before the call did.');
const TOO_MANY = unknown('not_followed', 'Too many requests were open at once to follow this one to its end.');

/** The most names of methods whose first message has a note; further messages are counted. */
const MOST_NAMES = 64;

/**
 * Follows the messages between a client and an agent of the Agent Client Protocol, versions 1 and 2 at once, and says what of them is
 * to be recorded. Pure but for the clock that it is given.
 */
export class AcpConversation implements Followed {
  readonly #make: AcpSeen;
  readonly #pending = new PendingRequests<Pending>(bytesOf);
  readonly #sessions = new AcpSessions();
  readonly #client: ClientRequests;
  readonly #calls: ToolCalls;
  readonly #names = new Set<string>();
  readonly #furtherNames: SpacedNote;
  strayResponses = 0;

  constructor(facts: ConnectionFacts, clock: Clock) {
    this.#make = new AcpSeen(facts, clock);
    this.#client = new ClientRequests(this.#make);
    this.#calls = new ToolCalls(this.#make, (content, session) => this.#client.exitOf(content, session));
    this.#furtherNames = new SpacedNote(() => clock.monotonic());
  }

  get programName(): string | null {
    return this.#make.agent?.name ?? null;
  }

  get owesNotes(): boolean {
    return this.#furtherNames.isOwed;
  }

  saw(from: Side, message: RpcMessage, origin: Origin): Seen[] {
    if (message.kind === 'response') return this.#answered(from === 'client' ? 'server' : 'client', message, origin);
    const { method, params } = message;
    if (method === 'session/update' && from === 'server') return this.#updated(params, origin);
    if (message.kind === 'request') return this.#asked(from, message, origin);
    return this.#told(from, method, params, origin);
  }

  note(name: string, text: string | null, origin: Origin): Seen {
    return this.#make.note(name, text, null, name, origin);
  }

  gaveUp(from: Side, id: RpcId, scope: string, end: CallEnd): Seen[] {
    const pending = this.#pending.take(scope, from, id);
    return pending === null ? [] : this.#abandoned(pending, end, NO_MESSAGE);
  }

  owed(): Seen[] {
    return this.#furtherNote(this.#furtherNames.due());
  }

  closed(): Seen[] {
    return [
      ...this.#furtherNote(this.#furtherNames.take()),
      ...this.#pending.takeAll().flatMap((pending) => this.#abandoned(pending, CLOSED, NO_MESSAGE)),
      ...this.#client.closed(NO_MESSAGE),
      ...this.#calls.closed(CLOSED),
      ...this.#sessions.takeAll().map((session) => this.#sessionEnded(session, 'connection closed', NO_MESSAGE)),
    ];
  }

  #asked(from: Side, { id, method, params }: RpcRequest, origin: Origin): Seen[] {
    const session = this.#sessions.of(params);
    const expect = (pending: Pending): Seen[] => this.#expect(from, id, pending, origin);
    if (from === 'server') {
      const question = method === 'session/request_permission' ? this.#question(session, params, origin) : null;
      if (question !== null) return [...question.seen, ...expect({ kind: 'permission', question, size: origin.size })];
      const asked = this.#client.asked(method, params, session, origin);
      if (asked !== null) return [...asked.seen, ...expect({ kind: 'client', asked: asked.pending, session })];
      return [...this.#told(from, method, params, origin), ...expect({ kind: 'other' })];
    }
    if (method === 'initialize') {
      this.#make.client = peerOf(params['clientInfo']);
      return expect({ kind: 'initialize' });
    }
    if (SESSION_BEGINS.has(method)) {
      // Until its response an agent repeats what was before; one that it only copies may be at work.
      if (session !== null && method !== 'session/fork') this.#sessions.replays(session.id);
      return expect({ kind: 'session', method, params });
    }
    if (SESSION_ENDS.has(method) && session !== null) return expect({ kind: 'closing', session, method });
    if (method === 'session/prompt' && session !== null) {
      // Whatever became of its loading: what comes now is of this prompt.
      const replayed = this.#replayed(session, origin);
      const prompted = this.#sessions.prompted(session.id);
      const told = this.#make.told(toldIn(asArray(params['prompt'])), prompted, method, origin);
      return [...replayed, told, ...expect({ kind: 'prompt', session: prompted })];
    }
    return [...this.#told(from, method, params, origin), ...expect({ kind: 'other' })];
  }

  #question(session: AcpSession | null, params: JsonObject, origin: Origin): Question | null {
    if (session === null) return null;
    const { toolCall, options } = questionOf(params);
    return { ...this.#calls.asked(session, toolCall, 'session/request_permission', origin), options };
  }

  /** What is neither a call nor an answer: a choice of the client is noted, and what is not known. */
  #told(from: Side, method: string, params: JsonObject, origin: Origin): Seen[] {
    const chosen = from === 'client' && Object.hasOwn(CHOICES, method) ? CHOICES[method] : undefined;
    if (chosen !== undefined) {
      const said = chosen.map((name) => wordOf(params[name])).join('=');
      const name = `acp.${method.replaceAll('/', '.')}`;
      return [this.#make.note(name, said === '' ? null : said, this.#sessions.of(params), method, origin)];
    }
    return PASSED_OVER.has(method) ? [] : this.#unknownName(from, method, params, origin);
  }

  #unknownName(from: Side, name: string, params: JsonObject, origin: Origin): Seen[] {
    const key = `${from} ${name}`;
    if (this.#names.has(key) || this.#names.size >= MOST_NAMES) return this.#furtherNote(this.#furtherNames.add());
    this.#names.add(key);
    const text = `${name}, from the ${from === 'client' ? 'client' : 'agent'}`;
    return [this.#make.note('acp.unknown_method', text, this.#sessions.of(params), name, origin)];
  }

  #furtherNote(count: number): Seen[] {
    return count === 0 ? [] : [this.note('acp.unknown_method', `${count} more messages`, NO_MESSAGE)];
  }

  #expect(from: Side, id: RpcId, pending: Pending, origin: Origin): Seen[] {
    const dropped = this.#pending.add(origin.scope, from, id, pending);
    return dropped.flatMap((oldest) => this.#abandoned(oldest, TOO_MANY, origin));
  }

  #updated(params: JsonObject, origin: Origin): Seen[] {
    const session = this.#sessions.of(params);
    const update = asObject(params['update']) ?? {};
    const kind = asText(update['sessionUpdate']) ?? '';
    if (session === null) return this.#unknownName('server', 'session/update without a session', params, origin);
    if (this.#sessions.countsAsReplayed(session.id, kind)) return [];
    switch (kind) {
      case 'tool_call':
      case 'tool_call_update':
        return this.#calls.updated(session, update, kind, origin);
      case 'tool_call_content_chunk':
        this.#calls.gave(session, asText(update['toolCallId']) ?? '', update['content'] ?? null, origin);
        return [];
      case 'terminal_update':
        return this.#client.updated(update, session, origin);
      case 'state_update':
        return update['state'] === 'idle' ? this.#turnEnded(session, update['stopReason'], kind, origin) : [];
      case 'current_mode_update':
        return [this.#make.note('acp.mode', asText(update['currentModeId']), session, kind, origin)];
      case 'config_option_update':
      case 'compaction_update':
        return [this.#make.note(`acp.${kind}`, null, session, kind, origin)];
      default:
        return UPDATES_PASSED_OVER.has(kind)
          ? []
          : this.#unknownName('server', `session/update ${kind}`, params, origin);
    }
  }

  #answered(asking: Side, response: RpcResponse, origin: Origin): Seen[] {
    const pending = this.#pending.take(origin.scope, asking, response.id);
    if (pending === null) {
      this.strayResponses++;
      return [];
    }
    const result = response.result ?? {};
    switch (pending.kind) {
      case 'initialize':
        this.#make.agent = peerOf(result['agentInfo']) ?? peerOf(result['info']);
        this.#make.version = versionOf(result['protocolVersion']);
        return [];
      case 'session':
        return this.#begun(pending.method, pending.params, response, origin);
      case 'closing':
        if (response.error !== null || !this.#sessions.end(pending.session.id)) return [];
        return [this.#sessionEnded(pending.session, pending.method, origin)];
      case 'prompt':
        return this.#promptAnswered(pending.session, response, origin);
      case 'permission':
        return this.#decided(pending.question, response, origin);
      case 'client':
        return this.#client.answered(pending.asked, response, pending.session, origin);
      case 'other':
        return [];
    }
  }

  #begun(method: string, params: JsonObject, { result, error }: RpcResponse, origin: Origin): Seen[] {
    const of = this.#sessions.of(params);
    const id = asText(result?.['sessionId'])?.toWellFormed() ?? of?.id ?? '';
    if (error !== null || id === '') return of === null ? [] : this.#replayed(of, origin);
    const session = this.#sessions.begin(id, asText(params['cwd']));
    const seen = this.#make.session('session_started', session, method, `${method} response`, origin);
    return of === null ? [seen] : [seen, ...this.#replayed({ ...session, id: of.id }, origin)];
  }

  /** A session is loaded, or will not be: says how much of it was taken for what was before, and not recorded. */
  #replayed(session: AcpSession, origin: Origin): Seen[] {
    const { updates, calls } = this.#sessions.replayed(session.id) ?? { updates: 0, calls: 0 };
    if (updates === 0) return [];
    const text = `The agent repeated ${updates} updates of before, ${calls} of them of calls.`;
    return [this.#make.note('acp.replayed', text, session, 'session/update', origin)];
  }

  #promptAnswered(session: AcpSession, { result, error }: RpcResponse, origin: Origin): Seen[] {
    const isLast = this.#sessions.answered(session.id);
    const ended = isLast && (error !== null || result?.['stopReason'] !== undefined);
    const seen = ended ? this.#turnEnded(session, result?.['stopReason'], 'session/prompt response', origin) : [];
    if (error === null) return seen;
    const text = `${error.code} ${error.message}`.trim();
    return [...seen, this.#make.note('acp.turn_failed', text, session, 'session/prompt response', origin)];
  }

  #turnEnded(session: AcpSession, stopReason: ExactJson | undefined, rawEvent: string, origin: Origin): Seen[] {
    return this.#calls.turnEnded(session.id, asText(stopReason), rawEvent, origin);
  }

  #decided(question: Question, response: RpcResponse, origin: Origin): Seen[] {
    const rawEvent = 'session/request_permission response';
    const { decision, reason, end } = decisionOf(question.options, response);
    return [
      this.#make.decision(question.call, decision, reason, rawEvent, origin),
      ...(end === null ? [] : this.#calls.notMade(question, end, rawEvent, origin)),
    ];
  }

  #sessionEnded(session: AcpSession, reason: string, origin: Origin): Seen {
    return this.#make.session('session_ended', session, reason, reason, origin);
  }

  #abandoned(pending: Pending, end: CallEnd, origin: Origin): Seen[] {
    switch (pending.kind) {
      case 'permission':
        return this.#calls.notMade(pending.question, end, 'no response', origin);
      case 'client':
        return this.#client.gaveUp(pending.asked, end, origin);
      case 'session': {
        const session = this.#sessions.of(pending.params);
        return session === null ? [] : this.#replayed(session, origin);
      }
      case 'prompt':
        this.#sessions.answered(pending.session.id);
        if (end.stage !== 'refused') return [];
        return [this.#make.note('acp.turn_refused', null, pending.session, 'session/prompt', origin)];
      default:
        return [];
    }
  }
}

/** How much of the bytes that came is kept with a request. */
function bytesOf(pending: Pending): number {
  if (pending.kind === 'permission') return pending.size;
  return pending.kind === 'client' && pending.asked.kind === 'call' ? pending.asked.size : 0;
}

/** The most blocks of a prompt that are recorded by themselves; in place of the last one all others are, together. */
const MOST_BLOCKS = 256;

/** What an agent is told: texts of the person, and files that come along. */
function toldIn(prompt: readonly ExactJson[]): SeenTold['told'] {
  const rest = prompt.length > MOST_BLOCKS ? [prompt.slice(MOST_BLOCKS - 1)] : [];
  return [...prompt.slice(0, MOST_BLOCKS - rest.length), ...rest].map((block) => {
    const type = asObject(block)?.['type'];
    const isFile = type === 'resource' || type === 'resource_link';
    return { kind: isFile ? 'file' : 'user', value: asText(asObject(block)?.['text']) ?? block };
  });
}

function versionOf(said: ExactJson | undefined): number | string | null {
  return typeof said === 'number' ? said : asText(said);
}

function wordOf(value: ExactJson | undefined): string {
  const id = idOf(value);
  if (id !== null) return typeof id === 'object' ? id.text : String(id);
  return typeof value === 'boolean' ? String(value) : '';
}
