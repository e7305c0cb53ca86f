import type { ExactJson } from '../../protocol/light.ts';
import type { OtlpItem, OtlpLog, OtlpSpan } from './model.ts';

/** Which attributes say what of a call: of several names the first that is there counts. */
export interface CallNames {
  readonly tool: readonly string[];
  readonly callId: readonly string[];
  readonly input: readonly string[];
  /** The command of a shell, where nothing else of the input is said. */
  readonly command: readonly string[];
  readonly output: readonly string[];
  /** The MCP server of the tool. */
  readonly server: readonly string[];
  readonly session: readonly string[];
  readonly model: readonly string[];
  readonly provider: readonly string[];
  readonly success: readonly string[];
  readonly decision: readonly string[];
  readonly durationMs: readonly string[];
  readonly exitCode: readonly string[];
  readonly errorType: readonly string[];
  readonly errorMessage: readonly string[];
}

/** How one instrumentation tells of the calls of tools. */
export interface Dialect<T extends OtlpItem> {
  /** Whether the span or log record is the call of a tool. */
  readonly is: (item: T) => boolean;
  /** The names that it uses besides those of the conventions, which come after. */
  readonly names: Partial<CallNames>;
  /** The event of a span that holds what the tool gave, and the attribute there. */
  readonly outputEvent?: readonly [event: string, attribute: string];
  /** What comes before what a command gave, with its exit code as the first group. */
  readonly outputHeader?: RegExp;
}

/** The semantic conventions for generative AI, and those of OpenTelemetry at large. */
export const CONVENTIONS: CallNames = {
  tool: ['gen_ai.tool.name'],
  callId: ['gen_ai.tool.call.id'],
  input: ['gen_ai.tool.call.arguments'],
  command: [],
  output: ['gen_ai.tool.call.result'],
  server: [],
  session: ['gen_ai.conversation.id', 'session.id'],
  model: ['gen_ai.request.model', 'gen_ai.response.model'],
  provider: ['gen_ai.provider.name', 'gen_ai.system'],
  success: [],
  decision: [],
  durationMs: [],
  exitCode: ['process.exit.code'],
  errorType: ['error.type', 'exception.type'],
  errorMessage: ['error.message', 'exception.message'],
};

function has(item: OtlpItem, name: string, ...values: readonly ExactJson[]): boolean {
  const value = item.attributes.get(name);
  return values.length === 0 ? value !== undefined : value !== undefined && values.includes(value);
}

const named = (item: OtlpItem): boolean => has(item, 'gen_ai.tool.name');

/** Spans that are calls; the first that fits is the one. */
export const SPAN_DIALECTS: readonly Dialect<OtlpSpan>[] = [
  {
    // Claude Code: the span has the command alone, the log record below has the whole input.
    is: (span) => span.name === 'claude_code.tool',
    names: { tool: ['tool_name'], callId: ['tool_use_id'], command: ['full_command'] },
    outputEvent: ['tool.output', 'output'],
  },
  {
    // Gemini CLI
    is: (span) => has(span, 'gen_ai.operation.name', 'tool_call') && named(span),
    names: { callId: ['gen_ai.tool.call_id'] },
  },
  {
    // OpenInference
    is: (span) => has(span, 'openinference.span.kind', 'TOOL', 'tool'),
    names: {
      tool: ['tool.name', 'tool_call.function.name'],
      callId: ['tool_call.id', 'tool.id'],
      input: ['input.value', 'tool_call.function.arguments'],
      output: ['output.value'],
      model: ['llm.model_name'],
      provider: ['llm.provider', 'llm.system'],
    },
  },
  {
    // Traceloop, OpenLLMetry
    is: (span) => has(span, 'traceloop.span.kind', 'tool'),
    names: {
      tool: ['traceloop.entity.name'],
      input: ['traceloop.entity.input'],
      output: ['traceloop.entity.output'],
      session: [
        'traceloop.association.properties.conversation_id',
        'traceloop.association.properties.session_id',
        'traceloop.association.properties.thread_id',
      ],
    },
  },
  {
    // Vercel AI SDK
    is: (span) =>
      has(span, 'ai.operationId', 'ai.toolCall') || (span.name === 'ai.toolCall' && has(span, 'ai.toolCall.name')),
    names: {
      tool: ['ai.toolCall.name'],
      callId: ['ai.toolCall.id'],
      input: ['ai.toolCall.args', 'ai.toolCall.input'],
      output: ['ai.toolCall.result', 'ai.toolCall.output'],
      session: ['ai.telemetry.metadata.sessionId', 'ai.telemetry.metadata.conversationId'],
      model: ['ai.model.id'],
      provider: ['ai.model.provider'],
    },
  },
  {
    // Google ADK
    is: (span) => has(span, 'gen_ai.operation.name', 'execute_tool') && has(span, 'gcp.vertex.agent.tool_call_args'),
    names: {
      input: ['gcp.vertex.agent.tool_call_args'],
      output: ['gcp.vertex.agent.tool_response'],
      session: ['gcp.vertex.agent.session_id'],
    },
  },
  {
    // The conventions, and Pydantic AI, whose earlier versions name no operation.
    is: (span) =>
      has(span, 'gen_ai.operation.name', 'execute_tool') ||
      (named(span) && (has(span, 'tool_arguments') || has(span, 'tool_response'))),
    names: { input: ['tool_arguments'], output: ['tool_response'] },
  },
  {
    // MCP by the conventions; the server's name is in no convention.
    is: (span) => has(span, 'mcp.method.name', 'tools/call'),
    names: { tool: ['mcp.tool.name'], server: ['mcp.server.name'] },
  },
];

