import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../../src/protocol/index.ts';
import type { FeedId } from '../../../src/recorder/base/programs.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { hookBodies, meaningOf, read, seenIn } from '../../support/hooks.ts';

const ALLOWED = { allowed: true, reason: null, operation_ids: ['33333333-3333-4333-8333-333333333333'] };
const BLOCKED = { allowed: false, reason: 'The agent is frozen.', operation_ids: [] };

/** The Seen of a captured body, by the beginning of its name. */
function captured(feed: FeedId, scenario: string, start: string): Seen {
  const body = hookBodies(scenario).find(({ name }) => name.startsWith(start));
  if (body === undefined) throw new Error(`no ${start} in ${scenario}`);
  return seenIn(feed, body.bytes);
}

const claude = (body: object) => seenIn('claudecode', { session_id: 's', cwd: '/p', ...body });

describe('what a hook says of where it runs', () => {
  it('is taken from the body, with the program’s own clock', () => {
    const seen = captured('gemini', 'gemini/0.61.0/parallel-calls', '04');
    expect(seen).toMatchObject({
      session: { id: '86762d07-342c-4eaa-8894-766f6b366adb' },
      cwd: '/home/ada/gem/proj',
      observed_at: '2026-11-21T23:17:54.823Z',
      raw_event: 'BeforeTool',
      source: 'hook',
    });
    expect(captured('copilot', 'copilot/1.0.102/camel-case', '03')).toMatchObject({
      observed_at: '2026-11-21T23:19:29.859Z',
      trace: { trace_id: '0b6f1dd8f912d9d0e010f664d5b9e282', span_id: '6cfb76150e007027' },
    });
  });

  it('names turn, model and sub-agent where the program does', () => {
    expect(captured('kimi', 'kimi/2.1.0/parallel-calls', '03').session).toEqual({
      id: 'session_c0ed0ec8-bab8-474f-944a-640561bfdb85',
      turn: 0,
    });
    expect(captured('codex', 'codex/0.169.0/parallel-calls', '03')).toMatchObject({
      model: { name: 'fake-model' },
      extra: { turn_id: '01a20067-d8e5-7f81-8d88-56a32ab2a6a9', permission_mode: 'bypassPermissions' },
    });
    expect(captured('claudecode', 'claudecode/2.1.330/subagents', '04').sub_agent).toEqual({
      id: 'aa3d5fdd5e8db730b',
      type: 'general-purpose',
    });
    expect(captured('cursor', 'cursor/documented', '06')).toMatchObject({
      program_version: '2.6.11',
      cwd: '/home/ada/cur/proj',
    });
  });

  it('is when the body came in where the program’s time is not valid', () => {
    const body = { hook_event_name: 'BeforeTool', timestamp: 'soon', tool_name: 'glob' };
    expect(seenIn('gemini', body).observed_at).toBe('2026-11-22T10:00:00.000Z');
  });
});

describe('what a hook handed in of an end before its program gave it up', () => {
  const body = { hook_event_name: 'AfterTool', tool_name: 'glob', tool_response: { llmContent: 'a b', error: 'no' } };
  it.each([
    ['is a failure where that came', 0, 'failed', 'error'],
    ['says that the call was carried out, and not that it succeeded', 15, 'completed', 'unknown'],
  ])('%s', (_, missing, stage, status) => {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    expect(seenIn('gemini', bytes.subarray(0, bytes.length - missing))).toMatchObject({ stage, outcome: { status } });
  });
});

describe('what must not be recorded', () => {
  it('takes no command, arguments or environment of an MCP server from Gemini', () => {
    const context = {
      server_name: 'db',
      tool_name: 'query',
      command: 'x',
      args: ['--key=s3cret'],
      env: { K: 's3cret' },
    };
    const body = { hook_event_name: 'BeforeTool', tool_name: 'mcp_db_query', tool_input: {}, mcp_context: context };
    const seen = seenIn('gemini', body);
    expect(meaningOf(seen)).toBe('proposed | mcp db/query | no id');
    expect(JSON.stringify(seen)).not.toContain('s3cret');
  });

  it('takes no email address from Cursor', () => {
    const all = hookBodies('cursor/documented').flatMap(({ bytes }) => read('cursor', bytes).seen);
    expect(JSON.stringify(all)).not.toContain('ada@example.com');
  });

  it('takes neither lists nor objects from an event that is only noted', () => {
    const seen = claude({
      hook_event_name: 'Elicitation',
      env: { K: 's3cret' },
      source: { headers: ['s3cret'] },
      message: 'which?',
    });
    expect(meaningOf(seen)).toBe('note | elicitation');
    expect(seen.extra).toEqual({ message: 'which?' });
  });
});

