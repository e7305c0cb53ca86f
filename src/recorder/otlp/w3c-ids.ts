const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

/** Whether a trace id is one (W3C Trace Context): 16 bytes, not all zero. */
export function isTraceId(id: string): boolean {
  return TRACE_ID.test(id);
}

/** Whether a span id is one: 8 bytes, not all zero. */
export function isSpanId(id: string): boolean {
  return SPAN_ID.test(id);
}
