import { createHash } from 'node:crypto';
import { type CallEnd, cancelled, endOf, unknown } from './call-ends.ts';
import { asObject, asText, canonicalText, type JsonObject } from './message.ts';
import type { OpenCall } from './open-call.ts';
import type { Going } from './pending.ts';

/** The most calls that are kept between two of their requests, and the most tasks. */
const MOST = 1_000;

/** Calls whose server wants something before it continues; the client asks once more, with `requestState` (since 2026-07-28). */
export class HeldCalls {
  readonly #held = new Map<string, Going[]>();
  #size = 0;

  /** @returns the oldest one where there are too many */
  hold(going: Going, requestState: string | null): Going | null {
    const key = keyOf(going.call, requestState);
    const same = this.#held.get(key);
    if (same === undefined) this.#held.set(key, [going]);
    else same.push(going);
    if (++this.#size <= MOST) return null;
    const [oldest] = this.#held.keys();
    return oldest === undefined ? null : this.#takeFrom(oldest);
  }

  /** The call that a request continues; null for a call that begins. */
  continuedBy(call: OpenCall, params: JsonObject): Going | null {
    const state = asText(params['requestState']);
    if (state === null && asObject(params['inputResponses']) === null) return null;
    return this.#takeFrom(keyOf(call, state));
  }

  takeAll(): Going[] {
    const all = [...this.#held.values()].flat();
    this.#held.clear();
    this.#size = 0;
    return all;
  }

  #takeFrom(key: string): Going | null {
    const same = this.#held.get(key);
    const going = same?.shift();
    if (same === undefined || going === undefined) return null;
    if (same.length === 0) this.#held.delete(key);
    this.#size--;
    return going;
  }
}

/** A server may give every call the same state. */
function keyOf({ method, tool, input }: OpenCall, requestState: string | null): string {
  return createHash('sha256')
    .update(canonicalText([method, tool.name, input, requestState]))
    .digest('hex');
}

/** What a server says of a task, in a result or notification. */
export interface TaskState {
  readonly id: string;
  readonly status: string | null;
  /** What it asks, where it says so. */
  readonly inputRequests: JsonObject;
  /** How the call ended, where this says so. */
  readonly end: CallEnd | null;
}

/** The task that a call became; null for the result of a call. */
export function createdTask(result: JsonObject): TaskState | null {
  const nested = asObject(result['task']);
  if (nested !== null) return taskState(nested);
  return result['resultType'] === 'task' ? taskState(result) : null;
}

/** @param said a task, by itself (2025-11-25) or as the extension has it, with its result or error (since 2026-07-28) */
export function taskState(said: JsonObject): TaskState | null {
  const id = asText(said['taskId']);
  if (id === null) return null;
  const status = asText(said['status']);
  return { id, status, inputRequests: asObject(said['inputRequests']) ?? {}, end: endOfTask(status, said) };
}

function endOfTask(status: string | null, said: JsonObject): CallEnd | null {
  if (status === 'cancelled') return cancelled(asText(said['statusMessage']));
  const result = asObject(said['result']);
  if (status === 'completed' && result !== null) return endOf({ result, error: null });
  const error = asObject(said['error']);
  if (status !== 'failed' || error === null) return null;
  return endOf({
    result: null,
    error: { code: String(error['code'] ?? 'error'), message: asText(error['message']) ?? '' },
  });
}

/** Calls that became tasks (revision 2025-11-25, and the extension after it), until their result is seen. */
export class Tasks {
  readonly #tasks = new Map<string, { readonly going: Going; status: string | null }>();

  /** @returns the oldest one where there are too many */
  add(going: Going, { id, status }: TaskState): Going | null {
    this.#tasks.set(id, { going, status });
    if (this.#tasks.size <= MOST) return null;
    const [oldest] = this.#tasks.keys();
    return oldest === undefined ? null : this.take(oldest);
  }

  get(id: string): Going | null {
    return this.#tasks.get(id)?.going ?? null;
  }

  saw({ id, status }: TaskState): void {
    const task = this.#tasks.get(id);
    if (task !== undefined && status !== null) task.status = status;
  }

  take(id: string): Going | null {
    const going = this.get(id);
    this.#tasks.delete(id);
    return going;
  }

  /** All that are left, and how they ended as far as anybody saw. */
  takeAll(): { readonly going: Going; readonly end: CallEnd }[] {
    const all = [...this.#tasks.values()].map(({ going, status }) => ({ going, end: endByStatus(status) }));
    this.#tasks.clear();
    return all;
  }
}

function endByStatus(status: string | null): CallEnd {
  if (status === 'completed') return { stage: 'completed', outcome: { status: 'ok' } };
  if (status === 'failed') return { stage: 'failed', outcome: { status: 'error', error: { type: 'task_failed' } } };
  return unknown('connection_closed', 'The connection ended before the task did.');
}
