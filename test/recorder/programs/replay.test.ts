import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/support/paths.ts';
import { type FeedId, isProgramId } from '../../../src/recorder/base/programs.ts';
import { fixtureText, hookBodies, meaningOf, problemsOf, read, replay, seenIn } from '../../support/hooks.ts';

const ECHO = '"say hi"';

type Scenario = readonly [feed: FeedId, scenario: string, meaning: readonly string[]];

/** What each scenario means, a line for each Seen. */
const SCENARIOS: readonly Scenario[] = [
  [
    'claudecode',
    'claudecode/2.1.330/parallel-calls',
    [
      'session_started | startup',
      `told | user ${ECHO}`,
      'proposed | shell Bash | toolu_fake_0 | write echo',
      'proposed | shell Bash | toolu_fake_2 | write ls',
      'proposed | file Read | toolu_fake_1 | read /home/ada/cc/proj/a.txt',
      'completed | file Read | toolu_fake_1 | ok | 12 ms | read /home/ada/cc/proj/a.txt',
      'completed | shell Bash | toolu_fake_0 | ok | 306 ms | write echo',
      'failed | shell Bash | toolu_fake_2 | error 2 | 59 ms | write ls',
      'completed | shell Bash | toolu_fake_0 | unknown | write echo',
      'completed | file Read | toolu_fake_1 | unknown | read /home/ada/cc/proj/a.txt',
      'failed | shell Bash | toolu_fake_2 | error 2 | write ls',
      'note | stop',
      'session_ended | other',
    ],
  ],
  [
    'claudecode',
    'claudecode/2.1.330/subagents',
    [
      'session_started | startup',
      `told | user ${ECHO}`,
      'proposed | agent Agent | toolu_fake_0',
      'proposed | agent Agent | toolu_fake_0 | in aa3d5fdd5e8db730b',
      'proposed | agent Agent | toolu_fake_0 | in a4d0c070f226b1deb',
      'proposed | shell Bash | toolu_fake_0 | write echo | in abe1e3b6a9bf23de2',
      'completed | shell Bash | toolu_fake_0 | ok | 21 ms | write echo | in abe1e3b6a9bf23de2',
      'completed | shell Bash | toolu_fake_0 | unknown | write echo | in abe1e3b6a9bf23de2',
      'note | subagent_stop | in abe1e3b6a9bf23de2',
      'completed | agent Agent | toolu_fake_0 | ok | 182 ms | in a4d0c070f226b1deb',
      'completed | agent Agent | toolu_fake_0 | unknown | in a4d0c070f226b1deb',
      'note | subagent_stop | in a4d0c070f226b1deb',
      'completed | agent Agent | toolu_fake_0 | ok | 281 ms | in aa3d5fdd5e8db730b',
      'completed | agent Agent | toolu_fake_0 | unknown | in aa3d5fdd5e8db730b',
      'note | subagent_stop | in aa3d5fdd5e8db730b',
      'completed | agent Agent | toolu_fake_0 | ok | 400 ms',
      'completed | agent Agent | toolu_fake_0 | unknown',
      'note | stop',
      'session_ended | other',
    ],
  ],
  ['claudecode', 'claudecode/2.1.330/mcp', ['completed | mcp probe/echo | toolu_fake_0 | ok | 11 ms']],
  [
    'codex',
    'codex/0.169.0/parallel-calls',
    [
      'session_started | startup',
      `told | user ${ECHO}`,
      'proposed | shell Bash | call_fake_0 | write echo',
      'proposed | shell Bash | call_fake_1 | write ls',
      'completed | shell Bash | call_fake_1 | unknown | write ls',
      'completed | shell Bash | call_fake_0 | unknown | write echo',
      'note | stop',
      'session_ended | other',
    ],
  ],
  [
    'codex',
    'codex/0.169.0/mcp',
    ['proposed | mcp probe/echo | call_fake_0', 'completed | mcp probe/echo | call_fake_0 | ok'],
  ],
  [
    'gemini',
    'gemini/0.61.0/parallel-calls',
    [
      'session_started | startup',
      `told | user ${ECHO}`,
      'proposed | shell run_shell_command | no id | write echo',
      'proposed | file read_file | no id | read /home/ada/gem/proj/a.txt',
      'proposed | shell run_shell_command | no id | write ls',
      'completed | shell run_shell_command | no id | ok 2 | write ls',
      'completed | file read_file | no id | ok | read /home/ada/gem/proj/a.txt',
      'completed | shell run_shell_command | no id | ok | write echo',
      'note | after_agent',
      'session_ended | exit',
    ],
  ],
  ['gemini', 'gemini/0.61.0/mcp', ['completed | mcp probe/echo | no id | ok']],
  [
    'copilot',
    'copilot/1.0.102/camel-case',
    [
      'session_started | new',
      `told | user ${ECHO}`,
      'proposed | shell bash | no id | write echo',
      'proposed | file view | no id | read /home/ada/cop/proj/a.txt',
      'proposed | shell bash | no id | write ls',
      'completed | file view | no id | ok | read /home/ada/cop/proj/a.txt',
      'note | permission_request',
      'note | permission_request',
      'completed | shell bash | no id | ok 2 | write ls',
      'completed | shell bash | no id | ok 0 | write echo',
      'note | agent_stop',
      'session_ended | complete',
    ],
  ],
  [
    'copilot',
    'copilot/1.0.102/pascal-case',
    [
      'session_started | new',
      `told | user ${ECHO}`,
      'proposed | shell Bash | no id | write echo',
      'proposed | file Read | no id | read /home/ada/cop/proj/missing.txt',
      'failed | file Read | no id | error | read /home/ada/cop/proj/missing.txt',
      'completed | shell Bash | no id | ok 0 | write echo',
      'note | stop',
      'session_ended | complete',
    ],
  ],
  [
    'kimi',
    'kimi/2.1.0/parallel-calls',
    [
      'session_started | startup',
      'told | user [{"type":"text","text":"say hi"}]',
      'note | turn_started',
      'proposed | shell Bash | call_fake_0 | write echo',
      'proposed | file Read | call_fake_1 | read /home/ada/kimi/proj/a.txt',
      'proposed | shell Bash | call_fake_2 | write ls',
      'completed | shell Bash | call_fake_0 | ok | write echo',
      'completed | file Read | call_fake_1 | ok | read /home/ada/kimi/proj/a.txt',
      'failed | shell Bash | call_fake_2 | error 2 | write ls',
      'note | stop',
    ],
  ],
  ...['0.25.9', '0.32.18'].map(
    (version): Scenario => [
      'letta',
      `letta/${version}/parallel-calls`,
      [
        'proposed | shell Bash | call_fake_0 | write echo',
        'proposed | file Read | call_fake_1 | read /home/ada/let/proj/a.txt',
        'completed | file Read | call_fake_1 | ok | read /home/ada/let/proj/a.txt',
        'completed | shell Bash | call_fake_0 | ok | write echo',
        'proposed | shell Bash | call_fake_2 | write ls',
        'failed | shell Bash | call_fake_2 | error 2 | write ls',
        'failed | shell Bash | call_fake_2 | error 2 | write ls',
      ],
    ],
  ),
  [
    'qwen',
    'qwen/0.24.4/every-kind',
    [
      'session_started | startup',
      `told | user ${ECHO}`,
      'proposed | shell run_shell_command | call_fake_0 | write echo',
      'completed | shell run_shell_command | call_fake_0 | ok 0 | 49 ms | write echo',
      'proposed | file read_file | call_fake_1 | read /home/ada/qwen/proj/a.txt',
      'proposed | shell run_shell_command | call_fake_2 | write ls',
      'failed | shell run_shell_command | call_fake_2 | error 2 | 43 ms | write ls',
      'completed | file read_file | call_fake_1 | ok | 140 ms | read /home/ada/qwen/proj/a.txt',
      'failed | shell run_shell_command | call_fake_2 | error 2 | write ls',
      'proposed | file write_file | call_fake_3 | write /home/ada/qwen/proj/b.txt',
      'completed | file write_file | call_fake_3 | ok | 48 ms | write /home/ada/qwen/proj/b.txt',
      'failed | other no_such_tool | call_fake_4 | error',
      'proposed | file read_file | call_fake_5 | read /home/ada/qwen/proj/missing.txt',
      'failed | file read_file | call_fake_5 | error | 2 ms | read /home/ada/qwen/proj/missing.txt',
      'failed | file read_file | call_fake_5 | error | read /home/ada/qwen/proj/missing.txt',
    ],
  ],
  [
    'cline',
    'cline/3.0.65/calls',
    [
      'session_started | task_start',
      'proposed | shell run_commands | call_fake_0 | write echo',
      'proposed | file read_files | call_fake_1 | read /home/ada/cline/proj/a.txt',
      'completed | shell run_commands | call_fake_0 | ok | 66 ms | write echo',
      'completed | file read_files | call_fake_1 | ok | 59 ms | read /home/ada/cline/proj/a.txt',
      'session_ended | task_complete',
    ],
  ],
  [
    'cline',
    'cline/3.0.65/failing-calls',
    [
      'session_started | task_start',
      'proposed | shell run_commands | call_1_0 | write echo',
      'proposed | shell run_commands | call_1_1 | write echo | write exit',
      'proposed | file read_files | call_1_2 | read /home/ada/cline/proj/nope.txt',
      'proposed | file read_files | call_1_3',
      'failed | shell run_commands | call_1_0 | error 3 | 108 ms | write echo',
      'failed | shell run_commands | call_1_1 | error 4 | 60 ms | write echo | write exit',
      'failed | file read_files | call_1_2 | error | 36 ms | read /home/ada/cline/proj/nope.txt',
      'failed | file read_files | call_1_3 | error | 16 ms',
      'session_ended | task_complete',
    ],
  ],
  [
    'cline',
    'cline/3.0.65/interrupted',
    [
      'session_started | task_start',
      'proposed | shell run_commands | call_1_0 | write touch',
      'failed | shell run_commands | call_1_0 | cancelled | 324 ms | write touch',
    ],
  ],
];

