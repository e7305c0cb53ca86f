// What is recorded of the Agent Client Protocol, by the schemas of its versions 1 and 2 (agentclientprotocol.com).
import { describe, expect, it } from 'vitest';
import { chosen, OPTIONS, Played } from './played.ts';

const STARTED = 'session_started: session/new';
const EDIT = {
  toolCallId: 'c1',
  title: 'Write notes.txt',
  kind: 'edit',
  locations: [{ path: '/home/ada/shop/notes.txt' }],
};
const SHELL = { toolCallId: 'c2', title: 'ls', kind: 'execute', rawInput: { command: 'ls' } };

describe('a session over ACP', () => {
  it('is recorded with its prompts and turns, and ends with the connection', () => {
    const played = new Played().begun();
    played.client(
      'session/prompt',
      {
        sessionId: 's1',
        prompt: [
          { type: 'text', text: 'Schreib die Übersicht 概要' },
          { type: 'resource_link', uri: 'file:///a' },
        ],
      },
      { stopReason: 'end_turn' },
    );
    played.close();
    expect(played.lines).toEqual([
      STARTED,
      'told [{"kind":"user","value":"Schreib die Übersicht 概要"},{"kind":"file","value":{"type":"resource_link","uri":"file:///a"}}]',
      'session_ended: connection closed',
    ]);
    expect(played.seen[1]).toMatchObject({
      source: 'acp',
      witness: 'gemini-cli',
      session: { id: 's1', turn: 1 },
      cwd: '/home/ada/shop',
      program_version: '0.61.0',
      extra: { acp_client: 'zed', acp_version: 1 },
    });
    expect(JSON.stringify(played.seen)).not.toContain('hidden');
    expect(played.conversation.programName).toBe('gemini-cli');
  });

  it('has all of a prompt of many blocks', () => {
    const played = new Played().begun();
    const prompt = Array.from({ length: 300 }, (_, at) => ({ type: 'text', text: `block ${at}` }));
    played.client('session/prompt', { sessionId: 's1', prompt }, { stopReason: 'end_turn' });
    const told = played.lines.find((line) => line.startsWith('told'));
    expect(prompt.filter(({ text }) => !told?.includes(`"${text}"`))).toEqual([]);
  });

  it('that is loaded repeats its history, which is counted and not recorded as calls', () => {
    const played = new Played().begun();
    played.say('client', {
      id: 'l',
      method: 'session/load',
      params: { sessionId: 's2', cwd: '/home/ada', mcpServers: [] },
    });
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'completed' }, 's2');
    played.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } }, 's2');
    played.say('server', { id: 'l', result: null });
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'in_progress' }, 's2');
    expect(played.lines.slice(1)).toEqual([
      'session_started: session/load',
      'note acp.replayed: The agent repeated 2 updates of before, 1 of them of calls.',
      'started execute {"command":"ls"}',
    ]);
  });

  it('has notes of what the client chooses, and of methods and updates that are not known, and counts their repetitions', () => {
    const played = new Played().begun();
    played.client('session/set_mode', { sessionId: 's1', modeId: 'yolo' });
    for (let n = 0; n < 3; n++) {
      played.agent('_vendor/do', { now: true });
      played.update({ sessionUpdate: 'new_kind' });
    }
    played.update({ sessionUpdate: 'current_mode_update', currentModeId: 'yolo' });
    for (let n = 0; n < 100; n++) played.agent(`_x/${n}`, {});
    expect(played.lines.slice(1, 6)).toEqual([
      'note acp.session.set_mode: yolo',
      'note acp.unknown_method: _vendor/do, from the agent',
      'note acp.unknown_method: session/update new_kind, from the agent',
      'note acp.unknown_method: 1 more messages',
      'note acp.mode: yolo',
    ]);
    expect(played.lines.length).toBeLessThan(75);
    expect(played.close().lines.at(-2)).toBe('note acp.unknown_method: 41 more messages');
  });

  it('that closes ends once', () => {
    const played = new Played().begun().client('session/close', { sessionId: 's1' }).close();
    expect(played.lines).toEqual([STARTED, 'session_ended: session/close']);
  });
});

