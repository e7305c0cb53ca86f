import { describe, expect, it } from 'vitest';
import type { SeenCall } from '../../../src/recorder/seen/seen.ts';
import { type AttributeValues, callsOf, logRecord, receiveLogs, receiveSpans, span } from '../../support/otlp.ts';

function callOf(name: string, values: AttributeValues, members = {}): SeenCall | undefined {
  return callsOf(receiveSpans([span(name, values, members)]), 'enterprise')[0];
}

const INPUT = { city: 'Ulm' };
const OUTPUT = { degrees: 21 };
const CALL = {
  stage: 'completed',
  tool: { name: 'get_weather', type: 'function', server: null },
  call_id: 'call_1',
  input: INPUT,
  output: OUTPUT,
  outcome: { status: 'ok' },
};

const asObject = (values: AttributeValues): object => ({
  kvlistValue: {
    values: Object.entries(values).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
    })),
  },
});

describe('a span of a tool', () => {
  it('is read by the GenAI conventions, with arguments and result as objects or as JSON', () => {
    const values = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.conversation.id': 'conversation-1',
    };
    for (const [input, output] of [
      [JSON.stringify(INPUT), JSON.stringify(OUTPUT)],
      [asObject(INPUT), asObject(OUTPUT)],
    ]) {
      const call = callOf('execute_tool get_weather', {
        ...values,
        'gen_ai.tool.call.arguments': input,
        'gen_ai.tool.call.result': output,
      });
      expect(call).toMatchObject({ ...CALL, session: { id: 'conversation-1' }, duration_ms: 1000 });
    }
  });

  it.each<[string, string, AttributeValues]>([
    [
      'OpenInference',
      'get_weather',
      {
        'openinference.span.kind': 'TOOL',
        'tool_call.id': 'call_1',
        'input.value': JSON.stringify(INPUT),
        'output.value': JSON.stringify(OUTPUT),
      },
    ],
    [
      'Vercel AI SDK',
      'ai.toolCall',
      {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'get_weather',
        'ai.toolCall.id': 'call_1',
        'ai.toolCall.args': JSON.stringify(INPUT),
        'ai.toolCall.result': JSON.stringify(OUTPUT),
      },
    ],
    [
      'Pydantic AI',
      'running tool',
      {
        'gen_ai.tool.name': 'get_weather',
        'gen_ai.tool.call.id': 'call_1',
        tool_arguments: JSON.stringify(INPUT),
        tool_response: JSON.stringify(OUTPUT),
      },
    ],
  ])('is read of %s', (_, name, values) => {
    expect(callOf(name, values)).toMatchObject(CALL);
  });

  it('is read of OpenLLMetry, which gives no id of the call', () => {
    const call = callOf('get_weather.tool', {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'get_weather',
      'traceloop.entity.input': JSON.stringify(INPUT),
      'traceloop.entity.output': JSON.stringify(OUTPUT),
      'traceloop.association.properties.session_id': 'session-1',
    });
    expect(call).toMatchObject({ ...CALL, call_id: null, session: { id: 'session-1' } });
  });

  it('is read member by member where an instrumentation mixes dialects', () => {
    const long = { city: 'Ulm', note: 'x'.repeat(3_000) };
    // opentelemetry-instrumentation-langchain: the conventions' members are there, cut, and the whole is in its own.
    const call = callOf('get_weather.tool', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'DynamicStructuredTool',
      'gen_ai.tool.call.arguments': JSON.stringify(long).slice(0, 1_024),
      'traceloop.entity.name': 'DynamicStructuredTool',
      'traceloop.entity.input': JSON.stringify(long),
      'traceloop.entity.output': JSON.stringify(OUTPUT),
      'traceloop.association.properties.session_id': 'session-1',
    });
    expect(call).toMatchObject({ ...CALL, call_id: null, input: long, session: { id: 'session-1' } });
  });

  it('is read of Google ADK', () => {
    const call = callOf('execute_tool get_weather', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.system': 'gcp.vertex.agent',
      'gcp.vertex.agent.tool_call_args': JSON.stringify(INPUT),
      'gcp.vertex.agent.tool_response': JSON.stringify(OUTPUT),
      'gcp.vertex.agent.session_id': 'session-1',
    });
    expect(call).toMatchObject({ ...CALL, session: { id: 'session-1' } });
  });

  it.each<[string, string, AttributeValues]>([
    [
      // openinference-instrumentation-crewai up to 0.1.19 wraps ToolUsage._use, and its input has what that takes: the model's whole answer, the
      // tool with its description, and the call.
      'around the use of a tool',
      'get_weather._use',
      {
        'input.value': JSON.stringify({
          tool_string: 'Thought: I look.\nAction: get_weather\nAction Input: {"city": "Ulm"}',
          tool: "CrewStructuredTool(name='get_weather', description='Tells the weather.')",
          calling: { tool_name: 'get_weather', arguments: INPUT },
        }),
      },
    ],
    [
      // Its listener of events, which came after.
      'by events',
      'get_weather.run',
      {
        'input.value': JSON.stringify(INPUT),
        'input.mime_type': 'application/json',
        'tool.class': 'WeatherTool',
        'tool.agent_role': 'Meteorologist',
        'tool.run_attempts': 1,
      },
    ],
  ])('is read of OpenInference for CrewAI %s', (_, name, values) => {
    const call = callOf(name, {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'get_weather',
      'output.value': JSON.stringify(OUTPUT),
      'session.id': 'session-1',
      ...values,
    });
    expect(call).toMatchObject({ ...CALL, call_id: null, session: { id: 'session-1' } });
    expect(JSON.stringify(call)).not.toMatch(/I look|Tells the weather/);
  });

  it('keeps an input that only resembles the use of a tool of CrewAI', () => {
    const calling = { tool_name: 'other', arguments: INPUT };
    for (const input of [{ calling }, { calling: 'x', tool_string: 'x' }, { calling: {}, tool_string: 'x' }]) {
      const values = { 'openinference.span.kind': 'TOOL', 'tool.name': 't', 'input.value': JSON.stringify(input) };
      expect(callOf('t.run', values)?.input).toEqual(input);
    }
  });

  it('is read of OpenLLMetry for CrewAI, by the conventions', () => {
    const values = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.description': 'Tells the weather.',
      'gen_ai.tool.call.arguments': JSON.stringify(INPUT),
      'gen_ai.tool.call.result': JSON.stringify(OUTPUT),
    };
    expect(callOf('get_weather.tool', values, { kind: 3 })).toMatchObject({ ...CALL, call_id: null });
  });

  it("is not read of CrewAI's own telemetry, which only counts uses", () => {
    // By the tracer crewai.telemetry, with neither what the tool was given nor what it gave.
    const values = { crewai_version: '1.15.0', tool_name: 'get_weather', attempts: 1, llm: 'gpt-4.1' };
    const received = receiveSpans([span('Tool Usage', values), span('Tool Usage Error', values)]);
    expect(received).toMatchObject({ rejected: { count: 0 }, passedOver: 2 });
    expect(received.byFeed.size).toBe(0);
  });

  it.each<[string, object]>([
    ['as it is', { content: 'sunny', tool_call_id: 'call_1', type: 'tool' }],
    [
      'written by its constructor',
      { lc: 1, type: 'constructor', kwargs: { content: 'sunny', tool_call_id: 'call_1' } },
    ],
    ['within its output', { output: { kwargs: { content: 'sunny', tool_call_id: 'call_1' } } }],
  ])('has the id that is in the message of the tool alone, %s', (_, message) => {
    const values = {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'get_weather',
      'output.value': JSON.stringify(message),
    };
    expect(callOf('get_weather', values)).toMatchObject({ call_id: 'call_1', output: message });
  });

  it('is read of MCP, whose conventions put the name of the tool into the span where no attribute has it', () => {
    const call = callOf(
      'tools/call get_weather',
      { 'mcp.method.name': 'tools/call', 'mcp.session.id': 's' },
      { kind: 3 },
    );
    expect(call).toMatchObject({
      tool: { name: 'get_weather', type: 'mcp', server: null },
      extra: { span_kind: 'client', attributes: { 'mcp.session.id': 's' } },
    });
    const named = callOf('execute_tool', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'mcp__probe__echo',
    });
    expect(named).toMatchObject({ tool: { name: 'echo', type: 'mcp', server: 'probe' } });
  });

  it('keeps what was not mapped within bounds, and neither prompts nor descriptions', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`app.value.${index}`, index]));
    const call = callOf('execute_tool x', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'x',
      'gen_ai.tool.description': 'Do it',
      'gen_ai.system_instructions': 'Be kind',
      'gen_ai.input.messages': '[]',
      long: 'x'.repeat(5000),
      'longer.than.all': 'x'.repeat(8193),
      list: { arrayValue: { values: [{ stringValue: 'a' }, {}] } },
      ...many,
    });
    const kept = call?.extra?.['attributes'];
    expect(kept).toMatchObject({ long: 'x'.repeat(5000), list: '["a",null]', 'app.value.0': 0 });
    expect(Object.keys(Object(kept))).toHaveLength(64);
    expect(call?.extra).toMatchObject({ attributes_omitted: 104 - 64 });
    expect(JSON.stringify(kept)).not.toMatch(/Do it|Be kind|messages/);
  });

  it('leaves the output of a command as the text that it is', () => {
    const values = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'bash',
      'gen_ai.tool.call.result': '{"a": 1}',
    };
    expect(callOf('execute_tool bash', values)?.output).toBe('{"a": 1}');
  });

  it.each<[string, AttributeValues, object, object]>([
    ['an error type', { 'error.type': 'tool_error' }, {}, { status: 'error', error: { type: 'tool_error' } }],
    ['a time-out', { 'error.type': 'TimeoutError' }, {}, { status: 'timeout', error: { type: 'TimeoutError' } }],
    ['a status', {}, { status: { code: 2, message: 'no' } }, { status: 'error', error: { message: 'no' } }],
    ['a status by name', {}, { status: { code: 'STATUS_CODE_ERROR' } }, { status: 'error' }],
  ])('failed by %s', (_, values, members, outcome) => {
    const call = callOf('t', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 't', ...values }, members);
    expect(call).toMatchObject({ stage: 'failed' });
    expect(call?.outcome).toEqual(outcome);
  });

  it('failed by an exception that is an event of it', () => {
    const exception = {
      name: 'exception',
      attributes: [
        { key: 'exception.type', value: { stringValue: 'ValueError' } },
        { key: 'exception.message', value: { stringValue: 'bad city' } },
      ],
    };
    const values = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 't' };
    expect(callOf('t', values, { events: [exception] })).toMatchObject({
      stage: 'failed',
      outcome: { status: 'error', error: { type: 'ValueError', message: 'bad city' } },
    });
  });
});

