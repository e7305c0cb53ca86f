import { ERROR_STATUS, type ErrorCode } from '../api/errors/index.ts';
import { LOG_SIZE_HEADER, messageOf } from '../protocol/light.ts';
import { AgentError } from './agent-error.ts';
import { exchange, type HttpAnswer, pauseFor } from './http-exchange.ts';

/** Looks whether it is the right service that answers, and is told whether it did. */
export interface Identity {
  /** @throws AgentError SERVICE_UNAVAILABLE to try again, any other to give up */
  prove(): Promise<void>;
  answered(): void;
  failed(): void;
}

/**
 * An AbortSignal. It is declared by what is read of it here, since the package is also used where neither Node's types nor those of browsers
 * are loaded; nothing else may be given.
 */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}

export interface ServiceClientOptions {
  /** Such as http://127.0.0.1:8787; the addresses of several nodes of one ledger with a comma between. */
  readonly serviceUrl: string;
  /** Session or API token; none for calls that need none. */
  readonly token?: string;
  /** How long to go on trying while the service is away, busy or failing, in milliseconds. */
  readonly retryForMs?: number;
  /** How long one request may take, in milliseconds. */
  readonly timeoutMs?: number;
  /** Looks who answers at an address before a token is sent there. */
  readonly identity?: (serviceUrl: string) => Identity | undefined;
  /** Is told how many records the service's ledger has sealed, where an answer says so. */
  readonly heard?: (logSize: number) => void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

/** Asks the active node of a ledger that has several: what a standby says of a chain or a log may be older than what is known already. */
const ACTIVE_ONLY = { 'countersign-active-only': '1' };

/** The addresses in a setting: one, or several with commas between. */
export function addressesIn(serviceUrl: string): string[] {
  return serviceUrl.split(',').map((address) => address.trim().replace(/\/+$/, ''));
}

/** Of an error envelope (docs/limits.md, Errors), what is read here. */
interface Refusal {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly active?: unknown };
}

function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    'message' in error &&
    typeof error.message === 'string' &&
    Object.hasOwn(ERROR_STATUS, error.code)
  );
}

/** What one attempt came to: an answer, a refusal that stands, or a reason to try again. */
type Attempt =
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'again'; readonly why: string; readonly afterMs: number };

/**
 * JSON over HTTP to the service. Tries again what may be tried again: the interface makes a repeated record answer with
 * the same receipt, so a lost answer loses nothing.
 */
export class ServiceClient {
  /** Of nodes of one ledger; the one in use comes first. */
  #places: readonly { readonly url: string; readonly identity: Identity | undefined }[];
  readonly #headers: Record<string, string>;
  readonly #retryForMs: number;
  readonly #timeoutMs: number;
  readonly #heard: ((logSize: number) => void) | undefined;

  constructor({ serviceUrl, token, retryForMs = 60_000, timeoutMs = 30_000, identity, heard }: ServiceClientOptions) {
    this.#places = addressesIn(serviceUrl).map((url) => ({ url, identity: identity?.(url) }));
    this.#headers = { ...ACTIVE_ONLY, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    this.#retryForMs = retryForMs;
    this.#timeoutMs = timeoutMs;
    this.#heard = heard;
  }

  /** @param signal ends it, pauses included; its reason is then what is thrown */
  get(path: string, signal?: StopSignal): Promise<unknown> {
    return this.#retry(() => this.#attempt('GET', path, undefined, signal), signal);
  }

