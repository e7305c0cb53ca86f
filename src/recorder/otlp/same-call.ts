import type { ExactJson } from '../../protocol/light.ts';
import type { SeenCall } from '../seen/seen.ts';

/** A call, and the spans of the request that it lies in. */
export interface PlacedCall {
  readonly call: SeenCall;
  /** Their span ids, the nearest first; empty for a log record. */
  readonly parents: readonly string[];
}

/**
 * Makes one call of those that are the same: of a span within the span of a call with the same id (an MCP client's below an agent's, say),
 * and of items that came twice. The outer one counts, and takes from the inner one what it does not know itself. Calls with one id
 * side by side stay two: some models start the numbering of calls again in each turn.
 */
export function joinSameCalls(calls: readonly PlacedCall[]): SeenCall[] {
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