describe('a call of a tool over ACP', () => {
  it('is one call from its first message to its end', () => {
    const played = new Played().begun();
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'pending' });
    played.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c2', status: 'in_progress' });
    played.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c2',
      status: 'completed',
      rawOutput: { exit_code: 3, text: 'a' },
    });
    played.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c2', status: 'completed' });
    expect(played.lines.slice(1)).toEqual([
      'proposed execute',
      'started execute {"command":"ls"}',
      'completed execute ok {"exit_code":3,"text":"a"}',
    ]);
    expect(played.seen.at(-1)).toMatchObject({
      call_id: 'c2',
      tool: { name: 'execute', type: 'shell' },
      input: { command: 'ls' },
      outcome: { status: 'ok', exit_code: 3 },
      touched: [{ kind: 'process', id: 'ls', access: 'write' }],
    });
  });

  it('whose input the model still writes is recorded once the input is there', () => {
    const played = new Played().begun();
    const meta = { claudeCode: { toolName: 'Bash', parentToolUseId: 'toolu_task' } };
    played.update({
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'Terminal',
      rawInput: {},
      status: 'pending',
      _meta: meta,
    });
    expect(played.lines).toEqual([STARTED]);
    played.update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', rawInput: { command: 'rm a' }, _meta: meta });
    expect(played.seen.at(-1)).toMatchObject({
      stage: 'proposed',
      tool: { name: 'Bash', type: 'shell' },
      input: { command: 'rm a' },
      sub_agent: { id: 'toolu_task' },
    });
  });

  it('without an input is recorded with what the agent shows of it, and with the input that comes later', () => {
    const played = new Played().begun();
    const content = [{ type: 'diff', path: 'notes.txt', oldText: null, newText: 'a' }];
    played.update({ sessionUpdate: 'tool_call', ...EDIT, content, status: 'in_progress' });
    played.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed', rawInput: { path: 'n' } });
    const input = { title: EDIT.title, locations: EDIT.locations, content };
    expect(played.seen.slice(1)).toMatchObject([
      { stage: 'started', input, touched: [{ kind: 'file', id: '/home/ada/shop/notes.txt', access: 'write' }] },
      { stage: 'failed', input, extra: { acp_input: { path: 'n' } }, outcome: { status: 'error' } },
    ]);
  });

  it('has the end that its turn has, where the agent tells none', () => {
    const played = new Played().begun();
    for (const stopReason of ['cancelled', 'end_turn']) {
      played.say('client', { id: stopReason, method: 'session/prompt', params: { sessionId: 's1', prompt: [] } });
      played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'in_progress' });
      played.say('server', { id: stopReason, result: { stopReason } });
    }
    played.update({ sessionUpdate: 'tool_call', ...EDIT, status: 'pending' });
    played.close();
    expect(played.lines.filter((line) => /^(failed|proposed|completed)/.test(line))).toEqual([
      'failed execute cancelled cancelled',
      'failed execute unknown turn_ended',
      'proposed edit',
      'failed edit unknown connection_closed',
    ]);
  });

  it('that ends twice in different ways is recorded so', () => {
    const played = new Played().begun();
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'failed' });
    played.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c2', status: 'completed' });
    expect(played.lines.slice(1)).toEqual(['failed execute error', 'completed tool ok']);
  });

  it('that names no id is noted', () => {
    const played = new Played().begun().update({ sessionUpdate: 'tool_call', title: 'x' });
    expect(played.lines.slice(1)).toEqual(['note acp.call_without_id']);
  });

  it('is forgotten as the oldest of too many that are open, and said to be', () => {
    const played = new Played().begun();
    for (let n = 0; n < 2_100; n++) {
      played.update({ sessionUpdate: 'tool_call', ...SHELL, toolCallId: `n${n}`, status: 'in_progress' });
    }
    const left = played.lines.filter((line) => line === 'failed execute unknown not_followed');
    expect(left.length).toBe(100);
  });
});

