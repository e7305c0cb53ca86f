import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { RecorderHome } from '../../../src/recorder/base/home.ts';
import type { FeedId } from '../../../src/recorder/index.ts';
import { BUILT_COMMAND } from '../built-command.ts';
import { attributes, logRecord, span } from '../otlp.ts';
import { PATIENCE_MS } from '../processes.ts';

/** Attributes of a call, all of them texts. */
export type TelemetryFacts = Readonly<Record<string, string>>;

export interface Telemetry {
  readonly resource: TelemetryFacts;
  readonly calls: readonly TelemetryFacts[];
}

/** Asks the recorder at its port, as scripts do. @throws where it does not answer with 200 */
export async function post(
  home: RecorderHome,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { url }: { url: string } = JSON.parse(readFileSync(home.address, 'utf8'));
  const authorization = `Bearer ${readFileSync(home.token, 'utf8').trim()}`;
  const own = { 'content-type': 'application/json', authorization, ...headers };
  const answer = await fetch(`${url}${path}`, { method: 'POST', body, headers: own });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** The same through the socket, with curl: what docs/recorder-sources.md shows. */
export async function curl(home: RecorderHome, feed: FeedId, body: string): Promise<string> {
  const url = `http://localhost/v1/hook/${feed}`;
  const child = spawn('curl', ['-q', '-sS', '--unix-socket', home.socket, '--data-binary', '@-', url]);
  child.stdin.end(body);
  return text(child.stdout);
}

/** Hands a batch of calls over as spans and log records, in JSON. */
export async function telemetryInJson(home: RecorderHome, { resource: own, calls }: Telemetry): Promise<void> {
  const resource = { attributes: attributes(own) };
  const spans = calls.map((facts, n) =>
    span(
      'execute_tool note',
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'note', ...facts },
      {
        spanId: `00000000000001${(16 + n).toString(16)}`,
        status: { code: 2, message: facts['error.message'] },
      },
    ),
  );
  const logs = calls.map((facts, n) =>
    logRecord({
      'event.name': 'claude_code.tool_result',
      tool_name: 'Bash',
      tool_use_id: `log ${n}`,
      success: 'false',
      tool_input: facts['gen_ai.tool.call.arguments'],
      error: facts['error.message'],
      ...facts,
    }),
  );
  const feed = { 'x-countersign-feed': 'enterprise' };
  const scope = { name: 'test' };
  await post(
    home,
    '/v1/traces',
    JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }),
    feed,
  );
  const scopeLogs = [{ scope, logRecords: logs }];
  await post(home, '/v1/logs', JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] }), feed);
}

