import { testProgram } from '../support/agents/program-tests.ts';

const config = (models: string): string => `
model = "fake-model"
model_provider = "local"

[model_providers.local]
name = "local"
base_url = "${models}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
`;

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
  saysEnd: true,
  findings: [],
});
