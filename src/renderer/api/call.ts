import {
  type AnswerOf,
  type ErrorCode,
  errorEnvelope,
  PAGE_HEADER,
  ROUTES,
  type Route,
  type RouteName,
} from '../../api/index.ts';
import { messageOf } from '../../protocol/index.ts';
import { connection } from './connection.ts';
import { pageSecret } from './page-secret.ts';
import { CALL } from './texts.ts';

/** What a call takes besides its route. */
export interface CallInput {
  /** Values of the path's parameters, by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Why a call came to nothing: a code of the interface, or that there was no proper answer at all. */
export type FailureCode = ErrorCode | 'UNREACHABLE' | 'UNREADABLE';

/** A call that failed; the message is a sentence for people. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly code: FailureCode;
  readonly requestId: string | null;
  /** With SECOND_STEP_REQUIRED: what names the sign-in that waits for a passkey. */
  readonly step: string | null;

  constructor(code: FailureCode, message: string, requestId: string | null = null, step: string | null = null) {
    super(message);
    this.code = code;
    this.requestId = requestId;
    this.step = step;
  }
}

type Listener = () => void;
const unauthorized = new Set<Listener>();

/** Tells when a call that needs a session is refused for want of one. @returns ends it */
export function onUnauthorized(listener: Listener): Listener {
  unauthorized.add(listener);
  return () => unauthorized.delete(listener);
}

/** Has who is signed in asked to prove it again. */
export function askToSignIn(): void {
  for (const listener of unauthorized) listener();
}

/** Asks the person to confirm who they are. @returns whether they did */
type Confirmation = () => Promise<boolean>;
let confirmation: Confirmation | null = null;

/** Says how the person is asked, for calls that want a fresh sign-in. @returns takes that back */
export function onFreshNeeded(ask: Confirmation): Listener {
  confirmation = ask;
  return () => {
    if (confirmation === ask) confirmation = null;
  };
}

/**
 * Calls a route of the service and checks its answer against the route's schema. Where the service wants to know first that
 * the person is there, they are asked, and the call is made once more: whoever called it notices nothing.
 * @throws CallFailed
 */
export async function call<N extends RouteName>(name: N, input: CallInput = {}): Promise<AnswerOf<N>> {
  try {
    return await callOnce(name, input);
  } catch (error) {
    const wantsProof = error instanceof CallFailed && error.code === 'FRESH_SIGN_IN_REQUIRED';
    if (!wantsProof || confirmation === null || !(await confirmation())) throw error;
    return callOnce(name, input);
  }
}

async function callOnce<N extends RouteName>(name: N, input: CallInput): Promise<AnswerOf<N>> {
  const response = await send(ROUTES[name], input);
  return answerOf(name, response.status, await response.text());
}

/**
 * The answer of a route, checked against its schema.
 * @throws CallFailed
 */
export function answerOf<N extends RouteName>(name: N, status: number, text: string): AnswerOf<N> {
  const route: Route = ROUTES[name];
  const body = readJson(status, text);
  const isExpected = (status >= 200 && status < 300) || status === route.otherStatus;
  if (!isExpected) throw refused(route, status, body);
  if (typeof route.answer === 'string') throw new CallFailed('UNREADABLE', CALL.notJson(name));
  const parsed = route.answer.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    throw new CallFailed('UNREADABLE', CALL.badAnswer(place));
  }
  // The body itself, and not zod's copy: that lacks a payload's member named __proto__, which the digests cover.
  return body as AnswerOf<N>;
}

/** Where a route is, for a link. Relative to the page, so that it works wherever the service is. */
export function addressOf(name: RouteName, { params = {}, query = {} }: CallInput = {}): string {
  return pathOf(ROUTES[name], params, query);
}

/**
 * Fetches what a route answers with as a file.
 * @throws CallFailed
 */
export async function fetchFile(name: RouteName, input: CallInput = {}): Promise<Blob> {
  const route: Route = ROUTES[name];
  const response = await send(route, input);
  const { ok, status } = response;
  if (!ok) throw refused(route, status, readJson(status, await response.text()));
  return response.blob();
}

async function send(route: Route, { params = {}, query = {}, body, signal }: CallInput): Promise<Response> {
  const ask = (): Promise<Response> =>
    fetch(pathOf(route, params, query), {
      method: route.method,
      headers: {
        accept: 'application/json',
        [PAGE_HEADER]: pageSecret(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  const isRead = route.method === 'GET' || route.onlyReads === true;
  try {
    // The service may have closed a connection at the very moment that the browser used it: what changes nothing is asked again.
    const response = await ask().catch((error: unknown) => {
      if (!isRead || signal?.aborted === true || connection.state.lostSince !== null) throw error;
      return ask();
    });
    connection.noteAnswer();
    return response;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    connection.noteUnreachable();
    throw new CallFailed('UNREACHABLE', CALL.unreachable);
  }
}

/** Relative to the page, so that it works wherever the service is. */
export function pathOf(
  route: Route,
  params: NonNullable<CallInput['params']> = {},
  query: NonNullable<CallInput['query']> = {},
): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const asked = search.toString();
  return `.${path}${asked === '' ? '' : `?${asked}`}`;
}

function readJson(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CallFailed('UNREADABLE', CALL.notJsonStatus(status));
  }
}

/** What a refusal comes to; where it is for want of a session, whoever listens is told. */
function refused(route: Route, status: number, body: unknown): CallFailed {
  if (status === 401 && route.access !== 'public') askToSignIn();
  return failureOf(status, body);
}

function failureOf(status: number, body: unknown): CallFailed {
  const parsed = errorEnvelope.safeParse(body);
  if (!parsed.success) return new CallFailed('UNREADABLE', CALL.status(status));
  const { code, message, request_id, step = null } = parsed.data.error;
  return new CallFailed(code, message, request_id, step);
}

/** A failure in a sentence. */
export function sentenceOf(error: unknown): string {
  const text = messageOf(error);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
