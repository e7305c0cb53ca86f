import { decodeUtf8, type Json, ProtocolError, parseJson } from '../../protocol/records.ts';

export type JsonObject = { readonly [member: string]: Json };

/** What names a request until its response; a connection's two sides count on their own. */
export type RpcId = string | number;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcResponse {
  readonly kind: 'response';
  readonly id: RpcId;
  /** Null where the response is an error. */
  readonly result: JsonObject | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** The messages of one line, body or server-sent event. */
export interface Reading {
  readonly messages: readonly RpcMessage[];
  /** Revision 2025-03-26 has several in one array. */
  readonly batch: boolean;
  /** What was in it and is no message of JSON-RPC. */
  readonly others: number;
  /** Whether something had to be replaced before it could be recorded: duplicate members, lone surrogates, depth, bytes that are not UTF-8. */
  readonly mended: boolean;
}

/** How deep a message may nest for what is recorded of it: the canonical form of a payload has its bound a little above. */
const DEEPEST = 200;

/** Reads a copy of what is forwarded; null for what is not JSON, or neither an object nor an array. */
export function readMessages(bytes: Uint8Array): Reading | null {
  const read = readJson(bytes);
  if (read === null) return null;
  const { value, mended } = read;
  const batch = Array.isArray(value);
  const items: readonly Json[] = batch ? value : [value];
  if (!batch && asObject(value) === null) return null;
  const messages = items.flatMap((item) => messageOf(item) ?? []);
  return { messages, batch, others: items.length - messages.length, mended };
}

function readJson(bytes: Uint8Array): { value: Json; mended: boolean } | null {
  try {
    const value = parseJson(decodeUtf8(bytes));
    return isDeeper(value, DEEPEST) ? { value: mend(value, 0), mended: true } : { value, mended: false };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  // A server would take it all the same, and a call must not go unrecorded for half a character in its output.
  try {
    return { value: mend(JSON.parse(new TextDecoder().decode(bytes)), 0), mended: true };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function mend(value: unknown, depth: number): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : null;
  if (depth >= DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => mend(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), mend(member, depth + 1)]),
  );
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return (isArray(value) ? value : Object.values(value)).some((member) => isDeeper(member, levels - 1));
}

function messageOf(value: Json): RpcMessage | undefined {
  const message = asObject(value);
  if (message === null) return undefined;
  const id = idOf(message['id']);
  const method = asText(message['method']);
  if (method !== null) {
    const params = asObject(message['params']) ?? {};
    return id === null ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
  }
  if (id === null) return undefined;
  const error = asObject(message['error']);
  if (error !== null) {
    const { code, message: text } = error;
    return {
      kind: 'response',
      id,
      result: null,
      error: { code: String(code ?? 'error'), message: asText(text) ?? '' },
    };
  }
  return 'result' in message
    ? { kind: 'response', id, result: asObject(message['result']) ?? {}, error: null }
    : undefined;
}

/** The id of a request, as in `id`, `requestId` and the like; null for anything else. */
export function idOf(value: Json | undefined): RpcId | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

export function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !isArray(value) ? value : null;
}

export function asText(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function asArray(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

// Array.isArray does not narrow readonly arrays away.
function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
