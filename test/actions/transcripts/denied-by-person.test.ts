// docs/recorders.md, "Transcripts": a call that a person denied in the dialog of the program. Nobody is asked without a terminal, so
// these lines are what the sources and the binaries of the named versions write, between lines that the real programs wrote.
import { describe, expect, it } from 'vitest';
import type { TranscriptLine, TranscriptProgramId } from '../../../src/actions/transcripts/index.ts';
import { callsIn, itemsOf } from './read.ts';

type Ended = readonly [call: string, outcome: string];

function lines(...members: readonly object[]): TranscriptLine[] {
  return members.map((line, index) => ({ line: index + 1, text: JSON.stringify(line) }));
}

async function endsOf(program: TranscriptProgramId, written: readonly TranscriptLine[], path = ''): Promise<Ended[]> {
  const items = await itemsOf(program, written, path);
  expect(items.filter(({ kind }) => kind === 'unread')).toEqual([]);
  return callsIn(items).map(({ call_id: id, outcome }) => [id ?? '', outcome]);
}

describe('a call that a person denied', () => {
  it('is denied in a rollout of Codex 0.169.0: commands, patches and calls of MCP servers', async () => {
    const item = (payload: object) => ({ timestamp: '2026-11-29T10:00:00Z', type: 'response_item', payload });
    const asked = (call_id: string, name: string, more: object = {}) =>
      item({ type: 'function_call', call_id, name, arguments: '{}', ...more });
    const told = (call_id: string, output: string) => item({ type: 'function_call_output', call_id, output });
    const ended = (id: string, message: string) => ({
      timestamp: '2026-11-29T10:00:00Z',
      type: 'event_msg',
      payload: { type: 'item_completed', item: { type: 'McpToolCall', id, status: 'failed', error: { message } } },
    });
    const mcp = { namespace: 'mcp__shop' };
    const written = lines(
      { type: 'session_meta', payload: { id: 'session' } },
      asked('command', 'exec_command'),
      told('command', 'exec_command failed for `rm a`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }'),
      asked('shell', 'shell'),
      told('shell', 'exec command rejected by user'),
      asked('patch', 'apply_patch'),
      told('patch', 'patch rejected by user'),
      asked('rejected', 'pay', mcp),
      ended('rejected', 'user rejected MCP tool call'),
      told('rejected', 'user rejected MCP tool call'),
      asked('cancelled', 'pay', mcp),
      ended('cancelled', 'user cancelled MCP tool call'),
      told('cancelled', 'user cancelled MCP tool call'),
      asked('failed', 'pay', mcp),
      ended('failed', 'tool call error: the server said: user rejected MCP tool call'),
      told('failed', 'user rejected MCP tool call'),
    );
    expect(await endsOf('codex', written)).toEqual([
      ...['command', 'shell', 'patch', 'rejected'].map((call) => [call, 'denied']),
      ['cancelled', 'cancelled'],
      ['failed', 'failed'],
    ]);
  });

  it('is denied in a chat of Gemini CLI 0.61.0, and cancelled are those that waited behind it', async () => {
    const call = (id: string, error: string) => {
      const response = { functionResponse: { id, name: 'run_shell_command', response: { error } } };
      return { id, name: 'run_shell_command', args: {}, status: 'cancelled', result: [response] };
    };
    const toolCalls = [
      call('no', '[Operation Cancelled] Reason: User denied execution.'),
      call('queued', '[Operation Cancelled] Reason: User cancelled operation'),
    ];
    const written = lines({ sessionId: 'session', projectHash: 'hash' }, { id: 'm', type: 'gemini', toolCalls });
    expect(await endsOf('gemini', written)).toEqual([
      ['no', 'denied'],
      ['queued', 'cancelled'],
    ]);
  });

  it('is denied in the events of Copilot CLI, by the code of the error', async () => {
    const begun = { type: 'tool.execution_start', data: { toolCallId: 'no', toolName: 'bash', arguments: {} } };
    const error = { message: 'The user rejected this tool call.', code: 'rejected' };
    const ended = { type: 'tool.execution_complete', data: { toolCallId: 'no', success: false, error } };
    const start = { type: 'session.start', parentId: null, data: { sessionId: 'session' } };
    expect(await endsOf('copilot', lines(start, begun, ended))).toEqual([['no', 'denied']]);
  });

  it('is cancelled in the events of Copilot CLI 1.0.102 where its question was, with the turn', async () => {
    const begun = (toolCallId: string) => ({
      type: 'tool.execution_start',
      data: { toolCallId, toolName: 'bash', arguments: {} },
    });
    const answered = (toolCallId: string, kind: string) => ({
      type: 'permission.completed',
      data: { requestId: 'r', toolCallId, result: { kind, reason: 'Session aborted' } },
    });
    const start = { type: 'session.start', parentId: null, data: { sessionId: 'session' } };
    const written = lines(
      start,
      ...['escape', 'yes', 'then told'].map(begun),
      answered('escape', 'cancelled'),
      { type: 'abort', data: { reason: 'user_initiated' } },
      answered('yes', 'approved'),
      answered('then told', 'cancelled'),
      { type: 'tool.execution_complete', data: { toolCallId: 'then told', success: true } },
    );
    expect(await endsOf('copilot', written)).toEqual([
      ['then told', 'completed'],
      ['escape', 'cancelled'],
      ['yes', 'unknown'],
    ]);
  });

  it('is denied in the store of opencode 1.18.33, with a reason or without', async () => {
    const said = 'The user rejected permission to use this specific tool call';
    const part = (callID: string, error: string) => ({
      table: 'part',
      id: callID,
      data: JSON.stringify({ type: 'tool', tool: 'bash', callID, state: { status: 'error', input: {}, error } }),
    });
    const written = lines(
      { table: 'session', id: 'session', directory: '/home/ada' },
      part('plain', `${said}.`),
      part('reason', `${said} with the following feedback: not this one`),
    );
    expect(await endsOf('opencode', written)).toEqual([
      ['plain', 'denied'],
      ['reason', 'denied'],
    ]);
  });

  it('is cancelled in the store of opencode 1.18.33 where a command was stopped, and failed where it took too long', async () => {
    const part = (callID: string, why: string, exit: number | null) => {
      const output = `begun\n\n\n<shell_metadata>\n${why}\n</shell_metadata>`;
      const state = { status: 'completed', input: {}, output, metadata: { exit } };
      return { table: 'part', id: callID, data: JSON.stringify({ type: 'tool', tool: 'bash', callID, state }) };
    };
    const written = lines(
      { table: 'session', id: 'session', directory: '/home/ada' },
      part('stopped', 'User aborted the command', null),
      part('too long', 'shell tool terminated command after exceeding timeout 700 ms.', null),
      part('printed', 'User aborted the command', 0),
    );
    expect(await endsOf('opencode', written)).toEqual([
      ['stopped', 'cancelled'],
      ['too long', 'failed'],
      ['printed', 'completed'],
    ]);
  });

  it('is denied in the wire file of Kimi Code 2.1.0, and cancelled where nobody decided', async () => {
    const event = (of: object) => ({ type: 'context.append_loop_event', agentId: 'main', event: of });
    const call = (toolCallId: string, output: string) => [
      event({ type: 'tool.call', toolCallId, name: 'Bash', args: {} }),
      event({ type: 'tool.result', toolCallId, result: { output, isError: true } }),
    ];
    const written = lines(
      { type: 'metadata', protocol_version: '1' },
      // At a terminal the question and its answer have lines too.
      { type: 'interaction.request', agentId: 'main', id: 'approval_1', kind: 'approval', toolCallId: 'no' },
      { type: 'interaction.resolved', agentId: 'main', id: 'approval_1', response: { decision: 'rejected' } },
      ...call('no', 'Tool "Bash" was not run because the user rejected the approval request. Reason: not this one'),
      ...call('left', 'Tool "Bash" was not run because the approval request was cancelled.'),
    );
    expect(await endsOf('kimi', written, '/home/ada/.kimi-code/sessions/f/s/agents/main/wire.jsonl')).toEqual([
      ['no', 'denied'],
      ['left', 'cancelled'],
    ]);
  });
});
