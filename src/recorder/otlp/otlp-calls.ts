import type { ExactJson } from '../../protocol/light.ts';
import type { FeedId } from '../base/programs.ts';
import type { SeenCall } from '../seen/seen.ts';
import { LOG_DIALECTS, SPAN_DIALECTS } from './dialects.ts';
import type { Attributes, OtlpLog, OtlpSpan } from './model.ts';
import { callOfLog, callOfSpan, type RequestFacts, type Unrecordable } from './read-call.ts';

/** A call, and the spans of the request that it lies in. */
interface PlacedCall {
  readonly call: SeenCall;
  /** Their span ids, the nearest first; empty for a log record. */
  readonly parents: readonly string[];
}

/**
 * Makes one call of those that are the same: of a span within the span of a call with the same id (an MCP client's below an agent's, say),
 * and of items that came twice. The outer one counts, and takes from the inner one what it does not know itself. Calls with one id
 * side by side stay two: some models start the numbering of calls again in each turn.
 */
function joinSameCalls(calls: readonly PlacedCall[]): SeenCall[] {
  const joined = new Map<string, SeenCall>();
  const bySpan = new Map<string, string>();
  for (const { call } of calls) {
    joined.set(call.event_id, call);
    const span = call.trace?.span_id;
    if (span !== undefined) bySpan.set(`${call.trace?.trace_id}${span}`, call.event_id);
  }
  for (const { call, parents } of calls) {
    if (call.call_id === null || !joined.has(call.event_id)) continue;
    for (const parent of parents) {
      const outerId = bySpan.get(`${call.trace?.trace_id}${parent}`);
      const outer = outerId === undefined ? undefined : joined.get(outerId);
      if (outer?.call_id !== call.call_id || outer.event_id === call.event_id) continue;
      const inner = joined.get(call.event_id) ?? call;
      joined.set(outer.event_id, together(outer, inner));
      joined.delete(call.event_id);
      break;
    }
  }
  return [...joined.values()];
}

function together(outer: SeenCall, inner: SeenCall): SeenCall {
  const within: ExactJson = {
    span_id: inner.trace?.span_id ?? null,
    scope: inner.witness,
    name: inner.raw_event,
    ...inner.extra,
  };
  const others = outer.extra?.['within'];
  const exitCode = outer.outcome?.exit_code ?? inner.outcome?.exit_code;
  const status = outer.outcome?.status ?? 'unknown';
  return {
    ...inner,
    ...outer,
    touched: bestType(outer, inner) === 'mcp' ? [] : outer.touched,
    tool: { ...outer.tool, type: bestType(outer, inner), server: outer.tool.server ?? inner.tool.server },
    ...(exitCode === undefined ? {} : { outcome: { ...outer.outcome, status, exit_code: exitCode } }),
    session: outer.session ?? inner.session,
    sub_agent: outer.sub_agent ?? inner.sub_agent,
    model: outer.model ?? inner.model,
    extra: { ...outer.extra, within: Array.isArray(others) ? [...others, within] : [within] },
  };
}

function bestType(outer: SeenCall, inner: SeenCall): SeenCall['tool']['type'] {
  // What a server is asked for is a tool of MCP, whatever its name sounds like.
  if (inner.tool.type === 'mcp') return 'mcp';
  return outer.tool.type === 'function' ? inner.tool.type : outer.tool.type;
}

/** How many parents are followed: agents in agents are nested far less. */
const MAX_PARENTS = 32;

/** The spans of a request by their ids, to find the parents of calls. */
class Ancestry {
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

/** Whose the items of a resource are. */
type FeedOf = (resource: Attributes) => FeedId;

/** The calls among the items of a request. */
export interface Calls {
  readonly byFeed: ReadonlyMap<FeedId, readonly SeenCall[]>;
  /** Items that are calls and cannot be recorded. */
  readonly unrecordable: Readonly<Record<Unrecordable, number>>;
  /** Items that are no calls. */
  readonly passedOver: number;
}

export function callsOfSpans(spans: readonly OtlpSpan[], feedOf: FeedOf, facts: RequestFacts): Calls {
  const ancestry = new Ancestry(spans);
  return collect(spans, (span) => {
    const dialect = SPAN_DIALECTS.find(({ is }) => is(span));
    if (dialect === undefined) return null;
    const whose = feedOf(span.origin.resource);
    const parents = ancestry.parents(span);
    const call = callOfSpan(span, dialect, whose, parents, facts);
    return { feed: whose, call, parents: parents.map(({ spanId }) => spanId) };
  });
}

export function callsOfLogs(logs: readonly OtlpLog[], feedOf: FeedOf, facts: RequestFacts): Calls {
  return collect(logs, (log) => {
    const dialect = LOG_DIALECTS.find(({ is }) => is(log));
    if (dialect === undefined) return null;
    const whose = feedOf(log.origin.resource);
    return { feed: whose, call: callOfLog(log, dialect, whose, facts), parents: [] };
  });
}

interface Found {
  readonly feed: FeedId;
  readonly call: SeenCall | Unrecordable;
  readonly parents: readonly string[];
}

function collect<T>(items: readonly T[], find: (item: T) => Found | null): Calls {
  const placed = new Map<FeedId, PlacedCall[]>();
  const unrecordable = { NO_IDS: 0, NO_TOOL: 0 };
  let passedOver = 0;
  for (const item of items) {
    const found = find(item);
    if (found === null) {
      passedOver++;
    } else if (typeof found.call === 'string') {
      unrecordable[found.call]++;
    } else {
      const ofFeed = placed.get(found.feed) ?? [];
      placed.set(found.feed, ofFeed);
      ofFeed.push({ call: found.call, parents: found.parents });
    }
  }
  const byFeed = new Map([...placed].map(([feed, calls]) => [feed, joinSameCalls(calls)]));
  return { byFeed, unrecordable, passedOver };
}