  post(path: string, body?: unknown): Promise<unknown> {
    return this.postText(path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** @param json the body as it is sent */
  postText(path: string, json: string | undefined): Promise<unknown> {
    return this.#retry(() => this.#attempt('POST', path, json));
  }

  remove(path: string): Promise<unknown> {
    return this.#retry(() => this.#attempt('DELETE', path, undefined));
  }

  /** A file as it is served. @throws AgentError */
  async download(path: string): Promise<Uint8Array> {
    const { url, identity } = this.#place;
    await identity?.prove();
    const answer = await exchange(url + path, { method: 'GET', headers: this.#headers });
    if (!isOk(answer)) throw refusalIn(answer);
    return answer.body;
  }

  get #place() {
    const [place] = this.#places;
    if (place === undefined) throw new AgentError('SERVICE_UNAVAILABLE', 'no address of a service was given');
    return place;
  }

  /** Goes to the next address, or to one that a node names, if it is among them: whoever answers must not lead a token elsewhere. */
  #move(from: string, active: unknown): void {
    const isNamed = ({ url }: { readonly url: string }): boolean =>
      typeof active === 'string' && URL.canParse(active) && new URL(active).href === new URL(url).href;
    const [first, ...others] = this.#places;
    // Another request may have done so meanwhile.
    if (first === undefined || first.url !== from) return;
    const named = others.filter(isNamed);
    this.#places = [...named, ...others.filter((place) => !named.includes(place)), first];
  }

  async #retry(attempt: () => Promise<Attempt>, signal?: StopSignal): Promise<unknown> {
    const deadline = performance.now() + this.#retryForMs;
    let moves = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const { url } = this.#place;
      const result = await attempt();
      if (result.kind === 'answer') return result.body;
      if (result.kind === 'refused') throw new AgentError(result.code, result.message);
      // Each address once, at once; from then on it is the ledger that is away.
      if (url !== this.#place.url && ++moves < this.#places.length) continue;
      // Jitter keeps agents that lost the service together from coming back together.
      const wait = Math.max(result.afterMs, pause * (0.5 + Math.random()));
      if (performance.now() + wait > deadline) {
        throw new AgentError('SERVICE_UNAVAILABLE', `the service at ${url} did not answer: ${result.why}`);
      }
      await pauseFor(wait, signal as AbortSignal | undefined);
    }
  }

  async #attempt(method: string, path: string, body: string | undefined, signal?: StopSignal): Promise<Attempt> {
    let response: HttpAnswer;
    let answer: unknown;
    const { url, identity } = this.#place;
    try {
      await identity?.prove();
      response = await exchange(url + path, {
        method,
        headers: body === undefined ? this.#headers : { ...this.#headers, ...jsonHeaders(body) },
        ...(body === undefined ? {} : { body }),
        timeoutMs: this.#timeoutMs,
        ...(signal && { signal: signal as AbortSignal }),
      });
      answer = JSON.parse(response.body.toString('utf8'));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      identity?.failed();
      if (error instanceof AgentError && error.code !== 'SERVICE_UNAVAILABLE') throw error;
      this.#move(url, null);
      return { kind: 'again', why: messageOf(error), afterMs: 0 };
    }
    identity?.answered();
    const { status } = response;
    const logSize = Number(response.headers[LOG_SIZE_HEADER.toLowerCase()]);
    if (Number.isSafeInteger(logSize)) this.#heard?.(logSize);
    if (isOk(response)) return { kind: 'answer', body: answer };
    if (status === 429 || status >= 500) {
      const seconds = Number(response.headers['retry-after'] ?? 0);
      if (isRefusal(answer) && answer.error.code === 'NOT_ACTIVE') this.#move(url, answer.error.active);
      return { kind: 'again', why: `HTTP ${status}`, afterMs: Number.isFinite(seconds) ? seconds * 1000 : 0 };
    }
    if (!isRefusal(answer))
      throw new AgentError('ANSWER_INVALID', `HTTP ${status} without an error that the interface knows`);
    return { kind: 'refused', code: answer.error.code, message: answer.error.message };
  }
}

function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

function jsonHeaders(body: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
}

function refusalIn({ status, body }: HttpAnswer): AgentError {
  let answer: unknown = null;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return isRefusal(answer)
    ? new AgentError(answer.error.code, answer.error.message)
    : new AgentError('ANSWER_INVALID', `HTTP ${status} without an error that the interface knows`);
}