describe('a permission over ACP', () => {
  it.each([
    ['once', 'approved edit: allow_once: Allow once', []],
    ['no', 'denied edit: reject_once: Reject', ['refused edit denied denied']],
    ['odd', 'expired edit: odd', []],
  ])('answered with the option "%s" is a decision, of whom nobody knows', (option, decision, ends) => {
    const played = new Played().begun();
    played.agent('session/request_permission', { toolCall: EDIT, options: OPTIONS }, chosen(option));
    expect(played.lines.slice(1)).toEqual(['asked edit', decision, ...ends]);
    expect(played.seen[2]).toMatchObject({ by: { kind: 'unknown', id: 'zed' }, call_id: 'c1' });
  });

  it('that is cancelled, or fails, has expired', () => {
    const played = new Played().begun();
    played.agent(
      'session/request_permission',
      { toolCall: EDIT, options: OPTIONS },
      { outcome: { outcome: 'cancelled' } },
    );
    played.agent('session/request_permission', { toolCall: SHELL, options: OPTIONS }, new Error('away'));
    expect(played.lines.slice(1)).toEqual([
      'asked edit',
      'expired edit: cancelled',
      'failed edit cancelled cancelled',
      'asked execute',
      'expired execute: -32603 away',
    ]);
  });

  it('of version 2 may be for a command that is no call of a tool', () => {
    const played = new Played().begun();
    const subject = { type: 'command', command: 'make', cwd: '/home/ada/shop' };
    played.agent('session/request_permission', { title: 'Run make', subject, options: OPTIONS }, chosen('no'));
    expect(played.seen.slice(1)).toMatchObject([
      { stage: 'asked', call_id: null, input: { command: 'make', cwd: '/home/ada/shop' } },
      { decision: 'denied' },
      { stage: 'refused', outcome: { status: 'denied' } },
    ]);
  });

  it('denied ends the call, whatever the agent then says of its failure', () => {
    const played = new Played().begun();
    played.agent('session/request_permission', { toolCall: EDIT, options: OPTIONS }, chosen('no'));
    played.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' });
    expect(played.lines.length).toBe(4);
    played.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
    expect(played.lines.at(-1)).toBe('completed tool ok');
  });
});

describe('what an agent has its client do', () => {
  it('is recorded as calls: files', () => {
    const played = new Played().begun();
    played.agent('fs/read_text_file', { path: '/home/ada/shop/a' }, { content: 'text' });
    played.agent('fs/write_text_file', { path: '/home/ada/shop/b', content: 'new' }, new Error('read-only'));
    expect(played.seen.slice(1)).toMatchObject([
      { stage: 'started', call_id: null, touched: [{ kind: 'file', id: '/home/ada/shop/a', access: 'read' }] },
      { stage: 'completed', output: { content: 'text' } },
      {
        stage: 'started',
        input: { path: '/home/ada/shop/b', content: 'new' },
        touched: [{ kind: 'file', id: '/home/ada/shop/b', access: 'write' }],
      },
      { stage: 'failed', outcome: { status: 'error', error: { message: 'read-only' } } },
    ]);
  });

  it('is recorded as calls: commands in terminals, with output and exit code', () => {
    const played = new Played().begun();
    const env = [{ name: 'LD_PRELOAD', value: 'secret' }];
    played.agent('terminal/create', { command: 'git', args: ['push'], env }, { terminalId: 't1' });
    played.agent('terminal/wait_for_exit', { terminalId: 't1' }, { exitCode: 2 });
    played.agent('terminal/output', { terminalId: 't1' }, { output: 'rejected', truncated: false });
    played.agent('terminal/release', { terminalId: 't1' });
    expect(played.seen.slice(1)).toMatchObject([
      {
        stage: 'started',
        input: { command: 'git', args: ['push'], env_names: ['LD_PRELOAD'] },
        touched: [{ kind: 'process', id: 'git', access: 'write' }],
      },
      { stage: 'completed', outcome: { status: 'ok', exit_code: 2 }, output: { output: 'rejected', truncated: false } },
    ]);
    expect(played.seen.length).toBe(3);
  });

  it.each([
    [{ signal: 'SIGSEGV' }, false, { status: 'error', error: { type: 'signal', message: 'SIGSEGV' } }],
    [{ signal: 'SIGKILL' }, true, { status: 'cancelled' }],
    [null, false, { status: 'unknown', error: { type: 'released' } }],
  ])('says how a command ended by %j', (exit, isKilled, outcome) => {
    const played = new Played().begun();
    played.agent('terminal/create', { command: 'sleep 9' }, { terminalId: 't1' });
    if (isKilled) played.agent('terminal/kill', { terminalId: 't1' });
    if (exit !== null) played.agent('terminal/wait_for_exit', { terminalId: 't1' }, exit);
    played.agent('terminal/release', { terminalId: 't1' });
    expect(played.seen.at(-1)).toMatchObject({ stage: 'failed', outcome });
  });

  it('gives the exit code to the call that shows the terminal', () => {
    const played = new Played().begun();
    played.agent('terminal/create', { command: 'make' }, { terminalId: 't1' });
    played.agent(
      'terminal/output',
      { terminalId: 't1' },
      { output: '', truncated: false, exitStatus: { exitCode: 2 } },
    );
    const content = [{ type: 'terminal', terminalId: 't1' }];
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'completed', content });
    expect(played.seen.at(-1)).toMatchObject({ tool: { name: 'execute' }, outcome: { exit_code: 2 } });
  });
});

