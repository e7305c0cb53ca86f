import { toolOf, touchedBy } from '../../actions/tools/index.ts';
import { type ExactJson, ExactNumber, exactJsonText, formatTime, isMembers } from '../../protocol/light.ts';
import type { FeedId } from '../base/programs.ts';
import { uuidOf } from '../joining/ids.ts';
import { lasted, type SeenCall } from '../seen/seen.ts';
import { AttributeReader } from './attribute-reader.ts';
import { modelOf, sessionOf, subAgentOf } from './context.ts';
import { type CallNames, CLASS_OF_TOOLS, type Dialect, eventNameOf, namesOf } from './dialects.ts';
import type { EmbeddedJson } from './embedded-json.ts';
import type { OtlpItem, OtlpLog, OtlpSpan } from './model.ts';
import { endingOf, withoutHeader } from './otlp-ending.ts';

/** How many attributes that were not mapped are kept, and how many characters of all of them. */
const MAX_KEPT = 64;
const MAX_TOTAL = 8_192;

/**
 * What is never kept: prompts, messages, definitions and descriptions, which are no part of a call, repeat in every span, and say
 * more of the user than a record of the call needs; headers, environments and command lines, which may hold any secret.
 */
const NEVER_KEPT =
  /^(gen_ai\.(system_instructions|(input|output)\.messages|tool\.(definitions|description)|agent\.description|prompt|completion)|ai\.prompt|ai\.settings|ai\.response|llm\.(input|output)_messages|llm\.tools|tool\.(description|json_schema)|input\.value|output\.value|logfire\.|code\.|thread\.|(http|rpc\..+?)\.(request|response)\.(header|metadata)|process\.(environment_variable|command))/;

/** The attributes that are kept as they are, and how many are not. */
interface Leftover {
  readonly kept: { readonly [name: string]: ExactJson };
  readonly omitted: number;
}

/**
 * Keeps what was not mapped, within bounds: lists and objects as JSON texts. A text that is too long is left out, not cut: of a secret
 * that is cut nobody would know that it is one.
 */