/** Written after documentation; the programs were not run. */
const DOCUMENTED: typeof SCENARIOS = [
  [
    'cursor',
    'cursor/documented',
    [
      'session_started | agent',
      `told | user ${ECHO}`,
      'proposed | shell Shell | abc123 | write npm',
      'completed | shell Shell | abc123 | ok 1 | 5432 ms | write npm',
      'refused | file Delete | def456 | denied | 20 ms | delete /home/ada/cur/proj/a.txt',
      'failed | mcp search_issues | ghi789 | error | 12 ms',
      'note | after_agent_thought',
      'session_ended | completed',
    ],
  ],
  [
    'kirocli',
    'kirocli/documented',
    [
      'session_started | no reason',
      `told | user ${ECHO}`,
      'proposed | shell execute_bash | no id | write ls',
      'completed | file fs_read | no id | ok | read /home/ada/kiro/proj/docs/hooks.md',
      'failed | mcp postgres/query | no id | error',
      'note | stop',
    ],
  ],
  [
    'kiroide',
    'kiroide/documented',
    [
      `told | user ${ECHO}`,
      'proposed | file fs_write | no id | write /home/ada/kiro/proj/src/a.ts',
      'completed | file fs_write | no id | unknown | write /home/ada/kiro/proj/src/a.ts',
    ],
  ],
  [
    'openhands',
    'openhands/documented',
    [
      'session_started | no reason',
      `told | user ${ECHO}`,
      'proposed | shell terminal | no id | write echo',
      'completed | shell terminal | no id | unknown | write echo',
      'note | stop',
      'session_ended | no reason',
    ],
  ],
  [
    'goose',
    'goose/documented',
    [
      'session_started | no reason',
      `told | user ${ECHO}`,
      'proposed | shell shell | call_1 | write rg',
      'completed | shell shell | call_1 | ok | write rg',
      'proposed | mcp github/create_issue | call_2',
      'denied | mcp github/create_issue | call_2 | by policy guard',
      'refused | mcp github/create_issue | call_2 | denied',
      'failed | file edit | call_3 | error | write /home/ada/goose/proj/a.txt',
      'note | stop',
      'session_ended | no reason',
    ],
  ],
  [
    'windsurf',
    'windsurf/documented',
    [
      `told | user ${ECHO}`,
      'proposed | shell run_command | no id | write npm',
      'completed | shell run_command | no id | unknown | write npm',
      'proposed | file write_code | no id | write /home/ada/ws/proj/a.py',
      'completed | file write_code | no id | unknown | write /home/ada/ws/proj/a.py',
      'proposed | file read_code | no id | read /home/ada/ws/proj/a.py',
      'completed | file read_code | no id | unknown | read /home/ada/ws/proj/a.py',
      'proposed | mcp github/create_issue | no id',
      'completed | mcp github/create_issue | no id | unknown',
    ],
  ],
  [
    'openclaw',
    'openclaw/documented',
    [
      'session_started | no reason',
      'proposed | shell exec | call_1 | write rg',
      'completed | shell exec | call_1 | ok | 12 ms | write rg',
      'proposed | file edit | call_2 | write /home/ada/.openclaw/workspace/a.txt',
      'failed | file edit | call_2 | error | write /home/ada/.openclaw/workspace/a.txt',
      'session_ended | reset',
    ],
  ],
];

