import { testProgram } from '../support/agents/program-tests.ts';

const config = (models: string): string => `
model = "gpt-5.5"
model_provider = "local"

[model_providers.local]
name = "local"
base_url = "${models}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
`;

/** The number of the process that a command was left running in. */
function runningIn(said: string): number {
  return Number(/running with session ID (\d+)/.exec(said)?.[1] ?? 0);
}

function patch(path: string): string {
  return `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
}

testProgram({
  id: 'codex',
  environment: () => ({ LOCAL_KEY: 'x' }),
  files: (models) => ({
    '.codex/config.toml': config(models),
    '.codex/rules/tests.rules': 'prefix_rule(pattern = ["rm"], decision = "forbidden")\n',
  }),
  run: (prompt) => ['exec', '--skip-git-repo-check', '-s', 'danger-full-access', prompt],
  shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
  read: (path) => ({ name: 'exec_command', input: { cmd: `cat ${path}` } }),
  forbidden: { name: 'exec_command', input: { cmd: 'rm a.txt' } },
  // Its hooks do not tell how a command ended, and its transcript does.
  calls: [
    'tool.shell echo | proposed, completed | ok 0',
    'tool.shell cat | proposed, completed | ok 0',
    'tool.shell ls | proposed, failed | error 2',
    'tool.shell rm | proposed, refused | denied',
    'tool.shell date | proposed, completed | ok 0',
  ],
  plan: {
    turns: (_project, said) => [
      [
        { name: 'exec_command', input: { cmd: '/bin/sh', tty: true, yield_time_ms: 300 } },
        { name: 'exec_command', input: { cmd: 'exit 3' } },
        { name: 'levitate', input: { x: 1 } },
        { name: 'exec_command', input: { x: 5 } },
      ],
      // What is typed into the shell runs, and a look at what it printed is no action.
      [{ name: 'write_stdin', input: { session_id: runningIn(said), chars: 'echo größe-数\n' } }],
      [{ name: 'write_stdin', input: { session_id: runningIn(said), chars: '', yield_time_ms: 300 } }],
      [
        { name: 'exec_command', input: { cmd: `apply_patch <<'EOF'\n${patch('größe.txt')}\nEOF` } },
        { name: 'apply_patch', input: {}, text: patch('b.txt') },
      ],
      [{ name: 'write_stdin', input: { session_id: runningIn(said), chars: 'exit 0\n' } }],
    ],
    calls: [
      'tool.shell sh | proposed, completed | ok 0',
      'tool.shell exit | proposed, failed | error 3',
      'tool.other levitate | failed | error',
      'tool.shell exec_command | failed | error',
      'tool.shell write_stdin | completed | ok',
      'tool.shell apply_patch | proposed, completed | ok',
      'tool.file_write b.txt | proposed, completed | ok 0',
      'tool.shell write_stdin | completed | ok',
    ],
  },
  saysEnd: true,
  findings: [],
});
