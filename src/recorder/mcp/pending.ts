import { exactJsonText } from '../../protocol/light.ts';
import type { Inputs } from './inputs.ts';
import type { RpcId } from './message.ts';
import type { OpenCall, Side } from './open-call.ts';

/** A call with what its server asks on the way. */
export interface Going {
  readonly call: OpenCall;
  readonly inputs: Inputs;
}

/** A request whose response has not come. */
export type Pending =
  | { readonly kind: 'call'; readonly going: Going }
  | { readonly kind: 'tools'; readonly cursor: string | null }
  | { readonly kind: 'task'; readonly method: string; readonly taskId: string }
  | { readonly kind: 'other'; readonly method: string };

/** The most requests that are kept without a response, and the most bytes of calls among them: a server may ask without end. */
const MOST = 10_000;
const MOST_BYTES = 32 << 20;

/** How much of the bytes that came is kept with a request. */
export function bytesOfPending(pending: Pending): number {
  return pending.kind === 'call' ? pending.going.call.origin.size : 0;
}

/** Requests by scope, side and id. An id that is used twice has its responses in the order of its requests. */
export class PendingRequests<P> {
  readonly #byKey = new Map<string, P[]>();
  readonly #bytesOf: (pending: P) => number;
  #size = 0;
  #bytes = 0;

  /** @param bytesOf how much of the bytes that came is kept with one */
  constructor(bytesOf: (pending: P) => number) {
    this.#bytesOf = bytesOf;
  }

  /** @returns the oldest requests where there are too many */
  add(scope: string, asking: Side, id: RpcId, pending: P): P[] {
    const key = keyOf(scope, asking, id);
    const same = this.#byKey.get(key);
    if (same === undefined) this.#byKey.set(key, [pending]);
    else same.push(pending);
    this.#size++;
    this.#bytes += this.#bytesOf(pending);
    const dropped: P[] = [];
    while (this.#size > MOST || (this.#bytes > MOST_BYTES && this.#size > 1)) {
      const [oldest = key] = this.#byKey.keys();
      const taken = this.#takeFrom(oldest);
      if (taken !== null) dropped.push(taken);
    }
    return dropped;
  }

  take(scope: string, asking: Side, id: RpcId): P | null {
    return this.#takeFrom(keyOf(scope, asking, id));
  }

  takeAll(): P[] {
    const all = [...this.#byKey.values()].flat();
    this.#byKey.clear();
    this.#size = 0;
    this.#bytes = 0;
    return all;
  }

  #takeFrom(key: string): P | null {
    const same = this.#byKey.get(key);
    const pending = same?.shift();
    if (same === undefined || pending === undefined) return null;
    if (same.length === 0) this.#byKey.delete(key);
    this.#size--;
    this.#bytes -= this.#bytesOf(pending);
    return pending;
  }
}

function keyOf(scope: string, asking: Side, id: RpcId): string {
  return exactJsonText([scope, asking, id]);
}
