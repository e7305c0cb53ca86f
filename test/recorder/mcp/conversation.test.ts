import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, Played, play } from './played.ts';

describe('conversation of captured clients', () => {
  it.each([
    ['claude', 'claude-code', '2.1.330', '2025-11-25', 'toolu_fake_0', null],
    ['codex', 'codex-mcp-client', '0.169.0', '2025-06-18', 'call_fake_0', '01a20077-4ecb-7813-a7e4-e313425079c7'],
    ['gemini', 'gemini-cli-mcp-client', '0.61.0', '2025-06-18', null, null],
  ])('records what %s calls', (name, client, version, revision, callId, session) => {
    const { lines, seen } = play(name);
    expect(lines).toEqual([
      'tools probe 1',
      'started echo {"text":"hello"}',
      'completed echo ok {"content":[{"type":"text","text":"echo: hello"}],"isError":false}',
    ]);
    const [, started, completed] = seen;
    for (const event of [started, completed]) {
      expect(event).toMatchObject({
        source: 'mcp',
        witness: 'probe',
        tool: { name: 'echo', type: 'mcp', server: 'probe' },
        call_id: callId,
        input: { text: 'hello' },
        session: session === null ? null : { id: session },
        program_version: version,
        extra: { mcp_client: client, mcp_revision: revision, mcp_request: 'c0/1' },
      });
    }
    expect(started?.raw_event).toBe('tools/call');
    expect(completed?.raw_event).toBe('tools/call response');
    expect(new Set(seen.map(({ event_id }) => event_id)).size).toBe(3);
  });

  it('states the digest of the very bytes of the message', () => {
    const line = readFileSync(new URL('../fixtures/mcp/gemini.txt', import.meta.url), 'utf8').split('\n')[5] ?? '';
    const digest = createHash('sha256').update(line.slice(2)).digest('hex');
    expect(play('gemini').seen[1]?.raw_sha256).toBe(digest);
  });
});

describe('ends of calls', () => {
  it('keeps a tool that failed apart from a call that failed', () => {
    const played = new Played()
      .client(call(1))
      .server({ id: 1, result: { content: [{ type: 'text', text: 'no such file' }], isError: true } })
      .client(call(2))
      .server({ id: 2, error: { code: -32602, message: 'bad arguments' } });
    expect(played.lines).toEqual([
      'started echo {"text":"hi"}',
      'failed echo error tool_error {"content":[{"type":"text","text":"no such file"}],"isError":true}',
      'started echo {"text":"hi"}',
      'failed echo error -32602',
    ]);
    expect(played.seen[1]).toMatchObject({ outcome: { error: { message: 'no such file' } } });
  });

  it('takes a cancelled call for cancelled, and its late response for a stray one', () => {
    const played = new Played()
      .client(call(1))
      .client({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'took too long' } })
      .server({ id: 1, result: { content: [] } });
    expect(played.lines).toEqual(['started echo {"text":"hi"}', 'failed echo cancelled cancelled']);
    expect(played.conversation.strayResponses).toBe(1);
  });

  it('says unknown of calls that were open when the connection ended', () => {
    expect(new Played().client(call(1)).close().lines[1]).toBe('failed echo unknown connection_closed');
  });

  it('gives responses with a repeated id to the requests in their order', () => {
    const played = new Played()
      .client(call(1, { name: 'a' }))
      .client(call(1, { name: 'b' }))
      .server({ id: 1, result: {} })
      .server({ id: 1, result: {} });
    expect(played.lines.slice(2)).toEqual(['completed a ok {}', 'completed b ok {}']);
  });

  it('keeps the ids of both sides, texts and numbers, and scopes apart', () => {
    const played = new Played()
      .client(call(1, { name: 'a' }), 'x')
      .client(call('1', { name: 'b' }), 'x')
      .client(call(1, { name: 'c' }), 'y')
      .server({ id: 1, method: 'sampling/createMessage', params: {} }, 'x')
      .client({ id: 1, result: { model: 'm1' } }, 'x')
      .server({ id: 1, result: {} }, 'y')
      .server({ id: '1', result: {} }, 'x');
    expect(played.lines.slice(4)).toEqual([
      'completed mcp.sampling ok {"model":"m1"}',
      'completed c ok {}',
      'completed b ok {}',
    ]);
    expect(played.seen[4]).toMatchObject({ model: { name: 'm1' } });
  });

  it('gives an id to the second of two equal calls at once, and only to that', () => {
    const played = new Played()
      .client(call(1))
      .client(call(2))
      .server({ id: 2, result: {} })
      .server({ id: 1, result: {} })
      .client(call(3));
    expect(played.seen.map((event) => event.kind === 'call' && event.call_id)).toEqual([
      null,
      'c0/2',
      'c0/2',
      null,
      null,
    ]);
  });

  it('forgets the oldest of too many open requests, and says so', () => {
    const played = new Played();
    for (let id = 0; id <= 10_000; id++) played.client({ id, ...(id === 0 ? call(0) : { method: 'ping' }) });
    expect(played.lines).toEqual(['started echo {"text":"hi"}', 'failed echo unknown not_followed']);
  });
});

