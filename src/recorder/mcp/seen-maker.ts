import { createHash, randomUUID } from 'node:crypto';
import type { ExactJson } from '../../protocol/light.ts';
import type { SeenCall, SeenCommon, SeenNote, SeenTool, SeenTools, Touched } from '../seen/seen.ts';
import type { CallEnd } from './call-ends.ts';
import { asObject, asText, canonicalText, type JsonObject } from './message.ts';
import type { OpenCall, Origin } from './open-call.ts';
import type { Clock, ConnectionFacts } from './rpc-protocol.ts';
import { type Peer, saidIn } from './said.ts';
import type { ToolList } from './tool-lists.ts';

/** What is recorded of a request: docs/recorders.md, MCP. */
interface CallKind {
  readonly tool: Omit<SeenTool, 'server'>;
  readonly input: JsonObject;
  readonly touched: readonly Touched[];
}

/** The requests that are calls, by method; all others are forwarded and not recorded. */
const RECORDED_AS = {
  'resources/read': 'mcp.resource_read',
  'prompts/get': 'mcp.prompt_get',
  'sampling/createMessage': 'mcp.sampling',
  'elicitation/create': 'mcp.elicitation',
} as const;

/** Null for requests that are no calls. */
function callKind(method: string, params: JsonObject, server: string): CallKind | null {
  if (method === 'tools/call') {
    const input = params['arguments'];
    return {
      tool: { name: toolName(asText(params['name'])), type: 'mcp' },
      input: asObject(input) ?? {},
      touched: [],
    };
  }
  if (!isRecorded(method)) return null;
  const { _meta, inputResponses, requestState, ...input } = params;
  return { tool: { name: RECORDED_AS[method], type: 'mcp' }, input, touched: touchedBy(method, params, server) };
}

function toolName(name: string | null): string {
  return name === null || name === '' ? 'unnamed' : name.toWellFormed();
}

function isRecorded(method: string): method is keyof typeof RECORDED_AS {
  return Object.hasOwn(RECORDED_AS, method);
}

function touchedBy(method: string, params: JsonObject, server: string): Touched[] {
  const uri = asText(params['uri']);
  if (method !== 'resources/read' || uri === null) return [];
  return [{ kind: 'other', id: uri, within: server, access: 'read' }];
}

/** Words what happened on one connection as the recorder takes it. */
export class SeenMaker {
  readonly #facts: ConnectionFacts;
  readonly #clock: Clock;
  #requests = 0;
  readonly #alike = new Set<string>();
  #serverSaid: string | null = null;
  client: Peer | null = null;
  revision: string | null = null;

  constructor(facts: ConnectionFacts, clock: Clock) {
    this.#facts = facts;
    this.#clock = clock;
  }

  get server(): string {
    return this.#facts.serverName ?? this.#serverSaid ?? this.#facts.fallbackName;
  }

  set serverSaid(name: string) {
    this.#serverSaid = name;
  }

  /** The call that a request is; null for one that is no call. */
  open(method: string, params: JsonObject, origin: Origin): OpenCall | null {
    const kind = callKind(method, params, this.server);
    if (kind === null) return null;
    const { callId, session, trace } = saidIn(params);
    const id = session ?? origin.session;
    return {
      method,
      tool: { ...kind.tool, server: this.server },
      callId,
      input: kind.input,
      touched: kind.touched,
      session: id === null ? null : { id },
      trace,
      begunAt: this.#clock.monotonic(),
      request: `${this.#facts.id}/${++this.#requests}`,
      origin,
      alike: null,
    };
  }

  /**
   * The call as it is recorded from now on. One without an id of the program's stays without, so that it can be joined with what a hook
   * says of it by what it was given; but while another such call is open, only an id tells the two apart.
   */
  begin(call: OpenCall): OpenCall {
    if (call.callId !== null) return call;
    const alike = createHash('sha256')
      .update(canonicalText([call.tool.name, call.input]))
      .digest('hex');
    if (this.#alike.has(alike)) return { ...call, callId: call.request };
    this.#alike.add(alike);
    return { ...call, alike };
  }

  started(call: OpenCall): SeenCall {
    return { ...this.#call(call, call.method, call.origin), stage: 'started' };
  }

  /** @param origin of the message that ended it */
  ended(call: OpenCall, end: CallEnd, origin: Origin, rawEvent = `${call.method} response`): SeenCall {
    if (call.alike !== null) this.#alike.delete(call.alike);
    const model = call.tool.name === 'mcp.sampling' ? modelOf(end.output) : null;
    return {
      ...this.#call(call, rawEvent, origin),
      ...end,
      model: model === null ? null : { name: model },
      duration_ms: Math.max(0, Math.round(this.#clock.monotonic() - call.begunAt)),
    };
  }

  tools({ count, definitions_sha256 }: ToolList, origin: Origin): SeenTools {
    const common = this.#common('tools/list response', origin, null);
    return { ...common, kind: 'tools', server: this.server, count, definitions_sha256 };
  }

  note(name: string, text: string | null, origin: Origin): SeenNote {
    return { ...this.#common(name, origin, null), kind: 'note', name, text };
  }

  #call(call: OpenCall, rawEvent: string, origin: Origin): Omit<SeenCall, 'stage'> {
    return {
      ...this.#common(rawEvent, origin, call.request),
      ...shortenedOf(call.origin, origin),
      session: call.session,
      trace: call.trace,
      kind: 'call',
      tool: call.tool,
      call_id: call.callId,
      input: call.input,
      touched: call.touched,
    };
  }

  #common(rawEvent: string, origin: Origin, request: string | null): SeenCommon {
    const extra: Record<string, ExactJson> = {};
    if (this.client !== null) extra['mcp_client'] = this.client.name;
    if (this.revision !== null) extra['mcp_revision'] = this.revision;
    // Joins both ends of a call to which the client gives no id.
    if (request !== null) extra['mcp_request'] = request;
    return {
      source: 'mcp',
      witness: this.server,
      event_id: randomUUID(),
      raw_event: rawEvent,
      raw_sha256: origin.raw_sha256,
      observed_at: new Date(this.#clock.now()).toISOString(),
      session: origin.session === null ? null : { id: origin.session },
      sub_agent: null,
      model: null,
      program_version: this.client?.version ?? null,
      cwd: this.#facts.cwd,
      trace: null,
      extra,
      ...(origin.shortened !== undefined && { shortened: origin.shortened }),
    };
  }
}

/** What a call lacks of its request, which is told again at its end, and of the message that ended it. */
export function shortenedOf(request: Origin, message: Origin): Pick<SeenCommon, 'shortened'> {
  if (request.shortened === undefined || request === message) return {};
  const own = message.shortened ?? { bytes: message.size, left_out: [] };
  return { shortened: { bytes: own.bytes, left_out: [...request.shortened.left_out, ...own.left_out] } };
}

function modelOf(output: ExactJson | undefined): string | null {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return null;
  const name = asText((output as JsonObject)['model']);
  return name === '' ? null : name;
}
