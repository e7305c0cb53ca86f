import { describe, expect, it } from 'vitest';
import { TRANSCRIPTS, type TranscriptProgramId } from '../../../src/actions/transcripts/index.ts';
import { programOfTranscript } from '../../../src/actions/transcripts/light.ts';
import { callsIn, callText, fixture, itemsOf, linesOf } from './read.ts';

/** What the real programs wrote of one plan, and what of it each call is. */
const WRITTEN: readonly (readonly [program: TranscriptProgramId, pattern: string, calls: readonly string[]])[] = [
  [
    'codex',
    '0.169.0/**/rollout-*-01a21c18-a07d*.jsonl',
    [
      'exec_command completed 0 {"cmd":"echo hi-from-tool; sleep 0.2"}',
      'exec_command failed 2 {"cmd":"ls /nonexistent-dir"}',
      'exec_command failed 3 {"cmd":"exit 3"}',
      'exec_command denied {"cmd":"rm a.txt"}',
      'levitate failed {"x":1}',
      'exec_command failed {"x":5}',
      'write_stdin completed {"chars":"echo typed\\n","session_id":26879} typed into call_t2_c0_2',
      'exec_command completed {"cmd":"apply_patch <<\'EOF\'\\n*** Begin Patch\\n*** Add File: größe.txt\\n+größe 数\\n*** End P…',
      'apply_patch completed 0 "*** Begin Patch\\n*** Add File: b.txt\\n+b\\n*** End Patch\\n"',
      'apply_patch failed "*** Begin Patch\\n*** Update File: nope.txt\\n@@\\n-x\\n+y\\n*** End Patch\\n"',
      'update_plan failed {"plan":[{"status":"pending","step":"a"}]}',
      'view_image failed {"path":"missing.png"}',
      'exec_command completed 0 {"cmd":"sleep 2; echo late","yield_time_ms":250}',
      'spawn_agent completed {"message":"List the files of the sub task."}',
      'wait_agent completed {"targets":["01a21c18-aee8-7010-9ff9-ddbe84991e35"],"timeout_ms":10000}',
      'exec_command unknown {"cmd":"/bin/sh","tty":true,"yield_time_ms":300}',
    ],
  ],
  [
    'codex',
    '0.169.0/**/rollout-*-01a21c18-aee8*.jsonl',
    ['exec_command completed 0 {"cmd":"echo from-sub-agent"} in a sub-agent'],
  ],
  ['codex', '0.169.0-aborted/**/*.jsonl', ['exec_command cancelled {"cmd":"echo begun; sleep 300"}']],
  [
    'codex',
    '0.169.0-code-mode/**/*.jsonl',
    [
      'exec_command completed 0 {"command":"echo from-code"} within call_t0_c0_0',
      'exec failed "const r = await tools.exec_command({cmd:\\"echo from-code\\"}); text(r.output); const [a,b]…',
      'apply_patch completed {"/home/ada/project/größe.txt":{"content":"größe 数\\n","type":"add"}} within call_t1_c0_1',
      'exec completed "const p = await tools.apply_patch(\\"*** Begin Patch\\\\n*** Add File: größe.txt\\\\n+größe 数\\…',
      'exec failed "syntax error ("',
      'exec completed "const r = await tools.exec_command({cmd:\\"/bin/sh\\",tty:true,yield_time_ms:300}); text(JS…',
      'exec_command completed 0 {"command":"sleep 3; echo late"} within call_t4_c0_4',
      'exec completed "await tools.exec_command({cmd:\\"sleep 3; echo late\\"}); text(\\"x\\")"',
      'exec completed "text(JSON.stringify(Object.keys(tools)))"',
      'exec_command failed -1 {"command":"/bin/sh"}',
    ],
  ],
  [
    'gemini',
    '0.61.0/**/*.jsonl',
    [
      'run_shell_command completed {"command":"echo hi-from-tool; sleep 0.2","description":"x"}',
      'read_file completed {"file_path":"a.txt"}',
      'run_shell_command completed 2 {"command":"ls /nonexistent-dir","description":"x"}',
      'run_shell_command denied {"command":"rm a.txt","description":"x"}',
      'levitate failed {"x":1}',
      'read_file failed {"path":5}',
      'read_file failed {"file_path":"missing.txt"}',
      'write_file completed {"content":"größe 数\\n","file_path":"/home/ada/project/größe-数.txt"}',
      'run_shell_command completed 3 {"command":"echo \\"größe 数\\"; exit 3","description":"x"}',
      'codebase_investigator failed {"objective":"List the files of the sub task."}',
    ],
  ],
  [
    'copilot',
    '1.0.102/**/*.jsonl',
    [
      'view completed {"path":"/home/ada/project/a.txt"}',
      'bash completed 2 {"command":"ls /nonexistent-dir","description":"x"}',
      'bash completed 0 {"command":"echo hi-from-tool; sleep 0.2","description":"x"}',
      'levitate failed {"x":1}',
      'view failed {"pathx":5}',
      'view failed {"path":"/home/ada/project/missing.txt"}',
      'bash denied {"command":"rm a.txt","description":"x"}',
      'create completed {"file_text":"größe 数\\n","path":"/home/ada/project/größe-数.txt"}',
      'bash completed 3 {"command":"echo \\"größe 数\\"; exit 3","description":"x"}',
      'bash denied {"command":"/bin/sh","description":"x","mode":"async","shellId":"s1"}',
      'write_bash failed {"delay":1,"input":"echo typed{enter}","shellId":"s1"}',
      'read_bash failed {"delay":1,"shellId":"s1"}',
      'bash completed 0 {"command":"echo from-sub-agent","description":"x"} in a sub-agent',
      'task completed {"agent_type":"general-purpose","description":"x","name":"sub","prompt":"List the files of…',
    ],
  ],
  [
    'opencode',
    '1.18.33/*.jsonl',
    [
      'bash completed 0 {"command":"echo hi-from-tool; sleep 0.2","description":"x"}',
      'read completed {"filePath":"/home/ada/project/a.txt"}',
      'bash completed 2 {"command":"ls /nonexistent-dir","description":"x"}',
      'bash denied {"command":"rm a.txt","description":"x"}',
      'levitate failed {"error":"Model tried to call unavailable tool \'levitate\'. Available tools: bash, edit, gl…',
      'read failed {"x":5}',
      'read failed {"filePath":"/home/ada/project/missing.txt"}',
      'write completed {"content":"größe 数\\n","filePath":"/home/ada/project/größe-数.txt"}',
      'bash completed 3 {"command":"echo \\"größe 数\\"; exit 3","description":"x"}',
      'task completed {"description":"x","prompt":"List the files of the sub task.","subagent_type":"general"}',
      'bash completed 0 {"command":"echo from-sub-agent","description":"x"}',
    ],
  ],
  [
    'kimi',
    '2.1.0/**/main/wire.jsonl',
    [
      'Bash completed {"command":"echo hi-from-tool; sleep 0.2","description":"x"}',
      'Read completed {"path":"/home/ada/project/a.txt"}',
      'Bash failed 2 {"command":"ls /nonexistent-dir","description":"x"}',
      'Levitate failed {"x":1}',
      'Read failed {"x":5}',
      'Read failed {"path":"/home/ada/project/missing.txt"}',
      'Write completed {"content":"größe 数\\n","path":"/home/ada/project/größe-数.txt"}',
      'Bash failed 3 {"command":"echo \\"größe 数\\"; exit 3","description":"x"}',
      'Agent completed {"description":"x","prompt":"List the files of the sub task."}',
    ],
  ],
  [
    'kimi',
    '2.1.0/**/agent-0/wire.jsonl',
    ['Bash completed {"command":"echo from-sub-agent","description":"x"} in a sub-agent'],
  ],
  [
    'kimi',
    '2.0.2/**/main/wire.jsonl',
    [
      'Bash completed {"command":"echo hi-from-tool; sleep 0.2","description":"x"}',
      'Bash failed 2 {"command":"ls /nonexistent-dir","description":"x"}',
      'Read completed {"path":"a.txt"}',
      'Agent completed {"description":"x","prompt":"List the files of the sub task."}',
      'Bash completed {"command":"date","description":"x"}',
    ],
  ],
];

