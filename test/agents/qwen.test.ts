import { testProgram } from '../support/agents/program-tests.ts';

testProgram({
  id: 'qwen',
  environment: (models) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${models}/v1`, OPENAI_MODEL: 'fake-model' }),
  files: () => ({ '.qwen/settings.json': JSON.stringify({ security: { auth: { selectedType: 'openai' } } }) }),
  run: (prompt) => ['-p', prompt, '--approval-mode', 'yolo'],
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'x' } }),
  read: (path) => ({ name: 'read_file', input: { file_path: path } }),
  // Of a tool that does not exist the hook of the batch alone tells.
  forbidden: { name: 'no_such_tool', input: { a: 1 } },
  calls: [
    'tool.shell echo | proposed, completed | ok 0',
    // It takes absolute paths alone, and tells no other hook of what it refuses.
    'tool.file_read a.txt | failed | error',
    'tool.shell ls | proposed, failed | error 2',
    'tool.other no_such_tool | failed | error',
    'tool.shell date | proposed, completed | ok 0',
  ],
  saysEnd: false,
  findings: ['SESSION_OPEN'],
});
