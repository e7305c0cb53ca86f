import type { ExactJson } from '../../protocol/light.ts';
import type { SeenCall } from '../seen/seen.ts';
import { asArray, asObject, asText, type RpcResponse } from './message.ts';

/** How a call ended, as its Seen has it. */
export interface CallEnd {
  readonly stage: 'completed' | 'failed' | 'refused';
  readonly outcome: NonNullable<SeenCall['outcome']>;
  readonly output?: ExactJson;
}

/** The end that a response is. A tool that failed says so in its result, a call that failed is an error of JSON-RPC. */
export function endOf(response: Pick<RpcResponse, 'result' | 'error'>): CallEnd {
  const { result, error } = response;
  if (error !== null) {
    const message = error.message;
    return { stage: 'failed', outcome: { status: 'error', error: { type: error.code, message } } };
  }
  const { _meta, resultType, ...output } = result ?? {};
  if (output['isError'] !== true) return { stage: 'completed', outcome: { status: 'ok' }, output };
  const message = firstText(output['content']);
  return {
    stage: 'failed',
    outcome: {
      status: 'error',
      error: { type: 'tool_error', ...(message === null ? {} : { message }) },
    },
    output,
  };
}

export function cancelled(message: string | null): CallEnd {
  return {
    stage: 'failed',
    outcome: {
      status: 'cancelled',
      ...(message === null ? {} : { error: { type: 'cancelled', message } }),
    },
  };
}

/** The recorder did not let it through, so the server never saw it. */
export const BLOCKED: CallEnd = { stage: 'refused', outcome: { status: 'blocked' } };

/** Nobody saw how it ended. */
export function unknown(type: string, message: string): CallEnd {
  return { stage: 'failed', outcome: { status: 'unknown', error: { type, message } } };
}

function firstText(content: ExactJson | undefined): string | null {
  for (const item of asArray(content)) {
    const text = asText(asObject(item)?.['text']);
    if (text !== null) return text;
  }
  return null;
}