describe('other calls than those of tools', () => {
  it('records resources, prompts, sampling and elicitation', () => {
    const played = new Played()
      .client({ id: 1, method: 'resources/read', params: { uri: 'file:///notes.txt' } })
      .server({ id: 1, result: { contents: [] } })
      .client({ id: 2, method: 'prompts/get', params: { name: 'greet', arguments: { who: 'ada' } } })
      .server({ id: 2, result: { messages: [] } })
      .server({ id: 1, method: 'sampling/createMessage', params: { maxTokens: 5 } })
      .client({ id: 1, error: { code: -1, message: 'User rejected sampling request' } })
      .server({ id: 2, method: 'elicitation/create', params: { message: 'name?' } })
      .client({ id: 2, result: { action: 'decline' } });
    expect(played.lines).toEqual([
      'started mcp.resource_read {"uri":"file:///notes.txt"}',
      'completed mcp.resource_read ok {"contents":[]}',
      'started mcp.prompt_get {"name":"greet","arguments":{"who":"ada"}}',
      'completed mcp.prompt_get ok {"messages":[]}',
      'started mcp.sampling {"maxTokens":5}',
      'failed mcp.sampling error -1',
      'started mcp.elicitation {"message":"name?"}',
      'completed mcp.elicitation ok {"action":"decline"}',
    ]);
    expect(played.seen[0]).toMatchObject({
      touched: [{ kind: 'other', id: 'file:///notes.txt', within: 'cmd', access: 'read' }],
    });
  });

  it('takes the trace context of a call', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const played = new Played().client(call(1, { name: 'a', _meta: { traceparent } }));
    expect(played.seen[0]?.trace).toEqual({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: 'b7ad6b7169203331',
    });
  });
});

describe('definitions of tools', () => {
  const list = (played: Played, id: number, tools: object[], cursor?: string, nextCursor?: string): Played =>
    played
      .client({ id, method: 'tools/list', params: cursor === undefined ? {} : { cursor } })
      .server({ id, result: { tools, nextCursor } });

  it('gathers pages, and records a list once until it changes', () => {
    const played = new Played();
    const [a, b] = [{ name: 'a', description: 'reads' }, { name: 'b' }];
    list(played, 1, [a], undefined, 'p2');
    expect(played.seen).toEqual([]);
    list(played, 2, [b], 'p2');
    list(played, 3, [b, a]);
    played.server({ method: 'notifications/tools/list_changed' });
    list(played, 4, [{ description: 'reads, and sends elsewhere', name: 'a' }, b]);
    expect(played.lines).toEqual(['tools cmd 2', 'note mcp.tools_list_changed', 'tools cmd 2']);
    const [first, , second] = played.seen;
    const canonical = '[{"description":"reads","name":"a"},{"name":"b"}]';
    expect(first).toMatchObject({ definitions_sha256: createHash('sha256').update(canonical).digest('hex') });
    expect(second).not.toMatchObject({ definitions_sha256: Reflect.get(first ?? {}, 'definitions_sha256') });
  });
});
