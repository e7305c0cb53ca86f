import { testProgram } from '../support/agents/program-tests.ts';

const shell = (command: string) => ({ name: 'run_shell_command', input: { command, description: 'x' } });

testProgram({
  id: 'qwen',
  environment: (models) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${models}/v1`, OPENAI_MODEL: 'fake-model' }),
  files: () => ({
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      permissions: { deny: ['Bash(rm *)'] },
    }),
  }),
  run: (prompt) => ['-p', prompt, '--approval-mode', 'yolo'],
  spelling: {
    shell,
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
    edit: (path, from, to) => ({ name: 'edit', input: { file_path: path, old_string: from, new_string: to } }),
    badInput: (mark) => ({ name: 'read_file', input: { x: mark } }),
    forbids: (file) => shell(`rm ${file}`),
    subAgent: (told) => ({
      name: 'agent',
      input: { description: 'x', prompt: told, subagent_type: 'general-purpose' },
    }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok 0',
    // It takes absolute paths alone, and tells no other hook of what it refuses.
    'tool.file_read a.txt | failed | error',
    'tool.shell ls | proposed, failed | error 2',
    'tool.agent agent | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok 0 | in a sub-agent',
    'tool.shell rm | refused | denied',
    'tool.shell date | proposed, completed | ok 0',
  ],
  saysEnd: false,
  findings: ['SESSION_OPEN'],
});
