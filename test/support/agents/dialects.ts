import type { Json } from '../../../src/protocol/index.ts';
import { type Dialect, type JsonRecord, list, type ModelTurn, record, textOf, turnsIn } from './conversation.ts';

function callsOf(turn: ModelTurn) {
  return 'calls' in turn ? turn.calls : [];
}

function saidOf(turn: ModelTurn): string {
  return 'text' in turn ? turn.text : '';
}

function named(tools: Json | undefined, name: (tool: JsonRecord) => Json | undefined): string[] {
  return list(tools)
    .map((tool) => name(record(tool)))
    .filter((text) => typeof text === 'string');
}

/** Anthropic's Messages. */
export const messages: Dialect = {
  path: /\/v1\/messages(\?|$)/,
  question: (body) => {
    const first = list(body['messages'])
      .map(record)
      .find(({ role }) => role === 'user');
    return {
      turn: turnsIn(list(body['messages'])),
      firstUserText: textOf(first?.['content']),
      tools: named(body['tools'], ({ name }) => name),
    };
  },
  answer: (turn, body, ids) => {
    const calls = callsOf(turn);
    const reason = calls.length > 0 ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 10, output_tokens: 5 };
    const base = {
      id: ids.message,
      type: 'message',
      role: 'assistant',
      model: body['model'] ?? null,
      stop_sequence: null,
    };
    const content: Json[] =
      calls.length > 0
        ? calls.map(({ name, input }, index) => ({ type: 'tool_use', id: ids.of(index), name, input }))
        : [{ type: 'text', text: saidOf(turn) }];
    const blocks = content.flatMap((block, index) => {
      const { type, text, input } = record(block);
      const empty = type === 'text' ? { type, text: '' } : { ...record(block), input: {} };
      const delta =
        type === 'text'
          ? { type: 'text_delta', text: text ?? '' }
          : { type: 'input_json_delta', partial_json: JSON.stringify(input) };
      return [
        { type: 'content_block_start', index, content_block: empty as Json },
        { type: 'content_block_delta', index, delta },
        { type: 'content_block_stop', index },
      ];
    });
    const events = [
      { type: 'message_start', message: { ...base, content: [], stop_reason: null, usage } },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ];
    return {
      body: { ...base, content, stop_reason: reason, usage },
      events: events.map((event) => ({ type: event.type, data: event })),
    };
  },
};

/** OpenAI's Responses. */
export const responses: Dialect = {
  path: /\/responses(\?|$)/,
  question: (body) => {
    const users = list(body['input'])
      .map(record)
      .filter(({ role }) => role === 'user');
    return {
      turn: turnsIn(list(body['input'])),
      // What comes before the prompt is about the surroundings.
      firstUserText: users.map(({ content }) => textOf(content)).join('\n'),
      // Models that write code are told of their tools by an item of the input, in groups.
      tools: [
        ...named(body['tools'], ({ name, type }) => name ?? type),
        ...list(body['input']).flatMap((item) => named(record(item)['tools'], ({ name, type }) => name ?? type)),
      ],
    };
  },
  answer: (turn, _body, ids) => {
    const calls = callsOf(turn).map(({ name, input, text, group }, index): Json => {
      const id = ids.of(index);
      if (text !== undefined) {
        return { type: 'custom_tool_call', id: `ct_${id}`, call_id: id, name, input: text, status: 'completed' };
      }
      return {
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        ...(group !== undefined && { namespace: group }),
        arguments: JSON.stringify(input),
        status: 'completed',
      };
    });
    const said = {
      type: 'message',
      id: ids.message,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: saidOf(turn), annotations: [] }],
    };
    const output: Json[] = calls.length > 0 ? calls : [said];
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      total_tokens: 15,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const response = { id: `resp_${ids.message}`, status: 'completed', output, usage };
    const items = output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item },
      { type: 'response.output_item.done', output_index: index, item },
    ]);
    const events: ({ type: string } & { [member: string]: Json })[] = [
      { type: 'response.created', response: { id: response.id, status: 'in_progress', output: [] } },
      ...items,
      { type: 'response.completed', response },
    ];
    return { body: response, events: events.map((event) => ({ type: event.type, data: event })) };
  },
};

/** OpenAI's Chat Completions. */
export const chatCompletions: Dialect = {
  path: /\/chat\/completions(\?|$)/,
  question: (body) => {
    const first = list(body['messages'])
      .map(record)
      .find(({ role }) => role === 'user');
    return {
      turn: turnsIn(list(body['messages'])),
      firstUserText: textOf(first?.['content']),
      tools: named(body['tools'], (tool) => record(tool['function'])['name']),
    };
  },
  answer: (turn, body, ids) => {
    const calls = callsOf(turn).map(
      ({ name, input }, index): Json => ({
        index,
        id: ids.of(index),
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }),
    );
    const reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const message = {
      role: 'assistant',
      content: calls.length > 0 ? null : saidOf(turn),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const base = { id: `chatcmpl-${ids.message}`, created: 1, model: body['model'] ?? null };
    const chunk = (delta: Json, finish: string | null): { [member: string]: Json } => ({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    return {
      body: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }], usage },
      events: [{ data: chunk(message, null) }, { data: { ...chunk({}, reason), usage } }, { data: '[DONE]' }],
    };
  },
};

/** Gemini's generateContent, which knows no ids: turns are counted by the model's contents with calls. */
export const generateContent: Dialect = {
  path: /:(stream)?[gG]enerateContent/,
  question: (body) => {
    const contents = list(body['contents']).map(record);
    const parts = ({ parts: all }: JsonRecord) => list(all).map(record);
    const turns = contents.filter(
      (one) => one['role'] === 'model' && parts(one).some((part) => 'functionCall' in part),
    );
    const users = contents.filter(({ role }) => role === 'user').flatMap(parts);
    return {
      turn: turns.length,
      firstUserText: users.map(({ text }) => text ?? '').join('\n'),
      tools: list(body['tools']).flatMap((tool) => named(record(tool)['functionDeclarations'], ({ name }) => name)),
    };
  },
  answer: (turn) => {
    const calls = callsOf(turn);
    const parts: Json[] =
      calls.length > 0
        ? calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
        : [{ text: saidOf(turn) }];
    const body = {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: 'fake-model',
    };
    return { body, events: [{ data: body }] };
  },
};
