import { exactJsonText } from '../../protocol/records.ts';
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

/** The most requests that are kept without a response. */
const MOST = 10_000;

/** Requests by scope, side and id. An id that is used twice has its responses in the order of its requests. */
export class PendingRequests {
  readonly #byKey = new Map<string, Pending[]>();
  #size = 0;

  /** @returns the oldest request where there are too many */
  add(scope: string, asking: Side, id: RpcId, pending: Pending): Pending | null {
    const key = keyOf(scope, asking, id);
    const same = this.#byKey.get(key);
    if (same === undefined) this.#byKey.set(key, [pending]);
    else same.push(pending);
    if (++this.#size <= MOST) return null;
    const [oldest] = this.#byKey.keys();
    return oldest === undefined ? null : this.#takeFrom(oldest);
  }

  take(scope: string, asking: Side, id: RpcId): Pending | null {
    return this.#takeFrom(keyOf(scope, asking, id));
  }

  takeAll(): Pending[] {
    const all = [...this.#byKey.values()].flat();
    this.#byKey.clear();
    this.#size = 0;
    return all;
  }

  #takeFrom(key: string): Pending | null {
    const same = this.#byKey.get(key);
    const pending = same?.shift();
    if (same === undefined || pending === undefined) return null;
    if (same.length === 0) this.#byKey.delete(key);
    this.#size--;
    return pending;
  }
}

function keyOf(scope: string, asking: Side, id: RpcId): string {
  return exactJsonText([scope, asking, id]);
}
