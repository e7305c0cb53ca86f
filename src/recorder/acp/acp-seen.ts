import { randomUUID } from 'node:crypto';
import type { ExactJson } from '../../protocol/light.ts';
import type { CallEnd } from '../mcp/call-ends.ts';
import type { Origin } from '../mcp/open-call.ts';
import type { Clock, ConnectionFacts } from '../mcp/rpc-protocol.ts';
import type { Peer } from '../mcp/said.ts';
import { shortenedOf } from '../mcp/seen-maker.ts';
import {
  lasted,
  type Seen,
  type SeenCall,
  type SeenCommon,
  type SeenDecision,
  type SeenNote,
  type SeenSession,
  type SeenTold,
  type SeenTool,
  type Touched,
} from '../seen/seen.ts';

/** The session that something happens in; null where the message names none. */
export interface AcpSession {
  readonly id: string;
  readonly cwd: string | null;
  readonly turn: number;
}

/** A call as the recorder learns of it. */
export interface AcpCall {
  readonly tool: SeenTool;
  /** The agent's id of it; null for what the agent asks of its client, which has none. */
  readonly callId: string | null;
  readonly input: ExactJson | undefined;
  /** Where the agent said the input once the call was recorded without it, or with another one. */
  readonly lateInput?: ExactJson | undefined;
  readonly touched: readonly Touched[];
  readonly session: AcpSession | null;
  readonly subAgent: string | null;
  /** Names it within this proxy, and joins both ends of a call without an id. */
  readonly request: string;
  /** By the monotonic clock, in milliseconds. */
  readonly begunAt: number;
  /** What the agent calls it for people; null where it says nothing. */
  readonly title: string | null;
  /** The message that it was asked for by, whose input is told again at its end. */
  readonly origin?: Origin;
}

/** Words what happened on one connection as the recorder takes it. */
export class AcpSeen {
  readonly #facts: ConnectionFacts;
  readonly #clock: Clock;
  #requests = 0;
  /** Who the two sides say they are. */
  agent: Peer | null = null;
  client: Peer | null = null;
  version: number | string | null = null;

  constructor(facts: ConnectionFacts, clock: Clock) {
    this.#facts = facts;
    this.#clock = clock;
  }

  get witness(): string {
    return this.#facts.serverName ?? this.agent?.name ?? this.#facts.fallbackName;
  }

  get cwd(): string | null {
    return this.#facts.cwd;
  }

  /** What a new call is known by, from when it is measured. */
  begin(): Pick<AcpCall, 'request' | 'begunAt'> {
    return { request: `${this.#facts.id}/${++this.#requests}`, begunAt: this.#clock.monotonic() };
  }

  call(call: AcpCall, stage: 'proposed' | 'asked' | 'started', rawEvent: string, origin: Origin): SeenCall {
    return { ...this.#call(call, rawEvent, origin), stage };
  }

  ended(call: AcpCall, end: CallEnd, rawEvent: string, origin: Origin): SeenCall {
    return {
      ...this.#call(call, rawEvent, origin),
      ...end,
      ...lasted(this.#clock.monotonic() - call.begunAt),
    };
  }

  decision(
    call: AcpCall,
    decision: SeenDecision['decision'],
    reason: string | null,
    rawEvent: string,
    origin: Origin,
  ): SeenDecision {
    const { tool, callId: call_id, input } = call;
    // A person in the client's dialog, or the client by its settings: the protocol does not tell.
    const by = { kind: 'unknown', id: this.client?.name ?? 'client' } as const;
    const common = this.#common(rawEvent, origin, call.session, { acp_request: call.request });
    return { ...common, kind: 'decision', tool, call_id, ...(input !== undefined && { input }), decision, by, reason };
  }

  session(kind: SeenSession['kind'], session: AcpSession, reason: string, rawEvent: string, origin: Origin): Seen {
    return { ...this.#common(rawEvent, origin, session), kind, reason };
  }

  told(told: SeenTold['told'], session: AcpSession | null, rawEvent: string, origin: Origin): SeenTold {
    return { ...this.#common(rawEvent, origin, session), kind: 'told', told };
  }

  note(name: string, text: string | null, session: AcpSession | null, rawEvent: string, origin: Origin): SeenNote {
    return { ...this.#common(rawEvent, origin, session), kind: 'note', name, text };
  }

  #call(call: AcpCall, rawEvent: string, origin: Origin): Omit<SeenCall, 'stage'> {
    const { tool, callId: call_id, input, lateInput, touched, session, subAgent, title } = call;
    const extra = {
      acp_request: call.request,
      ...(title !== null && { acp_title: title }),
      ...(lateInput !== undefined && { acp_input: lateInput }),
    };
    return {
      ...this.#common(rawEvent, origin, session, extra),
      ...(call.origin !== undefined && shortenedOf(call.origin, origin)),
      sub_agent: subAgent === null ? null : { id: subAgent },
      kind: 'call',
      tool,
      call_id,
      ...(input !== undefined && { input }),
      touched,
    };
  }

  #common(
    rawEvent: string,
    origin: Origin,
    session: AcpSession | null,
    extra: { readonly [member: string]: ExactJson } = {},
  ): SeenCommon {
    return {
      source: 'acp',
      witness: this.witness,
      event_id: randomUUID(),
      raw_event: rawEvent,
      raw_sha256: origin.raw_sha256,
      observed_at: new Date(this.#clock.now()).toISOString(),
      session: session === null ? null : { id: session.id, ...(session.turn > 0 && { turn: session.turn }) },
      sub_agent: null,
      model: null,
      program_version: this.agent?.version ?? null,
      cwd: session?.cwd ?? this.cwd,
      trace: null,
      ...(origin.shortened !== undefined && { shortened: origin.shortened }),
      extra: {
        ...extra,
        ...(this.client !== null && { acp_client: this.client.name }),
        ...(this.version !== null && { acp_version: this.version }),
      },
    };
  }
}