describe('a hostile side of ACP', () => {
  const LOADED = { sessionId: 's2', cwd: '/home/ada', mcpServers: [] };
  const repeated = (count: number) =>
    `note acp.replayed: The agent repeated ${count} updates of before, ${count} of them of calls.`;

  it('names a kind that objects have, and its call is recorded as any other', () => {
    const played = new Played().begun();
    played.update({ sessionUpdate: 'tool_call', toolCallId: 'c', kind: 'constructor', rawInput: { a: 1 } });
    expect(played.seen[1]).toMatchObject({ tool: { name: 'constructor', type: 'other' } });
  });

  it('cannot hide its calls in a session that is never loaded', () => {
    const played = new Played().begun();
    played.say('client', { id: 'l', method: 'session/load', params: LOADED });
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'completed' }, 's2');
    played.client('session/prompt', { sessionId: 's2', prompt: [{ type: 'text', text: 'x' }] }, {});
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'in_progress' }, 's2');
    expect(played.lines.slice(1)).toEqual([
      repeated(1),
      'told [{"kind":"user","value":"x"}]',
      'started execute {"command":"ls"}',
    ]);
  });

  it.each([
    ['is refused', (played: Played) => played.say('server', { id: 'l', error: { code: 1, message: 'no' } })],
    ['does not come before the end', (played: Played) => played.close()],
  ])('has what it repeated counted where the loading %s', (_, end) => {
    const played = new Played().begun();
    played.say('client', { id: 'l', method: 'session/load', params: LOADED });
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'completed' }, 's2');
    end(played);
    expect(played.lines).toContain(repeated(1));
  });

  it('works on in a session that is copied meanwhile', () => {
    const played = new Played().begun();
    played.say('client', { id: 'f', method: 'session/fork', params: { sessionId: 's1', cwd: '/home/ada' } });
    played.update({ sessionUpdate: 'tool_call', ...SHELL, status: 'in_progress' });
    played.say('server', { id: 'f', result: { sessionId: 's9' } });
    expect(played.lines.slice(1)).toEqual(['started execute {"command":"ls"}', 'session_started: session/fork']);
  });

  it('that offers two choices under one id has approved nothing by it', () => {
    const played = new Played().begun();
    const options = [OPTIONS[0], { ...OPTIONS[1], optionId: 'once' }];
    played.agent('session/request_permission', { toolCall: SHELL, options }, chosen('once'));
    expect(played.lines.at(-1)).toBe('expired execute: ambiguous: Allow once');
  });

  it('names terminals without end, of which the newest are known', () => {
    const played = new Played().begun();
    for (let n = 0; n < 1_500; n++) {
      played.update({ sessionUpdate: 'terminal_update', terminalId: `t${n}`, exitStatus: { exitCode: 7 } });
    }
    const codeOf = (terminalId: string): unknown => {
      const call = {
        ...SHELL,
        toolCallId: terminalId,
        status: 'completed',
        content: [{ type: 'terminal', terminalId }],
      };
      played.update({ sessionUpdate: 'tool_call', ...call });
      const last = played.seen.at(-1);
      return last?.kind === 'call' ? last.outcome?.exit_code : null;
    };
    expect([codeOf('t0'), codeOf('t1499')]).toEqual([undefined, 7]);
  });

  it('has terminals that print more than is kept of all of them', () => {
    const played = new Played().begun();
    const output = 'x'.repeat(1 << 20);
    for (let n = 0; n < 40; n++) {
      played.agent('terminal/create', { command: `run ${n}` }, { terminalId: `t${n}` });
      played.agent('terminal/output', { terminalId: `t${n}` }, { output, truncated: false });
    }
    // Those that there is no room for are recorded with what they printed.
    expect(played.lines.filter((line) => line.includes('released')).length).toBe(8);
  });
});
