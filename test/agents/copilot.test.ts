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
  plan: {
    turns: (project) => [
      [
        { name: 'levitate', input: { x: 1 } },
        { name: 'view', input: { pathx: 5 } },
        { name: 'view', input: { path: `${project}/missing.txt` } },
      ],
      [
        { name: 'create', input: { path: `${project}/größe-数.txt`, file_text: 'größe 数' } },
        { name: 'bash', input: { command: 'echo "größe 数"; exit 3', description: 'x' } },
      ],
    ],
    calls: [
      'tool.other levitate | proposed, failed | error',
      'tool.file_read Read | proposed, failed | error',
      'tool.file_read missing.txt | proposed, failed | error',
      'tool.file_write größe-数.txt | proposed, completed | ok',
      'tool.shell echo | proposed, completed | ok 3',
    ],
  },
  saysEnd: true,
  findings: [],
});
