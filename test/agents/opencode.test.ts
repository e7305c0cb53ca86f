import { testProgram } from '../support/agents/program-tests.ts';

const config = (models: string): object => ({
  model: 'local/fake-model',
  autoupdate: false,
  provider: {
    local: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${models}/v1`, apiKey: 'x' },
      models: { 'fake-model': { tool_call: true } },
    },
  },
  permission: { bash: { '*': 'allow', 'rm *': 'deny' } },
});

const shell = (command: string) => ({ name: 'bash', input: { command, description: 'x' } });

testProgram({
  id: 'opencode',
  environment: () => ({}),
  files: (models) => ({ '.config/opencode/opencode.json': JSON.stringify(config(models)) }),
  run: (prompt) => ['run', prompt],
  spelling: {
    shell,
    read: (path) => ({ name: 'read', input: { filePath: path } }),
    write: (path, text) => ({ name: 'write', input: { filePath: path, content: text } }),
    edit: (path, from, to) => ({ name: 'edit', input: { filePath: path, oldString: from, newString: to } }),
    badInput: (mark) => ({ name: 'read', input: { x: mark } }),
    forbids: (file) => shell(`rm ${file}`),
    subAgent: (told) => ({ name: 'task', input: { description: 'x', prompt: told, subagent_type: 'general' } }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok 0',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, completed | ok 2',
    'tool.agent task | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok 0',
    'tool.shell rm | proposed, refused | denied',
    'tool.shell date | proposed, completed | ok 0',
  ],
  saysEnd: false,
  // It does not say when a session ends: neither the main one nor that of the sub-agent.
  findings: ['SESSION_OPEN', 'SESSION_OPEN'],
});