describe('transcripts that programs wrote', () => {
  it.each(WRITTEN)('of %s in %s have each call once, with its end', async (program, pattern, calls) => {
    const { path, lines } = fixture(program, pattern);
    expect(programOfTranscript(lines)).toBe(program);
    const items = await itemsOf(program, lines, path);
    expect(callsIn(items).map(callText)).toEqual(calls);
    expect(items.filter(({ kind }) => kind === 'unread')).toEqual([]);
    expect(items.filter(({ kind }) => kind === 'session').length).toBeGreaterThan(0);
    expect(items.filter(({ kind }) => kind === 'prompt').map((item) => 'text' in item && item.text)).toEqual([
      expect.stringMatching(/^(?:"?Do it\."?|List the files of the sub task\.)$/),
      ...(program === 'opencode' || program === 'copilot' ? ['List the files of the sub task.'] : []),
    ]);
  });

  it('of a sub-agent of Gemini CLI have its calls as those of a sub-agent', async () => {
    const items = await itemsOf('gemini', fixture('gemini', '0.61.0-subagent/**/*.jsonl').lines);
    expect(items.filter(({ kind }) => kind === 'unread')).toEqual([]);
    expect(callsIn(items).map(callText)).toEqual([
      'run_shell_command completed {"command":"echo m01k","description":"x"} in a sub-agent',
      'read_file completed {"file_path":"/home/ada/project/m02k.txt"} in a sub-agent',
    ]);
  });

  it('name the session that a sub-agent is part of', async () => {
    const { lines } = fixture('codex', '0.169.0/**/rollout-*-01a21c18-aee8*.jsonl');
    const items = await itemsOf('codex', lines);
    expect(items[0]).toMatchObject({ kind: 'session', session_id: '01a21c18-a07d-7980-ac80-0b1b7787cee7' });
    expect(callsIn(items)).toMatchObject([{ sub_agent: '01a21c18-aee8-7010-9ff9-ddbe84991e35' }]);
  });

  it('say which files a patch changed that a shell was given', async () => {
    const { lines } = fixture('codex', '0.169.0/**/rollout-*-01a21c18-a07d*.jsonl');
    const patched = callsIn(await itemsOf('codex', lines)).find(({ call_id }) => call_id === 'call_t4_c0_4');
    expect(patched?.changed).toEqual([{ path: '/home/ada/project/größe.txt', access: 'write' }]);
  });

  it('are told by their lines, whatever the file is called', () => {
    expect(programOfTranscript([{ line: 1, text: '{"type":"metadata","version":1}' }])).toBeNull();
    expect(programOfTranscript([])).toBeNull();
  });

  it.each(Object.keys(TRANSCRIPTS))(
    'of %s end in nothing worse than what could not be read, whatever stands there',
    async (program) => {
      const { lines } = fixture(program, '*/**/*.jsonl');
      for (const [at, { text }] of lines.entries()) {
        const members: unknown = text === '' ? {} : JSON.parse(text);
        const damaged = [
          text.slice(0, text.length / 2),
          JSON.stringify(members, (_, value) => (typeof value === 'string' && value.length > 30 ? 7 : value)),
          JSON.stringify(members, (_, value) => (Array.isArray(value) ? value.length : value)),
          '['.repeat(99_999),
        ];
        const seen = lines.map((line, index) => (index === at ? { ...line, text: damaged[at % 4] ?? '' } : line));
        await expect(itemsOf(program as TranscriptProgramId, seen)).resolves.toBeInstanceOf(Array);
      }
    },
  );
});

