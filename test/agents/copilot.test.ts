import { testProgram } from '../support/agents/program-tests.ts';

const shell = (command: string) => ({ name: 'bash', input: { command, description: 'x' } });

testProgram({
  id: 'copilot',
  environment: (models) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${models}/v1`,
    COPILOT_MODEL: 'gpt-4.1',
  }),
  files: () => ({}),
  run: (prompt) => ['-p', prompt, '--allow-all-tools', '--deny-tool', 'shell(rm)'],
  spelling: {
    shell,
    read: (path) => ({ name: 'view', input: { path } }),
    write: (path, text) => ({ name: 'create', input: { path, file_text: text } }),
    edit: (path, from, to) => ({ name: 'edit', input: { path, old_str: from, new_str: to } }),
    badInput: (mark) => ({ name: 'view', input: { pathx: mark } }),
    forbids: (file) => shell(`rm ${file}`),
    subAgent: (told) => ({
      name: 'task',
      input: { name: 'x', description: 'x', prompt: told, agent_type: 'general-purpose', mode: 'sync' },
    }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok 0',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, completed | ok 2',
    'tool.agent Agent | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok 0',
    // Its transcript tells that its rules refused a call.
    'tool.shell rm | proposed, refused | denied',
    'tool.shell date | proposed, completed | ok 0',
  ],
  saysEnd: true,
  findings: [],
});
