import { createHash } from 'node:crypto';
import type { ExactJson } from '../../protocol/light.ts';
import type { SeenCommon } from '../seen/seen.ts';
import { asObject, asText, type JsonObject } from './message.ts';

/** The names under which revision 2026-07-28 has in every message what `initialize` said before. */
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** What is longer is no id, in UTF-16 code units. */
const LONGEST_NAME = 512;

export interface Peer {
  readonly name: string;
  readonly version: string | null;
}

/** What a message says of itself in `_meta`. */
export interface Said {
  /** The host program's id of the call, by which its hooks call it as well. */
  readonly callId: string | null;
  readonly session: string | null;
  readonly trace: SeenCommon['trace'];
}

/** @param params of a request or notification */
export function saidIn(params: JsonObject): Said {
  const meta = asObject(params['_meta']) ?? {};
  return {
    callId: asName(meta['claudecode/toolUseId']) ?? asName(meta['callId']),
    session: asName(meta['sessionId']),
    trace: traceOf(asText(meta['traceparent'])),
  };
}

export function clientOf(params: JsonObject): Peer | null {
  return peerOf(params['clientInfo']) ?? peerOf(asObject(params['_meta'])?.[CLIENT_INFO]);
}

/** @param result of `initialize` or, since 2026-07-28, of any request */
export function serverOf(result: JsonObject): Peer | null {
  return peerOf(result['serverInfo']) ?? peerOf(asObject(result['_meta'])?.[SERVER_INFO]);
}

/** The revision that `params` or a result of `initialize` speak of. */
export function revisionOf(said: JsonObject): string | null {
  return asText(asObject(said['_meta'])?.[PROTOCOL_VERSION]) ?? asText(said['protocolVersion']);
}

/**
 * The session of a transport as it is recorded: whoever knows the id itself could speak in it, so it is hashed.
 * @param id the value of `Mcp-Session-Id`
 */
export function recordedSession(id: string): string {
  return `mcp-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** What could be a name: a longer id is not taken. */
function asName(value: ExactJson | undefined): string | null {
  const text = asText(value);
  return text === null || text === '' || text.length > LONGEST_NAME ? null : text;
}

/** What a side says of itself. */
export function peerOf(value: ExactJson | undefined): Peer | null {
  const info = asObject(value);
  const name = asName(info?.['name']);
  return name === null ? null : { name, version: asText(info?.['version']) };
}

/** SEP-414: the header of W3C Trace Context as a member. */
function traceOf(traceparent: string | null): SeenCommon['trace'] {
  const [, trace_id, span_id] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(traceparent ?? '') ?? [];
  return trace_id === undefined || span_id === undefined ? null : { trace_id, span_id };
}