it.each([
  ['exec_command', undefined, 3],
  ['apply_patch', undefined, 3],
  ['exec', undefined, null],
  ['exec_command', 'mcp__files', null],
  ['view_image', undefined, null],
])("reads an exit code in the text of Codex's %s, of the group %s, as %s", async (name, namespace, code) => {
  const lines = [
    { type: 'function_call', call_id: 'c', name, namespace, arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'Exit code: 3\nOutput:\nx' },
  ].map((payload) => JSON.stringify({ type: 'response_item', payload }));
  expect(callsIn(await itemsOf('codex', linesOf(lines.join('\n')))).map(({ exit_code }) => exit_code)).toEqual([code]);
});

it('takes a status that is no word of the program for none, whatever objects have under that name', async () => {
  for (const word of ['constructor', 'toString', '__proto__']) {
    const done = { type: 'item_completed', item: { type: 'CommandExecution', id: 'exec-1', status: word } };
    const begun = { type: 'tool.execution_start', data: { toolCallId: 'c', toolName: 'bash' } };
    const end = { type: 'tool.execution_complete', data: { toolCallId: 'c', success: false, error: { code: word } } };
    const codex = await itemsOf('codex', linesOf(JSON.stringify({ type: 'event_msg', payload: done })));
    const copilot = await itemsOf('copilot', linesOf([begun, end].map((one) => JSON.stringify(one)).join('\n')));
    expect(callsIn(codex).map(({ outcome }) => outcome)).toEqual(['unknown']);
    expect(callsIn(copilot).map(({ outcome }) => outcome)).toEqual(['failed']);
  }
});
