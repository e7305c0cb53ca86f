import { type Agent as HttpAgent, type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'vitest';
import type { z } from 'zod';
import {
  type AnswerOf as ContractAnswer,
  ERROR_STATUS,
  type ErrorCode,
  type ErrorEnvelope,
  ROUTES,
  type Route,
  type RouteName,
} from '../../src/api/index.ts';
import { expectConformity } from './conformity.ts';
import { shareOfTime } from './until.ts';

/** What a route answers on success; unknown where that is a file or a redirection. */
export type AnswerOf<N extends RouteName> = (typeof ROUTES)[N]['answer'] extends z.ZodType
  ? ContractAnswer<N>
  : unknown;

export interface Answer<T> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as JSON; throws where it is none. */
  readonly body: T;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long to wait for the answer on a machine with cores to spare; the service never leaves a caller waiting. */
  readonly limitMs?: number;
  /** Goes away before there is an answer. */
  readonly gone?: AbortSignal;
  /** Node's connections to use; those of all other requests by default. */
  readonly agent?: HttpAgent;
}

/**
 * One HTTP request exactly as told, and its answer. Every answer in JSON must be of the form that the interface promises:
 * that of its route, or the envelope of errors.
 */
export async function send(url: string, given: RawRequest): Promise<Answer<unknown>> {
  const answer = await exchange(url, given);
  expectConformity(given, answer);
  return answer;
}

function exchange(
  url: string,
  { method = 'GET', path, body, headers = {}, limitMs = 30_000, gone, agent }: RawRequest,
): Promise<Answer<unknown>> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.any([
      AbortSignal.timeout(Math.round(limitMs / shareOfTime())),
      ...(gone === undefined ? [] : [gone]),
    ]);
    const outgoing = request(url + path, { method, headers, signal, ...(agent && { agent }) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes,
          get body(): unknown {
            return JSON.parse(bytes.toString('utf8'));
          },
        });
      });
    });
    // An error after the answer has begun, such as for a body that was refused unread, changes nothing any more.
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export interface Arguments {
  /** Values of the path's parameters, by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A path of the interface with its parameters filled in; those not given get a value that names nothing. */
export function pathOf(route: RouteName, { params = {}, query = {} }: Arguments = {}): string {
  const path = ROUTES[route].path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none'));
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** A file as a browser uploads it. */
export interface FileToUpload {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Calls the routes of a service, with a token or without. */
export class Client {
  readonly url: string;
  readonly token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url;
    this.token = token;
  }

  /** A request by its path, with this client's token. */
  send(given: RawRequest): Promise<Answer<unknown>> {
    const bearer = this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    return send(this.url, { ...given, headers: { ...bearer, ...given.headers } });
  }

  call<N extends RouteName>(route: N, given: Arguments = {}): Promise<Answer<AnswerOf<N>>> {
    const { method }: Route = ROUTES[route];
    const content =
      given.body === undefined
        ? {}
        : { body: JSON.stringify(given.body), headers: { 'content-type': 'application/json', ...given.headers } };
    const raw = { method, path: pathOf(route, given), headers: given.headers ?? {}, ...content };
    return this.send(raw) as Promise<Answer<AnswerOf<N>>>;
  }

  /** Uploads a file for a case. */
  inspect({ name, bytes }: FileToUpload): Promise<Answer<AnswerOf<'inspectFile'>>> {
    const path = pathOf('inspectFile', { query: { name } });
    const headers = { 'content-type': 'application/octet-stream' };
    return this.send({ method: 'POST', path, body: bytes, headers }) as Promise<Answer<AnswerOf<'inspectFile'>>>;
  }

  /** Calls a route that is to succeed: with the status the interface gives it. */
  async ok<N extends RouteName>(route: N, given: Arguments = {}): Promise<AnswerOf<N>> {
    const answer = await this.call(route, given);
    if (answer.status !== ROUTES[route].status) {
      throw new Error(`${route}: ${answer.status} ${answer.bytes.toString('utf8').slice(0, 500)}`);
    }
    return answer.body;
  }
}

/** The error of an answer; fails the test where it is not the interface's envelope, whole and nothing else. */
export function errorOf(answer: Answer<unknown>): ErrorEnvelope['error'] {
  const { error, ...others } = answer.body as ErrorEnvelope;
  expect(others).toEqual({});
  const { code, message, request_id, ...details } = error;
  expect(answer.status).toBe(ERROR_STATUS[code]);
  expect(message).toMatch(/\S/);
  expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers['x-request-id']).toBe(request_id);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['cache-control']).toBe('no-store');
  const more = {
    CASE_FILE_REFUSED: ['finding'],
    PREV_HASH_MISMATCH: ['expected_prev_chain_hash'],
    SECOND_STEP_REQUIRED: ['step'],
  } as const;
  expect(Object.keys(details)).toEqual(code in more ? more[code as keyof typeof more] : []);
  // Neither a stack trace nor SQL leaves the service.
  expect(message).not.toMatch(/\n|\.ts:|SELECT|INSERT|SQLITE/);
  return error;
}

/** Fails the test unless the answer is this error, its message naming the member where one is given. */
export function expectError(answer: Answer<unknown>, code: ErrorCode, member?: string): ErrorEnvelope['error'] {
  const error = errorOf(answer);
  expect(error.code, error.message).toBe(code);
  if (member !== undefined) expect(error.message).toContain(member);
  return error;
}