describe('what real programs gave to their hooks', () => {
  it.each(SCENARIOS)('%s: %s', (feed, scenario, meaning) => {
    expect(replay(feed, scenario)).toEqual(meaning);
  });

  it('is the same over Claude Code’s HTTP hooks', () => {
    const bodies = fixtureText('claudecode/2.1.330/http/claude-http-hook.jsonl').trimEnd().split('\n');
    const seen = bodies.map((line) => seenIn('claudecode', new TextEncoder().encode(JSON.parse(line).b)));
    expect(seen.map(meaningOf).sort()).toEqual([
      'completed | file Read | toolu_fake_1 | ok | 12 ms | read /home/ada/cc/proj/a.txt',
      'completed | shell Bash | toolu_fake_0 | ok | 306 ms | write echo',
      'proposed | file Read | toolu_fake_1 | read /home/ada/cc/proj/a.txt',
      'proposed | shell Bash | toolu_fake_0 | write echo',
      'proposed | shell Bash | toolu_fake_2 | write ls',
    ]);
  });
});

describe('what documentation says of programs that were not run', () => {
  it.each(DOCUMENTED)('%s: %s', (feed, scenario, meaning) => {
    expect(replay(feed, scenario)).toEqual(meaning);
  });
});

/** What their plugins were called with is replayed to these. */
const PLUGINS = new Set(['opencode', 'pi']);

describe('every event that was captured', () => {
  const all = [...SCENARIOS, ...DOCUMENTED];

  it('fits the payload profile', () => {
    const problems = all.flatMap(([feed, scenario]) =>
      hookBodies(scenario).flatMap(({ bytes }) => read(feed, bytes).seen.flatMap(problemsOf)),
    );
    expect(problems).toEqual([]);
  });

  it('is replayed above', () => {
    const folders = (path: string) => readdirSync(join(ROOT, 'test/recorder/fixtures', path), { withFileTypes: true });
    const scenarios = folders('')
      .filter((entry) => entry.isDirectory() && isProgramId(entry.name) && !PLUGINS.has(entry.name))
      .flatMap(({ name }) =>
        folders(name).flatMap((version) =>
          version.name === 'documented'
            ? [`${name}/documented`]
            : folders(`${name}/${version.name}`).map((one) => `${name}/${version.name}/${one.name}`),
        ),
      );
    const replayed = [...all.map(([, scenario]) => scenario), 'claudecode/2.1.330/http'];
    expect(replayed.sort()).toEqual(scenarios.sort());
  });
});