describe('a log record of a tool', () => {
  it('that was denied is refused', () => {
    const values = {
      'event.name': 'gemini_cli.tool_call',
      function_name: 'write_file',
      success: false,
      decision: 'reject',
    };
    const calls = callsOf(receiveLogs([logRecord(values)], { 'service.name': 'gemini-cli' }), 'gemini');
    expect(calls).toMatchObject([{ stage: 'refused', outcome: { status: 'denied' } }]);
  });

  it('that failed says so, also in texts', () => {
    const values = {
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      success: 'false',
      error: 'Exit code 2',
      duration_ms: '12',
    };
    const record = logRecord(values, { body: { stringValue: 'claude_code.tool_result' } });
    const calls = callsOf(receiveLogs([record], { 'service.name': 'claude-code' }), 'claudecode');
    expect(calls).toMatchObject([
      { stage: 'failed', duration_ms: 12, outcome: { status: 'error', error: { message: 'Exit code 2' } } },
    ]);
  });

  it('without a name of the tool is rejected, and one of something else is passed over', () => {
    const received = receiveLogs([logRecord({ 'event.name': 'codex.tool_result' }), logRecord({ 'event.name': 'x' })]);
    expect(received).toMatchObject({ rejected: { count: 1 }, passedOver: 1 });
    expect(new TextDecoder().decode(received.answer.body)).toBe(
      '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"Calls without the name of a tool: 1."}}',
    );
  });
});
