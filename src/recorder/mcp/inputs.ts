import type { SeenCall } from '../seen/seen.ts';
import { cancelled, endOf, unknown } from './call-ends.ts';
import { asObject, asText, type JsonObject } from './message.ts';
import type { OpenCall, Origin } from './open-call.ts';
import type { SeenMaker } from './seen-maker.ts';

/** The most questions of one call that are followed. */
const MOST = 256;

/**
 * What a server asks within a result (`inputRequests`, since 2026-07-28) and is answered with the next request (`inputResponses`),
 * as calls of their own.
 */
export class Inputs {
  readonly #open = new Map<string, OpenCall>();

  /** A task shows the same questions as long as they are open. */
  asked(requests: JsonObject, origin: Origin, make: SeenMaker): SeenCall[] {
    return Object.entries(requests).flatMap(([key, value]) => {
      const request = asObject(value);
      const method = asText(request?.['method']);
      if (method === null || this.#open.has(key) || this.#open.size >= MOST) return [];
      const opened = make.open(method, asObject(request?.['params']) ?? {}, origin);
      if (opened === null) return [];
      const call = make.begin(opened);
      this.#open.set(key, call);
      return [make.started(call)];
    });
  }

  answered(responses: JsonObject, origin: Origin, make: SeenMaker): SeenCall[] {
    return Object.entries(responses).flatMap(([key, value]) => {
      const call = this.#open.get(key);
      if (call === undefined) return [];
      this.#open.delete(key);
      const end = endOf({ result: asObject(value) ?? {}, error: null });
      return [make.ended(call, end, origin, `${call.method} answer`)];
    });
  }

  /** What is left where the call that asked is over. */
  closed(origin: Origin, make: SeenMaker, wasCancelled: boolean): SeenCall[] {
    const end = wasCancelled ? cancelled(null) : unknown('unanswered', 'No answer to the question was seen.');
    const left = [...this.#open.values()];
    this.#open.clear();
    return left.map((call) => make.ended(call, end, origin, 'unanswered'));
  }
}
