import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedId } from '../../../src/recorder/base/programs.ts';
import { runs } from '../../support/extent.ts';
import { cleaned, hookBodies, problemsOf, read } from '../../support/hooks.ts';
import { jsonValue } from '../../support/json-values.ts';

const FEEDS: readonly FeedId[] = [
  'claudecode',
  'codex',
  'gemini',
  'copilot',
  'opencode',
  'kimi',
  'letta',
  'cursor',
  'kirocli',
  'kiroide',
  'qwen',
  'pi',
  'openhands',
  'goose',
  'cline',
  'windsurf',
  'openclaw',
  'enterprise',
  'gui',
  'other',
];
const SCENARIOS = [
  'claudecode/2.1.330/parallel-calls',
  'claudecode/2.1.330/subagents',
  'codex/0.169.0/parallel-calls',
  'gemini/0.61.0/mcp',
  'copilot/1.0.102/camel-case',
  'kimi/2.1.0/parallel-calls',
  'letta/0.25.9/parallel-calls',
  'cursor/documented',
  'kirocli/documented',
  'qwen/0.24.4/every-kind',
  'cline/3.0.65/calls',
  'openhands/documented',
  'goose/documented',
  'windsurf/documented',
  'openclaw/documented',
];

const feed = fc.constantFrom(...FEEDS);
const bodies = SCENARIOS.flatMap((scenario) => hookBodies(scenario).map(({ bytes }) => bytes));
/** Long, and of characters that take two units or none that stands alone. */
const longText = fc
  .tuple(fc.constantFrom('a', '😀', '\ud800', ' ', '/', '\n', '*** Add File: '), fc.integer({ min: 0, max: 20_000 }))
  .map(([unit, count]) => unit.repeat(count));
const anything = fc.oneof(jsonValue, longText);

/** A captured body of which some members have become something else. */
const changedBody = fc
  .tuple(fc.constantFrom(...bodies), fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 4 }))
  .map(([bytes, changes]) => {
    const body: Record<string, unknown> = JSON.parse(bytes.toString('utf8'));
    const names = Object.keys(body);
    for (const [index, value] of changes) body[names[index % names.length] ?? ''] = value;
    return Buffer.from(JSON.stringify(body));
  });

function check(program: FeedId, bytes: Uint8Array): void {
  const reading = read(program, bytes);
  expect(reading.seen.length).toBeLessThanOrEqual(2);
  expect(reading.seen.flatMap(problemsOf)).toEqual([]);
  for (const seen of reading.seen.map(cleaned)) {
    // Beyond content, nothing of what is signed grows with what the program says.
    const { input, output, told, ...rest } = { input: null, output: null, told: null, ...seen };
    expect(JSON.stringify(rest).length).toBeLessThan(400_000);
  }
  for (const allowed of [true, false]) {
    expect([200, 403]).toContain(reading.answer({ allowed, reason: null, operation_ids: [] }).status);
  }
}

describe('hooks that say anything', () => {
  it('reads arbitrary bytes', () => {
    fc.assert(fc.property(feed, fc.uint8Array({ maxLength: 400 }), check), runs(500));
  });

  it('reads arbitrary JSON', () => {
    fc.assert(
      fc.property(feed, jsonValue, (program, value) => check(program, Buffer.from(JSON.stringify(value)))),
      runs(500),
    );
  });

  it('reads events of which members have become something else', () => {
    fc.assert(fc.property(feed, changedBody, check), runs(1500));
  });

  it('reads what nests deeper than anybody follows', () => {
    const nested = `${'[1234567890123456789,'.repeat(200_000)}1${']'.repeat(200_000)}`;
    for (const value of [nested, `${'{"path":'.repeat(100_000)}1${'}'.repeat(100_000)}`]) {
      const body = `{"hook_event_name":"PreToolUse","tool_name":"Write","prompt":1,"tool_input":${value}}`;
      for (const program of FEEDS) check(program, Buffer.from(body));
    }
  });

  it('takes no longer for a line that is made to be slow', () => {
    const slow = [
      `*** Add File: x${' '.repeat(250_000)}y`,
      'https://'.repeat(30_000),
      `mcp__${'__'.repeat(100_000)}`,
      `${"'".repeat(100_000)}${'\\'.repeat(100_000)}`,
      `${'Tool "'.repeat(50_000)}`,
      `\n${'Exit Code: 1\n'.repeat(20_000)}`,
    ];
    // Where it took time with the square of the length, this would take minutes.
    for (const text of slow) {
      for (const program of ['claudecode', 'gemini', 'kimi', 'other'] as const) {
        const body = {
          hook_event_name: 'PostToolUse',
          event_type: 'PostToolUse',
          tool_name: text,
          tool_input: { command: text, patch: text, url: text },
          tool_response: { llmContent: text, error: text },
          error: text,
        };
        check(program, Buffer.from(JSON.stringify(body)));
        check(program, Buffer.from(JSON.stringify({ ...body, tool_name: 'apply_patch' })));
      }
    }
  });
});