/** The same in protobuf, by the exporters of OpenTelemetry. */
export async function telemetryInProtobuf(home: RecorderHome, { calls }: Pick<Telemetry, 'calls'>): Promise<void> {
  const { url }: { url: string } = JSON.parse(readFileSync(home.address, 'utf8'));
  const authorization = `Bearer ${readFileSync(home.token, 'utf8').trim()}`;
  const headers = { authorization, 'x-countersign-feed': 'enterprise' };
  const traces = new NodeTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces`, headers, timeoutMillis: PATIENCE_MS })),
    ],
  });
  const logs = new LoggerProvider({
    processors: [
      new SimpleLogRecordProcessor({
        exporter: new OTLPLogExporter({ url: `${url}/v1/logs`, headers, timeoutMillis: PATIENCE_MS }),
      }),
    ],
  });
  for (const [n, facts] of calls.entries()) {
    const call = traces.getTracer('test').startSpan('execute_tool note', {
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'note', ...facts },
    });
    call.recordException(new Error(facts['error.message']));
    call.setStatus({ code: 2, message: facts['error.message'] ?? '' });
    call.end();
    logs.getLogger('test').emit({
      attributes: {
        'event.name': 'codex.tool_result',
        tool_name: 'shell',
        call_id: `protobuf ${n}`,
        success: 'false',
        arguments: facts['gen_ai.tool.call.arguments'] ?? '',
        output: facts['gen_ai.tool.call.result'] ?? '',
        ...facts,
      },
    });
  }
  await Promise.all([traces.forceFlush(), logs.forceFlush()]);
  await Promise.all([traces.shutdown(), logs.shutdown()]);
}

/** A server that gives back what it was given, and calls every second answer an error. */
const ECHO = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, params } = JSON.parse(line);
    const isError = id % 2 === 1;
    const result = { content: [{ type: 'text', text: JSON.stringify(params) }], structuredContent: params, isError };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });
`;

/** Starts one of the proxies, as a client does. */
function proxy(home: RecorderHome, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'] ?? '', COUNTERSIGN_RECORDER: home.folder, ...environment };
  return spawn(process.execPath, [BUILT_COMMAND, 'record', ...args], { env });
}

/** Calls a tool of a server through `countersign record mcp`, once for each. @returns what the proxy says besides */
export async function throughMcp(
  home: RecorderHome,
  server: { readonly args: readonly string[]; readonly environment: Readonly<Record<string, string>> },
  calls: readonly object[],
): Promise<string> {
  const command = ['mcp', '--feed', 'gui', '--name', 'files', '--', process.execPath, '-e', ECHO];
  const child = proxy(home, [...command, ...server.args], server.environment);
  const [said, answered] = [text(child.stderr), text(child.stdout)];
  const messages = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const answers = (await answered).trim().split('\n');
  if (answers.length !== calls.length)
    throw new Error(`${answers.length} answers to ${calls.length} calls: ${await said}`);
  // Each of them whole.
  for (const answer of answers) JSON.parse(answer);
  return said;
}

/** An agent that carries out what it is prompted with as one call, and has its client write it to a file. */
const AGENT = `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentInfo: { name: 'an-agent', version: '1' } } });
    if (method === 'session/new') send({ id, result: { sessionId: params.cwd } });
    if (method !== 'session/prompt') return;
    const { sessionId, prompt: [{ text }, { text: toolCallId }] } = params;
    const update = (update) => send({ method: 'session/update', params: { sessionId, update: { toolCallId, ...update } } });
    const rawInput = { content: text, path: '/srv/shop/big.txt' };
    update({ sessionUpdate: 'tool_call', title: 'Write', kind: 'edit', status: 'in_progress', rawInput });
    update({ sessionUpdate: 'tool_call_update', status: 'completed', rawOutput: text });
    send({ id: 'w', method: 'fs/write_text_file', params: { sessionId, path: '/srv/shop/big.txt', content: text } });
    send({ id, result: { stopReason: 'end_turn' } });
  });
`;

/**
 * Has an agent carry out a call through `countersign record acp`, in a session that is named by the folder.
 * @returns what the proxy says besides
 */
export async function throughAcp(home: RecorderHome, cwd: string, callId: string, told: string): Promise<string> {
  const child = proxy(home, ['acp', '--feed', 'gui', '--', process.execPath, '-e', AGENT]);
  const said = text(child.stderr);
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const prompt = [told, callId].map((each) => ({ type: 'text', text: each }));
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: 1, clientInfo: { name: 'an-editor', version: '1' } },
  });
  send({ id: 1, method: 'session/new', params: { cwd, mcpServers: [] } });
  send({ id: 2, method: 'session/prompt', params: { sessionId: cwd, prompt } });
  const methods: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, method, params } = JSON.parse(line);
    methods.push(method ?? id);
    if (method === 'fs/write_text_file') {
      if (params.content !== told) throw new Error(`${params.content.length} of ${told.length} characters arrived`);
      send({ id, result: {} });
    }
    if (method === undefined && id === 2) child.stdin.end();
  }
  const all = [0, 1, 'session/update', 'session/update', 'fs/write_text_file', 2];
  if (methods.join() !== all.join()) throw new Error(`${methods.join()}: ${await said}`);
  return said;
}

type Hook = (...given: readonly unknown[]) => Promise<void>;

/** What opencode calls of the plugin that is installed. */
export async function openPlugin(path: string, home: RecorderHome): Promise<Readonly<Record<string, Hook>>> {
  const before = process.env['COUNTERSIGN_RECORDER'];
  process.env['COUNTERSIGN_RECORDER'] = home.folder;
  try {
    const { Countersign } = await import(pathToFileURL(path).href);
    return await Countersign({ directory: '/srv/shop' });
  } finally {
    if (before === undefined) delete process.env['COUNTERSIGN_RECORDER'];
    else process.env['COUNTERSIGN_RECORDER'] = before;
  }
}
