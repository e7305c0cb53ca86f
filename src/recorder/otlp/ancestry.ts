import type { OtlpSpan } from './model.ts';

/** How many parents are followed: agents in agents are nested far less. */
const MAX_PARENTS = 32;

/** The spans of a request by their ids, to find the parents of calls. */
export class Ancestry {
  readonly #spans = new Map<string, OtlpSpan>();

  constructor(spans: readonly OtlpSpan[]) {
    for (const span of spans) this.#spans.set(span.traceId + span.spanId, span);
  }

  /** The parents of a span as far as they are in the request, the nearest first. */
  parents(span: OtlpSpan): OtlpSpan[] {
    const parents: OtlpSpan[] = [];
    let at: OtlpSpan | undefined = span;
    while (parents.length < MAX_PARENTS) {
      at = at.parentSpanId === '' ? undefined : this.#spans.get(at.traceId + at.parentSpanId);
      // Nobody hinders a sender from naming a span as its own ancestor.
      if (at === undefined || at === span || parents.includes(at)) break;
      parents.push(at);
    }
    return parents;
  }
}
