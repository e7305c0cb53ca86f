import { codeOf } from '../protocol/text/light.ts';

/** A request was given up because its signal said so. */
export class RequestStopped extends Error {
  override readonly name = 'RequestStopped';
}

/** To a thread: a request that is answered, a notice that is not, or that it is to end. */
export type ToThread<Request> =
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly request: Request;
      /** Holds 1 once the request is to be given up: read between two steps, while no message would be. */
      readonly stop: Int32Array<SharedArrayBuffer> | null;
    }
  | { readonly kind: 'notice'; readonly request: Request }
  | { readonly kind: 'end' };

/** From a thread, about the request with this id. */
export type FromThread<Answer, Progress, Refusal> = { readonly id: number } & (
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly error: SentError }
);

/** An error as it travels: a copy made by the platform would lose its code, and fail where its cause cannot be copied. */
export interface SentError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly cause: SentError | undefined;
}

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, code: undefined, cause: undefined };
  const { message, stack, cause } = error;
  const code = codeOf(error) ?? undefined;
  return { message, stack, code, cause: cause === undefined ? undefined : sentError(cause) };
}

export function receivedError({ message, stack, code, cause }: SentError): Error {
  const error = new Error(message, cause && { cause: receivedError(cause) });
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}
