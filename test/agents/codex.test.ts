import type { ModelCall } from '../support/agents/conversation.ts';
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

function patch(what: string, lines: string): string {
  return `*** Begin Patch\n*** ${what}\n${lines}\n*** End Patch`;
}

function patched(what: string, told: string): ModelCall {
  return { name: 'apply_patch', input: {}, text: patch(what, told) };
}

function lines(sign: string, text: string): string {
  return text.trimEnd().replaceAll(/^/gm, sign);
}

function shell(command: string): ModelCall {
  return { name: 'exec_command', input: { cmd: command } };
}

testProgram({
  id: 'codex',
  environment: () => ({ LOCAL_KEY: 'x' }),
  files: (models) => ({
    '.codex/config.toml': config(models),
    '.codex/rules/tests.rules': 'prefix_rule(pattern = ["rm"], decision = "forbidden")\n',
  }),
  run: (prompt) => ['exec', '--skip-git-repo-check', '-s', 'danger-full-access', prompt],
  spelling: {
    shell,
    read: (path) => shell(`cat ${path}`),
    write: (path, text) => patched(`Add File: ${path}`, lines('+', text)),
    edit: (path, from, to) => patched(`Update File: ${path}`, `@@\n-${from}\n+${to}`),
    badInput: (mark) => ({ name: 'exec_command', input: { x: mark } }),
    forbids: (file) => shell(`rm ${file}`),
    subAgent: (told) => ({ name: 'spawn_agent', group: 'multi_agent_v1', input: { message: told } }),
    typing: {
      open: (mark) => ({ name: 'exec_command', input: { cmd: `/bin/sh; : ${mark}`, tty: true, yield_time_ms: 300 } }),
      type: (said, text) => ({ name: 'write_stdin', input: { session_id: runningIn(said), chars: text } }),
    },
    heredoc: (path) => `apply_patch <<'EOF'\n${patch(`Add File: ${path}`, '+größe 数')}\nEOF`,
  },
  // Its hooks do not tell how a command ended, and its transcript does.
  calls: [
    'tool.shell echo | proposed, completed | ok 0',
    'tool.shell cat | proposed, completed | ok 0',
    'tool.shell ls | proposed, failed | error 2',
    'tool.agent spawn_agent | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok 0 | in a sub-agent',
    'tool.shell rm | proposed, refused | denied',
    'tool.shell date | proposed, completed | ok 0',
  ],
  saysEnd: true,
  findings: [],
});
