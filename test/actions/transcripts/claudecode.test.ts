import { describe, expect, it } from 'vitest';
import { TRANSCRIPTS } from '../../../src/actions/transcripts/index.ts';
import { programOfTranscript } from '../../../src/actions/transcripts/light.ts';
import { callsIn, callText, fixture, itemsOf, linesOf } from './read.ts';

const main = fixture('claudecode', '2.1.330/*.jsonl').lines;

describe('a transcript of Claude Code', () => {
  it('is told by its lines', () => {
    expect(programOfTranscript(main)).toBe('claudecode');
    expect(TRANSCRIPTS.claudecode.tried[0]).toBe('2.1.330');
  });

  it('has each call once, with what it was given, its end and its exit code', async () => {
    const items = await itemsOf('claudecode', main);
    expect(callsIn(items).map(callText)).toEqual([
      'Read completed {"file_path":"a.txt"}',
      'Bash failed 2 {"command":"ls /nonexistent-dir","description":"x"}',
      'Bash completed {"command":"echo hi-from-tool; sleep 0.2","description":"x"}',
      'Bash denied {"command":"rm a.txt","description":"x"}',
      'Levitate failed {"x":1}',
      'Read failed {"path":5}',
      'Edit failed {"file_path":"/home/ada/project/a.txt","new_string":"y","old_string":"nowhere","replace_al…',
      'Agent completed {"description":"x","prompt":"List the files of the sub task.","run_in_background":false,"s…',
      'Write completed {"content":"größe 数\\n","file_path":"/home/ada/project/größe-数.txt"}',
      'Bash failed 3 {"command":"echo \\"größe 数\\"; exit 3","description":"x"}',
      'TodoWrite failed {"todos":[{"activeForm":"a","content":"a","status":"pending"}]}',
      'Bash completed {"command":"sleep 30","description":"bg","run_in_background":true}',
    ]);
    expect(items.filter(({ kind }) => kind === 'unread')).toEqual([]);
    expect(items.filter(({ kind }) => kind === 'prompt')).toMatchObject([{ text: 'Do it.', sub_agent: null }]);
    expect(items.findLast(({ kind }) => kind === 'session')).toMatchObject({
      session_id: 'c2159485-ec23-4c5d-83a7-63bdc37e42bc',
      cwd: '/home/ada/project',
      version: '2.1.330',
    });
  });

  it('says which sub-agent made a call', async () => {
    const items = await itemsOf('claudecode', fixture('claudecode', '2.1.330/*/subagents/*.jsonl').lines);
    expect(callsIn(items).map(callText)).toEqual([
      'Bash completed {"command":"echo from-sub-agent","description":"x"} in a sub-agent',
    ]);
  });

  it.each([
    ['interrupted', 'cancelled'],
    ['cancelled', 'cancelled'],
    ['automode-blocked', 'denied'],
    ['user-rejected', 'cancelled'],
    ['user-rejected', 'denied', '"permissionDecision":{"decision":"reject","source":"user_reject"},'],
    // As a person's *No* at the terminal is written.
    ['user-rejected', 'denied', '"toolDenialBeforeRun":true,'],
  ])('tells a call that was stopped from one that was refused: %s is %s', async (kind, outcome, told = '') => {
    const texts = main.map(({ text }) =>
      text
        .replace('"toolDenialKind":"permission-rule"', `"toolDenialKind":"${kind}"`)
        .replace(/"permissionDecision":\{[^}]*\},/, told),
    );
    const items = await itemsOf('claudecode', linesOf(texts.join('\n')));
    expect(callsIn(items).map(callText)).toContain(`Bash ${outcome} {"command":"rm a.txt","description":"x"}`);
  });

  it('leaves a call without an end unknown, and says what it cannot read', async () => {
    const texts = main.map(({ text }) => text);
    const cut = texts.slice(
      0,
      texts.findIndex((text) => text.includes('call_t0_c2_0')),
    );
    const items = await itemsOf('claudecode', linesOf([...cut, '{"type":"assistant","mess'].join('\n')));
    expect(callsIn(items).map(callText)).toEqual([
      'Bash unknown {"command":"echo hi-from-tool; sleep 0.2","description":"x"}',
      'Read unknown {"file_path":"a.txt"}',
    ]);
    expect(items.filter(({ kind }) => kind === 'unread')).toEqual([
      { kind: 'unread', line: cut.length + 1, reason: 'the line is no JSON object' },
    ]);
  });

  it('names a type of line that it does not know once', async () => {
    const line = '{"type":"teleport","sessionId":"s","uuid":"u"}';
    expect((await itemsOf('claudecode', linesOf(`${line}\n${line}`))).filter(({ kind }) => kind === 'unread')).toEqual([
      { kind: 'unread', line: 1, reason: 'a line of the type "teleport" is not known; later ones are passed over' },
    ]);
  });

  it('has a call of a line that is longer than what is kept, with its head, size and digest', async () => {
    const whole = JSON.stringify({
      type: 'assistant',
      sessionId: 's',
      message: {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'c1', name: 'Write', input: { file_path: '/x', content: 'é\\"数'.repeat(999) } },
        ],
      },
    });
    const cut = { bytes: Buffer.byteLength(whole), sha256: 'ab' };
    for (let length = 160; length < 190; length++) {
      const [, call] = await itemsOf('claudecode', [{ line: 1, text: whole.slice(0, length), cut }]);
      expect(call).toMatchObject({ call_id: 'c1', tool: 'Write', cut });
      expect(call).toHaveProperty('input.file_path', '/x');
    }
  });
});