const KEYS = Object.keys(CONVENTIONS) as (keyof CallNames)[];

/** What the classes of tools are called in frameworks: an instrumentation that gives this has not looked for the tool's name. */
export const CLASS_OF_TOOLS = /^(?:Dynamic|Structured|DynamicStructured|Function|Base)?Tool$/;

const ALL_NAMES = new WeakMap<object, CallNames>();

/**
 * The names by which a call is read: those of its dialect, then those of the conventions, then what other dialects have. Instrumentations
 * mix them, and some give in one what they leave out in the other.
 */
export function namesOf({ names }: { readonly names: Partial<CallNames> }, isSpan: boolean): CallNames {
  const known = ALL_NAMES.get(names);
  if (known !== undefined) return known;
  const others: readonly { readonly names: Partial<CallNames> }[] = isSpan ? SPAN_DIALECTS : LOG_DIALECTS;
  const all = { ...CONVENTIONS };
  for (const key of KEYS) {
    const ordered = [...(names[key] ?? []), ...CONVENTIONS[key], ...others.flatMap((other) => other.names[key] ?? [])];
    all[key] = [...new Set(ordered)];
  }
  ALL_NAMES.set(names, all);
  return all;
}

/** The name of a log record's event. */
export function eventNameOf(log: OtlpLog): string {
  const named = log.attributes.get('event.name');
  // Codex fills eventName with a line of its source.
  return typeof named === 'string' ? named : log.eventName;
}

/** Log records that are calls; the first that fits is the one. */
export const LOG_DIALECTS: readonly Dialect<OtlpLog>[] = [
  {
    // Claude Code
    is: (log) => log.body === 'claude_code.tool_result' || eventNameOf(log) === 'claude_code.tool_result',
    names: {
      tool: ['tool_name'],
      callId: ['tool_use_id'],
      input: ['tool_input'],
      success: ['success'],
      durationMs: ['duration_ms'],
      errorType: ['error_type'],
      errorMessage: ['error'],
      server: ['mcp_server_name'],
    },
  },
  {
    // Gemini CLI
    is: (log) => eventNameOf(log) === 'gemini_cli.tool_call',
    names: {
      tool: ['function_name'],
      input: ['function_args'],
      success: ['success'],
      decision: ['decision'],
      durationMs: ['duration_ms'],
      errorType: ['error_type'],
      errorMessage: ['error'],
      server: ['mcp_server_name'],
    },
  },
  {
    // Codex CLI
    is: (log) => eventNameOf(log) === 'codex.tool_result',
    names: {
      tool: ['tool_name'],
      callId: ['call_id'],
      input: ['arguments'],
      output: ['output'],
      success: ['success'],
      durationMs: ['duration_ms'],
      server: ['mcp_server'],
      session: ['conversation.id'],
      model: ['model'],
    },
    outputHeader:
      /^(?:Chunk ID: .*\n)?Wall time: .*\n(?:Process exited with code (-?\d{1,10})\n)?(?:Original token count: .*\n)?Output:\n/,
  },
];
