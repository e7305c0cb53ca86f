import type { ServerResponse } from 'node:http';
import { RecordError, type RecordErrorCode } from '../base/record-error.ts';

/** Why a request got no other answer: what the recorder says, and what only the listener can. */
export type RequestErrorCode = RecordErrorCode | 'UNAUTHORIZED' | 'NOT_FOUND' | 'BUSY' | 'INTERNAL';

const STATUS: Readonly<Record<RequestErrorCode, number>> = {
  EVENT_INVALID: 400,
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  NOT_INSTALLED: 404,
  RECORDER_RUNNING: 409,
  OTHER_RECORDER: 409,
  INSTALL_RUNNING: 409,
  EVENT_TOO_LARGE: 413,
  INTERNAL: 500,
  CONFIG_UNUSABLE: 500,
  SYSTEM_UNSUPPORTED: 500,
  WRONG_USER: 500,
  ACCOUNT_UNUSABLE: 500,
  SERVICE_REFUSED: 502,
  BUSY: 503,
  RECORDER_AWAY: 503,
  RECORDER_UNUSABLE: 503,
  FOLDER_UNUSABLE: 503,
  SPOOL_FULL: 503,
};

/** A request that is refused before the recorder sees it. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly code: RequestErrorCode;

  constructor(code: RequestErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What is answered to a request. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}

export function textAnswer(status: number, body: string): Answer {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

/**
 * The answer to a request that failed, as `{error: {code, message}}`.
 * @returns null for a defect, whose message is nobody else's business
 */
export function failureAnswer(error: unknown): Answer | null {
  if (!(error instanceof RecordError) && !(error instanceof RequestRefused)) return null;
  return jsonAnswer(STATUS[error.code], { error: { code: error.code, message: error.message } });
}

export const INTERNAL_ANSWER = jsonAnswer(STATUS.INTERNAL, {
  error: { code: 'INTERNAL', message: 'the recorder failed; its output says why' },
});

/** @param isLast closes the connection: part of the request's body may not have been read */
export function send(response: ServerResponse, { status, contentType, body }: Answer, isLast: boolean): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
    ...(isLast ? { connection: 'close' } : {}),
  });
  response.end(body);
}