function keepLeftover(attributes: Iterable<readonly [string, ExactJson]>): Leftover {
  const kept: [string, ExactJson][] = [];
  let total = 0;
  let omitted = 0;
  for (const [name, value] of attributes) {
    if (NEVER_KEPT.test(name) || value === '') continue;
    const isNested = typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
    const held = isNested ? exactJsonText(value) : value;
    const size = name.length + String(held).length;
    if (kept.length >= MAX_KEPT || total + size > MAX_TOTAL) {
      omitted++;
      continue;
    }
    total += size;
    kept.push([name, held]);
  }
  return { kept: Object.fromEntries(kept), omitted };
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

/** Whether a trace id is one (W3C Trace Context): 16 bytes, not all zero. */
function isTraceId(id: string): boolean {
  return TRACE_ID.test(id);
}

/** Whether a span id is one: 8 bytes, not all zero. */
function isSpanId(id: string): boolean {
  return SPAN_ID.test(id);
}

/** What is known of a request besides its items. */
export interface RequestFacts {
  /** SHA-256 of the body in hex. */
  readonly rawSha256: string;
  readonly receivedAt: string;
  readonly json: EmbeddedJson;
  readonly shortened?: SeenCall['shortened'];
}

/** Why a call cannot be recorded. */
export type Unrecordable = 'NO_IDS' | 'NO_TOOL';

/** A span as the call that it is. */
export function callOfSpan(
  span: OtlpSpan,
  dialect: Dialect<OtlpSpan>,
  feed: FeedId,
  parents: readonly OtlpSpan[],
  facts: RequestFacts,
): SeenCall | Unrecordable {
  if (!isTraceId(span.traceId) || !isSpanId(span.spanId)) return 'NO_IDS';
  const { startNano, endNano } = span;
  return readCall(span, dialect, feed, parents, facts, {
    // Without a name of the tool, the span's: that of OpenInference is the tool's, the conventions put the operation before it.
    fallbackName: span.name.replace(/^(execute_tool|tools\/call)\s+/, ''),
    rawEvent: span.name,
    eventId: uuidOf('otlp span', span.traceId, span.spanId),
    observedAt: timeOf(endNano, facts),
    durationMs: startNano > 0n && endNano >= startNano ? Math.round(Number(endNano - startNano) / 1e6) : undefined,
    eventOutput: outputInEvent(span, dialect),
    span,
  });
}

/** A log record as the call that it tells of. */
export function callOfLog(
  log: OtlpLog,
  dialect: Dialect<OtlpLog>,
  feed: FeedId,
  facts: RequestFacts,
): SeenCall | Unrecordable {
  const name = eventNameOf(log);
  return readCall(log, dialect, feed, [], facts, {
    fallbackName: '',
    rawEvent: name,
    // Several records may lie in one span, or in none: a record is itself by all that it says.
    eventId: uuidOf(
      'otlp log',
      log.traceId,
      log.spanId,
      name,
      `${log.timeNano}/${log.observedNano}`,
      exactJsonText([...log.attributes]),
    ),
    observedAt: timeOf(log.timeNano > 0n ? log.timeNano : log.observedNano, facts),
    durationMs: undefined,
    eventOutput: undefined,
  });
}

interface Own {
  readonly fallbackName: string;
  readonly rawEvent: string;
  readonly eventId: string;
  readonly observedAt: string;
  readonly durationMs: number | undefined;
  readonly eventOutput: ExactJson | undefined;
  readonly span?: OtlpSpan;
}

function readCall<T extends OtlpItem>(
  item: T,
  dialect: Dialect<T>,
  feed: FeedId,
  parents: readonly OtlpSpan[],
  facts: RequestFacts,
  own: Own,
): SeenCall | Unrecordable {
  const names = namesOf(dialect, own.span !== undefined);
  const reader = new AttributeReader(item.attributes);
  const name = toolNameOf(reader, names, own.fallbackName);
  if (name === '') return 'NO_TOOL';
  const isMcp = item.attributes.get('mcp.method.name') === 'tools/call';
  const server = reader.name(names.server) ?? undefined;
  const known = toolOf(name, server === undefined ? undefined : { server, tool: name });
  // A framework's own tools are functions; a span of MCP may leave out whose tool it calls.
  const tool = isMcp
    ? { ...known, type: 'mcp' as const }
    : known.type === 'other'
      ? { ...known, type: 'function' as const }
      : known;
  const given = reader.whole(names.input);
  const command = reader.first(names.command);
  const input = given === undefined ? command && { command } : argumentsIn(facts.json.parse(given));
  const said = withoutHeader(reader.whole(names.output) ?? own.eventOutput, dialect.outputHeader);
  // What a command or a file gives is text even where it looks like JSON.
  const isText = tool.type === 'shell' || tool.type === 'file';
  const output = said.output === undefined || isText ? said.output : facts.json.parse(said.output);
  const cwd = resourceText(item, 'process.working_directory');
  const duration = reader.number(names.durationMs) ?? own.durationMs;
  const ending = endingOf(reader, names, said.exitCode, own.span);
  const session = sessionOf(item, parents, names.session);
  const model = modelOf(item, parents, names);
  // Asked for so that they do not count as not mapped.
  reader.first(names.session);
  if (reader.first(names.model) !== undefined) reader.first(names.provider);
  return {
    kind: 'call',
    ...ending,
    tool,
    call_id: reader.name(names.callId) ?? idInMessage(isText ? undefined : output),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...lasted(duration),
    touched: touchedBy(tool, input, cwd),
    source: 'otlp',
    witness: item.origin.scope.name || null,
    event_id: own.eventId,
    raw_event: own.rawEvent,
    raw_sha256: facts.rawSha256,
    observed_at: own.observedAt,
    session,
    sub_agent: subAgentOf(parents),
    model,
    program_version: versionOf(item, feed),
    cwd,
    trace: traceOf(item, own.span),
    extra: extraOf(item, reader, own.span),
    ...(facts.shortened !== undefined && { shortened: facts.shortened }),
  };
}

/** The name of the tool; where only the class of tools has a name, that of the span, which some end in `.tool`. */
function toolNameOf(reader: AttributeReader, names: CallNames, fallback: string): string {
  const own = reader.name(names.tool) ?? '';
  if (own !== '' && !CLASS_OF_TOOLS.test(own)) return own;
  const others = names.tool.map((name) => reader.name([name])).filter((name) => name !== null && name !== '');
  const spanName = fallback.replace(/\.tool$/, '');
  return [...others, spanName].find((name) => name !== null && name !== '' && !CLASS_OF_TOOLS.test(name)) ?? own;
}

/** What a tool was given, where OpenInference has the use of a tool of CrewAI as the input: with the model's text and the tool's description around the call. */
function argumentsIn(input: ExactJson): ExactJson {
  const calling = isMembers(input) && 'tool_string' in input ? input['calling'] : undefined;
  return (isMembers(calling) ? calling['arguments'] : undefined) ?? input;
}

/** Where LangChain has the id of a call that no attribute names: in the message that the tool gave. */
function idInMessage(output: ExactJson | undefined): string | null {
  const message = isMembers(output) ? (output['output'] ?? output) : undefined;
  const members = isMembers(message) ? (message['kwargs'] ?? message) : undefined;
  const id = isMembers(members) ? members['tool_call_id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : null;
}

function outputInEvent(span: OtlpSpan, { outputEvent }: Dialect<OtlpSpan>): ExactJson | undefined {
  if (outputEvent === undefined) return undefined;
  return span.events.find(({ name }) => name === outputEvent[0])?.attributes.get(outputEvent[1]);
}

/** The last instant of the year 9999, in milliseconds: the last one that RFC 3339 can say. */
const LAST_INSTANT = 253_402_300_799_999;

function timeOf(nano: bigint, facts: RequestFacts): string {
  const instant = Number(nano / 1_000_000n);
  return nano > 0n && instant <= LAST_INSTANT ? formatTime(instant) : facts.receivedAt;
}

function traceOf(item: OtlpItem, span: OtlpSpan | undefined): SeenCall['trace'] {
  if (!isTraceId(item.traceId)) return null;
  return {
    trace_id: item.traceId,
    ...(isSpanId(item.spanId) ? { span_id: item.spanId } : {}),
    ...(span !== undefined && isSpanId(span.parentSpanId) ? { parent_span_id: span.parentSpanId } : {}),
  };
}

function resourceText(item: OtlpItem, name: string): string | null {
  const value = item.origin.resource.get(name);
  return typeof value === 'string' && value !== '' ? value : null;
}

function versionOf(item: OtlpItem, feed: FeedId): string | null {
  // Gemini CLI gives the version of Node.js as its own.
  return feed === 'gemini' ? null : resourceText(item, 'service.version');
}

const KINDS = [null, null, 'server', 'client', 'producer', 'consumer'];

function extraOf(item: OtlpItem, reader: AttributeReader, span: OtlpSpan | undefined): SeenCall['extra'] {
  const { kept, omitted } = keepLeftover(reader.rest());
  const kind = KINDS[span?.kind ?? 0] ?? null;
  const service = resourceText(item, 'service.name');
  return {
    ...(service === null ? {} : { service }),
    ...(kind === null ? {} : { span_kind: kind }),
    ...(Object.keys(kept).length === 0 ? {} : { attributes: kept }),
    ...(omitted === 0 ? {} : { attributes_omitted: omitted }),
    ...(item.droppedAttributes === 0 ? {} : { attributes_dropped_by_sender: item.droppedAttributes }),
  };
}
