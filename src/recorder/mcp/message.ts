import {
  canonicalize,
  decodeUtf8,
  type ExactJson,
  ExactNumber,
  isMembers,
  ProtocolError,
  parseJson,
  readExactJson,
  withTexts,
} from '../../protocol/light.ts';

/** Where a message names a member twice: among its own, or only deeper within. */
type Doubled = 'message' | 'within';

const COLON = /[ \t\r\n]*:/y;

/** Where the string ends that begins at a quote: behind its last one. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * Which messages name a member twice, by their places in a batch; a message alone is the first. Parsers keep the last, the first or
 * none of the two (RFC 8259 §4).
 * @param text that JSON.parse takes
 */
function doubledMembers(text: string): ReadonlyMap<number, Doubled> {
  const doubled = new Map<number, Doubled>();
  /** Names of the objects that are open; null for an array. */
  const open: (Set<string> | null)[] = [];
  const messageLevel = /^[\s\ufeff]*\[/.test(text) ? 2 : 1;
  let message = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(null);
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && open.length < messageLevel) message++;
    if (character !== '"') continue;
    const begin = at;
    COLON.lastIndex = endOfString(text, begin);
    at = COLON.lastIndex - 1;
    const names = open.at(-1);
    if (names == null || !COLON.test(text)) continue;
    const name = JSON.parse(text.slice(begin, at + 1)) as string;
    if (names.has(name) && doubled.get(message) !== 'message') {
      doubled.set(message, open.length === messageLevel ? 'message' : 'within');
    }
    names.add(name);
  }
  return doubled;
}

export type JsonObject = { readonly [member: string]: ExactJson };

/** What names a request until its response; a connection's two sides count on their own. */
export type RpcId = string | number | ExactNumber;

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
  /** Whether it is an object with nothing that a message has, in whatever case. */
  readonly foreign: boolean;
  /** Whether something had to be replaced before it could be recorded: duplicate members, lone surrogates, depth, bytes that are not UTF-8. */
  readonly mended: boolean;
}

/** How deep a message may nest for what is recorded of it: the canonical form of a payload has its bound a little above. */
const DEEPEST = 200;

/**
 * Reads a copy of what is forwarded; null for what is not JSON, or neither an object nor an array.
 * @param acts what messages of the protocol may do
 */
export function readMessages(bytes: Uint8Array, acts: Acts): Reading | null {
  const read = readJson(bytes);
  if (read === null) return null;
  const { value, mended, doubled } = read;
  const batch = Array.isArray(value);
  const items: readonly ExactJson[] = batch ? value : [value];
  const object = asObject(value);
  if (!batch && object === null) return null;
  const messages = items.flatMap((item, index) => messageOf(item, doubled.get(index), acts) ?? []);
  return {
    messages,
    batch,
    others: items.length - messages.length,
    foreign: object !== null && !TELLING_ANY.isIn(object),
    mended,
  };
}

function readJson(
  bytes: Uint8Array,
): { value: ExactJson; mended: boolean; doubled: ReadonlyMap<number, Doubled> } | null {
  const none = new Map<number, Doubled>();
  try {
    const value = readExactJson(decodeUtf8(bytes), parseJson);
    const isDeep = isDeeper(value, DEEPEST);
    return { value: isDeep ? mend(value, 0) : value, mended: isDeep, doubled: none };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  // A server would take it all the same, and a call must not go unrecorded for half a character in its output.
  try {
    const text = new TextDecoder().decode(bytes);
    return { value: mend(readExactJson(text, JSON.parse), 0), mended: true, doubled: doubledMembers(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function mend(value: ExactJson, depth: number): ExactJson {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (depth >= DEEPEST) return null;
  if (isArray(value)) return value.map((item) => mend(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), mend(member, depth + 1)]),
  );
}

function isDeeper(value: ExactJson, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return (isArray(value) ? value : Object.values(value)).some((member) => isDeeper(member, levels - 1));
}

/** Members that tell, and whatever is spelled almost as one of them. */
class Telling {
  readonly #names: ReadonlySet<string>;
  /** Some servers, those in Go among them, read members in any case: by Unicode's simple folding, as `iu` does, in which U+017F is an "s". */
  readonly #inAnyCase: RegExp;

  constructor(...names: readonly string[]) {
    this.#names = new Set(names);
    this.#inAnyCase = new RegExp(`^(?:${names.join('|')})$`, 'iu');
  }

  isIn(members: JsonObject): boolean {
    return Object.keys(members).some((name) => this.#inAnyCase.test(name));
  }

  /** Whether a member is spelled almost as one of these: two readers then see two messages. */
  isMisspelledIn(members: JsonObject): boolean {
    return Object.keys(members).some((name) => !this.#names.has(name) && this.#inAnyCase.test(name));
  }
}

/** What says of an object that it is a message, and of which kind. */
const TELLING = new Telling('jsonrpc', 'id', 'method', 'params', 'result', 'error');
/** What an object has that some server may take for a message; an id or an error others have as well. */
const TELLING_ANY = new Telling('jsonrpc', 'method', 'params', 'result');

/** What the other side may carry out also where nobody can be answered, and the parameters that say what: two readers must not see two. */
export class Acts {
  readonly #requests: ReadonlySet<string>;
  readonly #notifications: ReadonlySet<string>;
  readonly #parameters: Telling;

  constructor(requests: readonly string[], notifications: readonly string[], parameters: readonly string[]) {
    this.#requests = new Set(requests);
    this.#notifications = new Set(notifications);
    this.#parameters = new Telling(...parameters);
  }

  needsId(method: string): boolean {
    return this.#requests.has(method);
  }

  has(method: string): boolean {
    return this.#requests.has(method) || this.#notifications.has(method);
  }

  isMisspelledIn(params: JsonObject): boolean {
    return this.#parameters.isMisspelledIn(params);
  }
}

/** @param doubled where the message names a member twice: among its members, or within what a call is given, readers see two messages */
function messageOf(value: ExactJson, doubled: Doubled | undefined, acting: Acts): RpcMessage | undefined {
  const message = asObject(value);
  if (message === null || TELLING.isMisspelledIn(message) || doubled === 'message') return undefined;
  const id = idOf(message['id']);
  const method = asText(message['method']);
  const acts = acting.has(method ?? '');
  if (acts && doubled !== undefined) return undefined;
  // JSON-RPC knows an id of null, and the protocols over it do not use it.
  if (id === null && (acting.needsId(method ?? '') || 'id' in message)) return undefined;
  if (acts && acting.isMisspelledIn(asObject(message['params']) ?? {})) return undefined;
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
export function idOf(value: ExactJson | undefined): RpcId | null {
  return typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber ? value : null;
}

export function asObject(value: ExactJson | undefined): JsonObject | null {
  return isMembers(value) ? value : null;
}

/** The canonical form of what may have numbers that a double does not keep: of those, the texts. Equal for equal values. */
export function canonicalText(value: ExactJson): string {
  return canonicalize(withTexts(value).value);
}

export function asText(value: ExactJson | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function asArray(value: ExactJson | undefined): readonly ExactJson[] {
  return isArray(value) ? value : [];
}

// Array.isArray does not narrow readonly arrays away.
function isArray(value: ExactJson | undefined): value is readonly ExactJson[] {
  return Array.isArray(value);
}