describe('how calls end', () => {
  it('are stated alike by Letta’s two reports of one failure', () => {
    const first = captured('letta', 'letta/0.25.9/parallel-calls', '06');
    const second = captured('letta', 'letta/0.25.9/parallel-calls', '07');
    expect(second.extra).toMatchObject({ error_type: 'tool_error' });
    if (first.kind !== 'call' || second.kind !== 'call') throw new Error('expected calls');
    expect(second.outcome).toEqual(first.outcome);
  });

  it.each([
    [12.4, 12],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [2 ** 53, undefined],
    [1e300, undefined],
    [-1, undefined],
  ])('are recorded however long the program says that it took: %d', (said, recorded) => {
    const seen = claude({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_response: {}, duration_ms: said });
    expect(seen.kind === 'call' && seen.duration_ms).toBe(recorded);
  });

  it('is unknown of what Codex carried out', () => {
    expect(captured('codex', 'codex/0.169.0/parallel-calls', '05')).toMatchObject({
      stage: 'completed',
      outcome: { status: 'unknown' },
    });
  });

  it('is a failure where Gemini says so within a response', () => {
    const error = { type: 'file_not_found', message: 'File not found' };
    const response = { llmContent: 'File not found', error };
    const seen = seenIn('gemini', { hook_event_name: 'AfterTool', tool_name: 'read_file', tool_response: response });
    expect(seen).toMatchObject({ stage: 'failed', outcome: { status: 'error', error } });
  });

  it.each([
    ['Output: x\nExit Code: 7\nSignal: 9\nBackground PIDs: 1, 2\nProcess Group PGID: 5\n</untrusted_context>', 7],
    ['Output: x\nExit Code: 7\nand more\nProcess Group PGID: 5', undefined],
  ])('reads an exit code of Gemini’s only at its place: %j', (llmContent, code) => {
    const body = { hook_event_name: 'AfterTool', tool_name: 'run_shell_command', tool_response: { llmContent } };
    const seen = seenIn('gemini', body);
    expect(seen.kind === 'call' && seen.outcome?.exit_code).toBe(code);
  });

  it('is cancelled where the user interrupted, and denied where the rules said no', () => {
    const failure = { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', error: 'stopped', is_interrupt: true };
    expect(claude(failure)).toMatchObject({ stage: 'failed', outcome: { status: 'cancelled' } });
    const denial = { hook_event_name: 'PermissionDenied', tool_name: 'Bash', tool_use_id: 't', reason: 'not allowed' };
    const { seen } = read('claudecode', denial);
    expect(seen.map(meaningOf)).toEqual([
      'denied | shell Bash | t | by policy permission-rules',
      'refused | shell Bash | t | denied',
    ]);
    expect(new Set(seen.map((one) => one.event_id)).size).toBe(2);
  });

  it('is cancelled where Claude Code says within a response that a command was interrupted', () => {
    const tool_response = { stdout: 'begun', stderr: '', interrupted: true };
    const seen = claude({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_response });
    expect(seen).toMatchObject({ stage: 'failed', outcome: { status: 'cancelled' }, output: tool_response });
  });

  it.each([
    ['success', 'completed', 'ok'],
    ['aborted', 'failed', 'cancelled'],
    ['deferred', 'completed', 'unknown'],
  ])('of Copilot whose type of result is %s is %s, %s', (result_type, stage, status) => {
    const tool_result = { result_type, text_result_for_llm: 'begun' };
    const body = { hook_event_name: 'PostToolUse', session_id: 's', tool_name: 'bash', tool_result };
    expect(seenIn('copilot', body)).toMatchObject({ stage, outcome: { status } });
  });

  it('is a refusal where Kimi reports as a failure what the user rejected', () => {
    const asked = {
      session_id: 's',
      agent_id: 'main',
      turn_id: 1,
      tool_call_id: 'c',
      tool_name: 'Bash',
      tool_input: {},
    };
    const message = 'Tool "Bash" was not run because the user rejected the approval request.';
    const events = [
      { ...asked, hook_event_name: 'PermissionRequest' },
      { ...asked, hook_event_name: 'PermissionResult', decision: 'rejected' },
      { ...asked, hook_event_name: 'PostToolUseFailure', error: { code: 'internal', message } },
    ];
    expect(events.map((event) => meaningOf(seenIn('kimi', event)))).toEqual([
      'asked | shell Bash | c',
      'denied | shell Bash | c | by human user',
      'refused | shell Bash | c | denied',
    ]);
  });

  it('notes where Kimi gives only the beginning of an output', () => {
    const body = { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_output: 'x'.repeat(2000) };
    expect(seenIn('kimi', body).extra).toEqual({ output_cut_by_program: true });
  });

  it('notes where Claude Code gives only the beginning of an output', () => {
    const tool_response = { stdout: 'x', persistedOutputPath: '/home/ada/.claude/tool-results/b1.txt' };
    const body = { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_response };
    expect(seenIn('claudecode', body)).toMatchObject({ extra: { output_cut_by_program: true }, output: tool_response });
  });

  it('takes what Qwen Code says of a call that its rules do not allow for a denial', () => {
    const message =
      'This "run_shell_command" invocation was denied by permission rules. Matching deny rule: "Bash(rm *)".';
    const tool_calls = [
      { tool_name: 'run_shell_command', tool_use_id: 'c', status: 'error', tool_response: { error: message } },
    ];
    const { seen } = read('qwen', { hook_event_name: 'PostToolBatch', session_id: 's', tool_calls });
    expect(seen.map(meaningOf)).toEqual(['refused | shell run_shell_command | c | denied']);
  });

  it('reads each call of a batch, and how those ended that no other hook tells of', () => {
    const call = (id: string, tool_response: string) => ({
      tool_name: 'Bash',
      tool_use_id: id,
      tool_input: { command: 'rm a.txt' },
      tool_response,
    });
    const tool_calls = [
      call('a', 'gone'),
      call('b', 'Permission to use Bash with command rm a.txt has been denied.'),
      call('c', '<tool_use_error>Error: No such tool available: Bash</tool_use_error>'),
      call('d', "Exit code 2\nrm: cannot remove 'a.txt'"),
    ];
    const { seen } = read('claudecode', { hook_event_name: 'PostToolBatch', session_id: 's', tool_calls });
    expect(seen.map(meaningOf)).toEqual([
      'completed | shell Bash | a | unknown | write rm',
      'refused | shell Bash | b | denied | write rm',
      'failed | shell Bash | c | error | write rm',
      'failed | shell Bash | d | error 2 | write rm',
    ]);
    expect(new Set(seen.map(({ event_id }) => event_id)).size).toBe(4);
  });

  const part = (query: string, more: { readonly [member: string]: string | boolean }) => ({ query, ...more });
  it.each([
    ['a failure', { content: [{ type: 'text', text: 'no' }], isError: true }, 'failed', { status: 'error' }],
    [
      'a failure without an exit code where several commands failed',
      [1, 2].map((code) => part('b', { success: false, error: `Command exited with code ${code}` })),
      'failed',
      { status: 'error', error: { message: 'Command exited with code 1' } },
    ],
    [
      'a timeout',
      [
        part('a', { success: true }),
        part('b', { success: false, error: 'Command failed: Command timed out after 9ms' }),
      ],
      'failed',
      { status: 'timeout', error: { message: 'Command failed: Command timed out after 9ms' } },
    ],
    ['unknown where a part is missing', [part('a', { success: true })], 'completed', { status: 'unknown' }],
  ])('is %s by what Cline says that a call gave, though its hook calls it a success', (_, output, stage, outcome) => {
    const tool_result = { id: 'c', name: 'run_commands', input: { commands: ['a', 'b'] }, output };
    const body = { hookName: 'tool_result', taskId: 't', tool_result, postToolUse: { success: true } };
    expect(seenIn('cline', body)).toMatchObject({ stage, outcome });
  });

  it('is no new session where Claude Code starts again after a compaction', () => {
    expect(claude({ hook_event_name: 'SessionStart', source: 'compact' })).toMatchObject({
      kind: 'note',
      name: 'compacted',
    });
  });
});

describe('bodies that are not as they should be', () => {
  it('skips a byte order mark', () => {
    const text = JSON.stringify({ hook_event_name: 'preToolUse', tool_name: 'Shell', tool_use_id: 'x' });
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
    expect(meaningOf(seenIn('cursor', bytes))).toBe('proposed | shell Shell | x');
  });

  it('notes what it cannot read, with its size and digest', () => {
    const bytes = Buffer.from('session_id=s&hook_event_na');
    expect(seenIn('claudecode', bytes)).toMatchObject({
      kind: 'note',
      name: 'unreadable',
      extra: { bytes: 26 },
      raw_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(read('claudecode', bytes).answer(BLOCKED)).toEqual({ status: 200, body: '{}' });
  });

  it('notes what was cut off before it said what it is, in its session', () => {
    const seen = seenIn('claudecode', Buffer.from('{"session_id":"s","hook_ev'));
    expect(seen).toMatchObject({ kind: 'note', session: { id: 's' }, shortened: { bytes: 26, cut_off: true } });
  });

  it('takes a member of another type for absent, and keeps the rest', () => {
    const seen = claude({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: 7,
      agent_id: {},
      tool_input: 'ls',
    });
    expect(meaningOf(seen)).toBe('proposed | shell Bash | no id');
    expect(seen).toMatchObject({ input: 'ls', sub_agent: null });
  });

  it('keeps the digits of a number that a double does not keep', () => {
    const bytes = Buffer.from(
      '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"id":12345678901234567890,"x":1e999,"y":0.1}}',
    );
    expect(seenIn('claudecode', bytes)).toMatchObject({
      input: { id: new ExactNumber('12345678901234567890'), x: new ExactNumber('1e999'), y: 0.1 },
    });
  });

  it('calls an unknown event a note and an unknown tool other', () => {
    expect(meaningOf(claude({ hook_event_name: 'MoonRose' }))).toBe('note | moon_rose');
    expect(meaningOf(claude({ hook_event_name: 'PreToolUse', tool_name: 'Levitate' }))).toBe(
      'proposed | other Levitate | no id',
    );
  });
});

describe('hooks that another program runs', () => {
  const cursor = { hook_event_name: 'preToolUse', cursor_version: '2.6.11', conversation_id: 'c', tool_name: 'Shell' };

  it('leaves out what Cursor reports through Claude Code’s settings, where its own hooks report it', () => {
    const reading = read('claudecode', cursor, ['claudecode', 'cursor']);
    expect(reading.seen).toEqual([]);
    expect(reading.answer(ALLOWED)).toEqual({ status: 200, body: '{}' });
    expect(read('cursor', cursor, ['claudecode', 'cursor']).seen).toHaveLength(1);
  });

  it('records it where nothing else does, and says whose it is', () => {
    const [seen] = read('claudecode', cursor, ['claudecode']).seen;
    expect(seen).toMatchObject({ kind: 'call', stage: 'proposed', witness: 'cursor', session: { id: 'c' } });
  });

  it('knows Copilot by the form of every body that it sends', () => {
    for (const { bytes } of hookBodies('copilot/1.0.102/pascal-case')) {
      expect(read('claudecode', bytes, ['claudecode', 'copilot']).seen).toEqual([]);
    }
    const own = ['parallel-calls', 'subagents', 'mcp'].flatMap((one) => hookBodies(`claudecode/2.1.330/${one}`));
    for (const { bytes } of own) expect(read('claudecode', bytes, ['claudecode', 'copilot']).seen).not.toEqual([]);
  });
});

describe('what a hook answers', () => {
  const CASES: readonly (readonly [FeedId, string])[] = [
    ['claudecode', '{}'],
    ['codex', '{}'],
    ['gemini', '{}'],
    ['copilot', '{}'],
    ['cursor', '{}'],
    ['kimi', ''],
    ['letta', ''],
    ['kirocli', ''],
    ['kiroide', ''],
  ];

  it.each(CASES)('prints for %s what it takes for nothing: %j', (feed, prints) => {
    const before = { hook_event_name: feed === 'gemini' ? 'BeforeTool' : 'PreToolUse', tool_name: 'Bash' };
    expect(read(feed, before).answer(ALLOWED)).toEqual({ status: 200, body: prints });
    expect(read(feed, before).answer(BLOCKED)).toEqual({ status: 403, body: 'The agent is frozen.' });
  });

  it.each(CASES)('never stops %s at what is over', (feed, prints) => {
    const after = feed === 'gemini' ? ['AfterTool', 'AfterAgent', 'SessionEnd'] : ['PostToolUse', 'Stop', 'SessionEnd'];
    for (const hook_event_name of after) {
      expect(read(feed, { hook_event_name, tool_name: 'Bash' }).answer(BLOCKED)).toEqual({ status: 200, body: prints });
    }
  });
});
