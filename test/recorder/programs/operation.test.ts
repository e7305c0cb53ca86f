import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/protocol/index.ts';
import { operationOf } from '../../../src/recorder/programs/operation.ts';
import type { WitnessSource } from '../../../src/recorder/seen/seen.ts';
import { seenIn } from '../../support/hooks.ts';

function operation(tool_name: string, tool_input: Json, cwd = '/home/ada/proj') {
  return operationOf(seenIn('claudecode', { hook_event_name: 'PreToolUse', tool_name, tool_input, cwd }));
}

describe('how an operation is called', () => {
  it.each<readonly [string, Json, string, string, boolean]>([
    ['Bash', { command: 'cd x && git push' }, 'tool.shell', 'git', true],
    ['Bash', { command: ['bash', '-lc', 'cargo build'] }, 'tool.shell', 'cargo', true],
    ['Bash', { command: '$X' }, 'tool.shell', 'Bash', true],
    ['Read', { file_path: '/home/ada/proj/src/a.ts' }, 'tool.file_read', 'src/a.ts', false],
    ['Read', { file_path: '/etc/passwd' }, 'tool.file_read', '/etc/passwd', false],
    ['Read', { file_path: '../b' }, 'tool.file_read', '/home/ada/b', false],
    ['Write', { file_path: 'src/../a.ts' }, 'tool.file_write', 'a.ts', true],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n' },
      'tool.file_write',
      'a +1',
      true,
    ],
    ['Grep', { pattern: 'x' }, 'tool.search', 'Grep', false],
    ['Glob', { path: '/home/ada/proj' }, 'tool.search', '.', false],
    ['WebFetch', { url: 'https://user:pw@example.org:8443/x?token=1' }, 'tool.web', 'example.org:8443', true],
    ['WebSearch', { query: 'x' }, 'tool.web', 'WebSearch', true],
    ['web_fetch', { prompt: 'read https://a.example/x and https://b.example' }, 'tool.web', 'a.example +1', true],
    ['mcp__db__query_all', { sql: '' }, 'tool.mcp', 'db/query_all', true],
    ['Agent', { prompt: 'x' }, 'tool.agent', 'Agent', true],
    ['TodoWrite', {}, 'tool.other', 'TodoWrite', false],
    ['Levitate', {}, 'tool.other', 'Levitate', true],
  ])('%s of %j', (tool, input, operationType, subject, changes) => {
    expect(operation(tool, input)).toEqual({ operationType, subject, changes });
  });

  it('takes nothing for its subject that may name a person', () => {
    const seen = seenIn('claudecode', { hook_event_name: 'PreToolUse', tool_name: 'Levitate', tool_input: {} });
    if (seen.kind !== 'call') throw new Error('it is no call');
    const touched = [
      { kind: 'account', id: 'ada@corp.example', access: 'read' },
      { kind: 'file', id: '/w/ada', access: 'read' },
    ] as const;
    const subject = (source: WitnessSource): string => operationOf({ ...seen, touched, source }).subject;
    expect([subject('hook'), subject('library')]).toEqual(['/w/ada', 'Levitate']);
  });

  it('keeps to the folders of Windows', () => {
    const cwd = 'C:\\Users\\ada\\proj';
    expect(operation('Edit', { file_path: 'C:\\Users\\ada\\proj\\src\\a.ts' }, cwd).subject).toBe('src\\a.ts');
    expect(operation('Edit', { file_path: 'D:\\x.ts' }, cwd).subject).toBe('D:\\x.ts');
  });

  it('cuts a long subject between characters, and tells two by the digest of the whole', () => {
    const path = `${'😀'.repeat(600)}/a`;
    const { subject } = operation('Read', { file_path: path });
    expect([...subject]).toHaveLength(512);
    expect(subject.startsWith('😀'.repeat(440))).toBe(true);
    expect(subject.endsWith(`…sha256:${createHash('sha256').update(path).digest('hex')}`)).toBe(true);
  });

  it('names sessions, prompts, questions and notes', () => {
    const named = (body: object) => operationOf(seenIn('kimi', { session_id: 's', ...body }));
    expect(named({ hook_event_name: 'SessionStart' })).toMatchObject({ operationType: 'session.start', subject: 's' });
    expect(named({ hook_event_name: 'SessionEnd' }).operationType).toBe('session.end');
    expect(named({ hook_event_name: 'UserPromptSubmit', prompt: 'x' }).operationType).toBe('prompt.submit');
    const asked = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'rm x' } };
    expect(named(asked)).toEqual({ operationType: 'permission.ask', subject: 'rm', changes: true });
    const unanswered = seenIn('claudecode', {
      session_id: 's',
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
    });
    expect(unanswered).toMatchObject({ kind: 'note', name: 'permission_request' });
    expect(operationOf(unanswered)).toEqual({ operationType: 'permission.ask', subject: 'Bash', changes: false });
    const decided = { hook_event_name: 'PermissionResult', tool_name: 'Bash', decision: 'approved' };
    expect(named(decided)).toMatchObject({ operationType: 'permission.decide', subject: 'Bash' });
    expect(named({ hook_event_name: 'Stop' })).toMatchObject({ operationType: 'recorder.note', subject: 'stop' });
  });
});
