import { testProgram } from '../support/agents/program-tests.ts';

const config = (models: string): string => `
default_model = "fake"

[providers.local]
type = "openai"
base_url = "${models}/v1"
api_key = "x"

[models.fake]
provider = "local"
model = "fake-model"
max_context_size = 100000
`;

testProgram({
  id: 'kimi',
  environment: () => ({}),
  files: (models) => ({ '.kimi-code/config.toml': config(models) }),
  run: (prompt) => ['-p', prompt],
  spelling: {
    shell: (command) => ({ name: 'Bash', input: { command, description: 'x' } }),
    read: (path) => ({ name: 'Read', input: { path } }),
    write: (path, text) => ({ name: 'Write', input: { path, content: text } }),
    edit: (path, from, to) => ({ name: 'Edit', input: { path, old_string: from, new_string: to } }),
    badInput: (mark) => ({ name: 'Read', input: { x: mark } }),
    // Without a terminal it carried out what a rule of its configuration denies.
    subAgent: (told) => ({ name: 'Agent', input: { description: 'x', prompt: told } }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, failed | error 2',
    'tool.agent Agent | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok',
    'tool.shell date | proposed, completed | ok',
  ],
  saysEnd: false,
  findings: ['SESSION_OPEN'],
});
