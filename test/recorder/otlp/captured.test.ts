import { describe, expect, it } from 'vitest';
import { callsOf, captured } from '../../support/otlp.ts';

describe('what programs export', () => {
  it('is recorded of Copilot CLI 1.0.102', () => {
    const { traces } = captured('copilot-1.0.102.jsonl');
    expect(traces).toMatchObject({ passedOver: 0, rejected: { count: 0, reason: '' } });
    const calls = callsOf(traces, 'copilot');
    expect(calls.map(({ call_id }) => call_id)).toEqual(['call_fake_1', 'call_fake_2', 'call_fake_0']);
    expect(calls[0]).toMatchObject({
      stage: 'completed',
      tool: { name: 'view', type: 'file', server: null },
      input: { path: '/home/ada/cop/proj/a.txt' },
      output: 'hello file\n',
      duration_ms: 96,
    });
    expect(calls[1]).toEqual({
      kind: 'call',
      stage: 'completed',
      tool: { name: 'bash', type: 'shell', server: null },
      call_id: 'call_fake_2',
      input: { command: 'ls /nonexistent-dir', description: 'fail' },
      output:
        "ls: cannot access '/nonexistent-dir': No such file or directory\n<shellId: 1 completed with exit code 2>",
      // A command that exits with 2 was carried out; the program calls it a success.
      outcome: { status: 'ok', exit_code: 2 },
      duration_ms: 209,
      touched: [{ kind: 'process', id: 'ls', access: 'write' }],
      source: 'otlp',
      witness: 'github.copilot',
      event_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      raw_event: 'execute_tool bash bash',
      raw_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      observed_at: '2026-11-21T23:19:30.067Z',
      session: { id: '6d276922-8f9c-4f30-a5d7-98bf709470e8' },
      sub_agent: null,
      model: null,
      program_version: '1.0.102',
      cwd: null,
      trace: {
        trace_id: '0b6f1dd8f912d9d0e010f664d5b9e282',
        span_id: 'dd1c56a4dfe5fca7',
        parent_span_id: '6cfb76150e007027',
      },
      extra: {
        service: 'github-copilot',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.type': 'function',
          'gen_ai.provider.name': 'github',
          'github.copilot.tool.parameters.command': 'ls /nonexistent-dir',
          'process.executable.name': 'bash',
          'process.executable.path': '/bin/bash',
        },
      },
    });
  });

  it('is recorded of Claude Code 2.1.330', () => {
    const { traces, logs } = captured('claude-code-2.1.330.jsonl');
    const session = { id: 'ef60970f-7f07-441e-8a4e-0e68eada5a16' };
    const ofSpan = callsOf(traces, 'claudecode');
    expect(ofSpan).toMatchObject([
      {
        stage: 'completed',
        tool: { name: 'Bash', type: 'shell' },
        call_id: 'toolu_fake_0',
        output: 'hi-from-tool',
        duration_ms: 62,
        session,
        program_version: '2.1.330',
        // The span knows the command and not the rest of the input.
        input: { command: 'echo hi-from-tool' },
      },
    ]);
    expect(traces.passedOver).toBe(2);
    expect(callsOf(logs, 'claudecode')).toMatchObject([
      {
        stage: 'completed',
        tool: { name: 'Bash', type: 'shell' },
        call_id: 'toolu_fake_0',
        input: { command: 'echo hi-from-tool', description: 'say hi' },
        outcome: { status: 'ok' },
        duration_ms: 48,
        observed_at: '2026-11-21T23:31:28.556Z',
        raw_event: 'tool_result',
        session,
      },
    ]);
    expect(logs.passedOver).toBe(1);
  });

  it('is recorded of Gemini CLI 0.61.0, whose attributes may lack a value', () => {
    const { traces, logs } = captured('gemini-cli-0.61.0.jsonl');
    const session = { id: '4c467dab-9d31-47bf-b217-8765d64578dd' };
    expect(callsOf(traces, 'gemini')).toMatchObject([
      {
        stage: 'completed',
        tool: { name: 'run_shell_command', type: 'shell' },
        call_id: 'run_shell_command__run_shell_command_1795303891482_0',
        session,
        // What it exports as its version is that of Node.js.
        program_version: null,
      },
    ]);
    expect(callsOf(logs, 'gemini')).toMatchObject([
      {
        stage: 'completed',
        tool: { name: 'run_shell_command', type: 'shell', server: null },
        call_id: null,
        input: { command: 'echo hi-from-tool', description: 'say hi' },
        duration_ms: 30,
        session,
      },
    ]);
    expect(JSON.stringify([...traces.byFeed])).not.toContain('(description)');
  });

  it('is recorded of Codex CLI 0.169.0, from its log', () => {
    const { traces, logs } = captured('codex-0.169.0.jsonl');
    expect([...traces.byFeed]).toEqual([]);
    expect(traces.passedOver).toBe(35);
    expect(callsOf(logs, 'codex')).toMatchObject([
      {
        stage: 'completed',
        tool: { name: 'exec_command', type: 'shell', server: null },
        call_id: 'call_fake_0',
        input: { cmd: 'echo hi; exit 3' },
        // The header that Codex puts before it is taken off, as in what its hook is given.
        output: 'hi\n',
        outcome: { status: 'ok', exit_code: 3 },
        duration_ms: 50,
        observed_at: '2026-11-21T23:31:33.628Z',
        session: { id: '01a20073-69ac-7f81-8e7e-6aa24bcf6d3e' },
        model: { name: 'fake-model' },
        program_version: '0.169.0',
      },
    ]);
  });
});
