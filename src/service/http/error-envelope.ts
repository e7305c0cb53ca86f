import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ErrorEnvelope } from '../../api/index.ts';
import { RequestStopped } from '../../node/index.ts';
import { ServiceError, Unidentified } from '../store/base/service-error.ts';
import { isStorageFull } from '../store/sqlite-errors.ts';
import { dropBody } from './dropped-bodies.ts';
import { sendJson, setCommonHeaders, setRequestId } from './headers.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { RequestFigures } from './request-figures.ts';

/** Errors that Koa and its parts throw for requests that are not well formed, such as a bad escape in the path. */
function isBadRequest(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400;
}

/** How much of a path the log holds, in characters. */
const LOGGED_PATH = 256;

/** The path asked for, or null where the address is not valid: reading it throws then, every time. */
function pathOf(ctx: Context): string | null {
  try {
    return ctx.path;
  } catch {
    return null;
  }
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isBadRequest(error)) return new ServiceError('VALIDATION_ERROR', 'the request is not well formed');
  if (error instanceof RequestStopped) {
    return new ServiceError('OVERLOADED', 'the answer was not ready in time, or the service stops: try again', {}, 5);
  }
  if (isStorageFull(error)) {
    return new ServiceError('STORAGE_FULL', 'the disk of the data folder is full: send it again once there is room');
  }
  return new ServiceError('INTERNAL_ERROR', 'unexpected error: look for this request_id in the log of the service');
}

/**
 * Gives every request an id, turns whatever is thrown into the interface's envelope, and logs it: never a stack trace,
 * a payload or a token to the caller, nor the latter two to the log.
 */
export function errorEnvelope(log: Logger, refusals: RefusalLog, figures: RequestFigures): Middleware {
  return async (ctx, next) => {
    const requestId = randomUUID();
    setRequestId(ctx, requestId);
    const started = performance.now();
    let failure: ServiceError | null = null;
    const path = pathOf(ctx);
    try {
      if (path === null) throw new ServiceError('VALIDATION_ERROR', 'the address is not well formed');
      await next();
    } catch (error) {
      failure = toServiceError(error);
      dropBody(ctx.req, ctx.res);
      if (failure.code === 'INTERNAL_ERROR') {
        refusals.write('unexpected', { request_id: requestId, err: error }, 'unexpected error', 'error');
      }
      // Nothing in the code is wrong: no stack, for every request that writes comes here meanwhile.
      if (failure.code === 'STORAGE_FULL') {
        refusals.write('disk', { request_id: requestId }, 'the disk of the data folder is full', 'error');
      }
      const { code, message, details } = failure;
      const envelope: ErrorEnvelope = { error: { code, message, ...details, request_id: requestId } };
      const further = failure.retryAfter === undefined ? [] : ['Retry-After', String(failure.retryAfter)];
      // After a failure in the middle of an answer nothing can be said any more.
      if (!ctx.headerSent) sendJson(ctx, failure.status, envelope, { path, further });
    }
    if (!ctx.headerSent) setCommonHeaders(ctx, path, requestId);
    const took = performance.now() - started;
    figures.note(ctx, took, failure?.code ?? null);
    const milliseconds = Math.round(took);
    const logged = path?.slice(0, LOGGED_PATH) ?? null;
    const entry = { request_id: requestId, method: ctx.method, path: logged, status: ctx.status, ms: milliseconds };
    // Refusals stand in the log under their request_id at the default level; the rest would be a line for each record.
    // Every page asks first who is signed in there, and that nobody is, is an answer like any other.
    const isAnswer = failure instanceof Unidentified && ctx.state['route'] === 'session';
    if (failure === null || isAnswer) log.info(entry, 'request');
    else refusals.write(failure.code, entry, 'refused');
  };
}
