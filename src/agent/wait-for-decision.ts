import type { Question } from './actions/session-options.ts';
import { AgentError } from './agent-error.ts';
import { pauseFor } from './http-exchange.ts';
import type { StopSignal } from './service-client.ts';

export interface WaitOptions {
  /** How long to wait in all, in milliseconds; ten minutes by default. */
  readonly timeoutMs?: number;
  /** How long between two questions to the service, in milliseconds: 2,000 by default, at least 250 and at most 60,000. */
  readonly intervalMs?: number;
  /** Ends the waiting; its reason is then what is thrown. */
  readonly signal?: StopSignal;
  /**
   * Thumbprints (RFC 7638) of the keys whose decisions count. Without them, that the key is a person's is the service's word.
   */
  readonly deciders?: readonly string[];
}

const TIMEOUT_MS = 600_000;
const INTERVAL_MS = { default: 2000, least: 250, most: 60_000 };
/** What a timer can be set to; a longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Asks until a question is decided.
 * @param ask asks the service once; the signal ends it
 * @returns what the service answers as the decision; it is not known to be one
 * @throws AgentError DECISION_TIMED_OUT, QUESTION_CLOSED, ANSWER_INVALID, what `ask` throws, and the signal's reason
 */
export async function whenDecided(
  { operationId }: Pick<Question, 'operationId'>,
  { timeoutMs = TIMEOUT_MS, intervalMs = INTERVAL_MS.default, signal }: WaitOptions,
  ask: (signal: StopSignal) => Promise<unknown>,
): Promise<unknown> {
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(Math.min(Math.max(0, timeoutMs), LONGEST_MS));
  const either = signal === undefined ? deadline : AbortSignal.any([deadline, signal as AbortSignal]);
  const pause = Math.min(Math.max(intervalMs, INTERVAL_MS.least), INTERVAL_MS.most);
  try {
    for (;;) {
      const body = await ask(either);
      const { state, decision } = Object(body) as { readonly state?: unknown; readonly decision?: unknown };
      if (state === 'decided') return decision;
      if (state === 'closed') {
        const why = 'the agent asked again, carried the action out or gave it up before anybody decided';
        throw new AgentError('QUESTION_CLOSED', `the question ${operationId} is closed: ${why}`);
      }
      if (state !== 'waiting')
        throw new AgentError('ANSWER_INVALID', "the service's answer is not the state of a question");
      await pauseFor(pause, either);
    }
  } catch (error) {
    if (signal?.aborted || !deadline.aborted || error !== deadline.reason) throw error;
    throw new AgentError('DECISION_TIMED_OUT', `nobody decided on the question ${operationId} within ${timeoutMs} ms`);
  }
}
