import { testProgram } from '../support/agents/program-tests.ts';

const shell = (command: string) => ({ name: 'run_shell_command', input: { command, description: 'x' } });

testProgram({
  id: 'qwen',
  environment: (models) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${models}/v1`, OPENAI_MODEL: 'fake-model' }),
  files: () => ({ '.qwen/settings.json': JSON.stringify({ security: { auth: { selectedType: 'openai' } } }) }),
  run: (prompt) => ['-p', prompt, '--approval-mode', 'yolo'],
  spelling: {
    shell,
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
    edit: (path, from, to) => ({ name: 'edit', input: { file_path: path, old_string: from, new_string: to } }),
    badInput: (mark) => ({ name: 'read_file', input: { x: mark } }),
    // Of a tool that does not exist the hook of the batch alone tells.
    forbids: () => ({ name: 'no_such_tool', input: { a: 1 } }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok 0',
    // It takes absolute paths alone, and tells no other hook of what it refuses.
    'tool.file_read a.txt | failed | error',
    'tool.shell ls | proposed, failed | error 2',
    'tool.other no_such_tool | failed | error',
    'tool.shell date | proposed, completed | ok 0',
  ],
  plan: {
    turns: (project) => [
      [
        { name: 'Levitate', input: { x: 1 } },
        { name: 'read_file', input: { file_path: `${project}/missing.txt` } },
      ],
      [
        { name: 'write_file', input: { file_path: `${project}/größe-数.txt`, content: 'größe 数' } },
        { name: 'run_shell_command', input: { command: 'echo "größe 数"; exit 3', description: 'x' } },
      ],
    ],
    calls: [
      'tool.other Levitate | failed | error',
      'tool.file_read missing.txt | proposed, failed | error',
      'tool.file_write größe-数.txt | proposed, completed | ok',
      'tool.shell echo | proposed, failed | error 3',
    ],
  },
  saysEnd: false,
  findings: ['SESSION_OPEN'],
});
