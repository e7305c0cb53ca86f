// Inputs and outputs of the same calls in what the real programs gave their hooks, and in their transcripts.
import { expect, it } from 'vitest';
import type { TranscriptProgramId } from '../../../src/actions/transcripts/index.ts';
import { canonicalize, type ExactJson, withTexts } from '../../../src/protocol/index.ts';
import { isMembers } from '../../../src/protocol/light.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { seenOfCall } from '../../../src/recorder/transcripts/seen-of-call.ts';
import { callsIn, fixture, itemsOf } from '../../actions/transcripts/read.ts';
import { fixtureText, hookBodies, read } from '../../support/hooks.ts';

/** Without what is another one in each run: folders, groups of processes, what the model says of a command. */
function textOf(output: ExactJson | undefined): string {
  if (output === undefined) return 'none';
  const text = canonicalize(withTexts(output).value);
  return text
    .replace(/\/?home\/ada\/[a-z/]*(?=a\.txt)/g, '')
    .replace(/PGID: \d+/g, 'PGID')
    .replace(/"description":"[^"]*"/g, '"description":""');
}

function whatFor(input: ExactJson | undefined): string {
  if (!isMembers(input)) return '';
  const { command, cmd, file_path, path, filePath } = input;
  return (
    String(command ?? cmd ?? file_path ?? path ?? filePath)
      .split('/')
      .at(-1) ?? ''
  );
}

function bothOf({ input, output }: Readonly<Partial<Record<'input' | 'output', ExactJson | undefined>>>): string {
  return `${textOf(input)} gave ${textOf(output)}`;
}

/** The inputs and outputs that hooks were told, by what the call was for. */
function toldOnes(seen: readonly Seen[]): Map<string, string> {
  const ended = seen.flatMap((one) =>
    one.kind === 'call' && one.output !== undefined && one.again !== true ? [one] : [],
  );
  return new Map(ended.map(({ input, output }) => [whatFor(input), bothOf({ input, output })]));
}

function ofOpencode(): readonly Seen[] {
  return fixtureText('opencode/1.18.33/callbacks.jsonl')
    .split('\n')
    .filter((line) => line.includes('"tool.execute.after"'))
    .flatMap((line) => {
      const [{ tool, args }, { output }] = (
        JSON.parse(line) as { a: [{ tool: string; args: object }, { output: string }] }
      ).a;
      return read('opencode', { event: 'call_completed', tool, input: { ...args }, output }).seen;
    });
}

const hooksOf = (program: TranscriptProgramId, folder: string) => () =>
  hookBodies(`${program}/${folder}`).flatMap(({ bytes }) => read(program, bytes).seen);

it.each([
  ['claudecode', hooksOf('claudecode', '2.1.330/parallel-calls'), '2.1.330/*.jsonl', 2],
  ['codex', hooksOf('codex', '0.169.0/parallel-calls'), '0.169.0/**/rollout-*-01a21c18-a07d*.jsonl', 2],
  ['gemini', hooksOf('gemini', '0.61.0/parallel-calls'), '0.61.0/**/*.jsonl', 3],
  ['copilot', hooksOf('copilot', '1.0.102/camel-case'), '1.0.102/**/*.jsonl', 3],
  ['kimi', hooksOf('kimi', '2.1.0/parallel-calls'), '2.1.0/**/main/wire.jsonl', 2],
  ['opencode', ofOpencode, '1.18.33/*.jsonl', 3],
] as const)('are the same of %s', async (program, hooks, pattern, count) => {
  const told = toldOnes(hooks());
  const { path, lines } = fixture(program, pattern);
  const items = await itemsOf(program, lines, path);
  const session = items.find((item) => item.kind === 'session') ?? null;
  const compared = callsIn(items).flatMap((call) => {
    const seen = seenOfCall(program, call, { id: 's', said: session }, '', '2026-11-27T10:00:00.000Z');
    const expected = told.get(whatFor(call.input));
    return seen.unlike_hooks === true || expected === undefined ? [] : [[bothOf(seen), expected] as const];
  });
  expect(compared.map(([own]) => own)).toEqual(compared.map(([, theirs]) => theirs));
  expect(compared).toHaveLength(count);
});

it('are the same of Claude Code, whether its hook names the file that was read as its model did or absolutely', () => {
  const outputs = ['a.txt', '/srv/shop/a.txt'].map((filePath) => {
    const tool_response = { type: 'text', file: { filePath, content: 'hello file\n' } };
    const body = {
      hook_event_name: 'PostToolUse',
      tool_name: 'Read',
      session_id: 's',
      cwd: '/srv/shop',
      tool_response,
    };
    const [seen] = read('claudecode', body).seen;
    return seen?.kind === 'call' ? seen.output : undefined;
  });
  const file = { filePath: '/srv/shop/a.txt', content: 'hello file\n' };
  expect(outputs).toEqual([
    { type: 'text', file },
    { type: 'text', file },
  ]);
});
