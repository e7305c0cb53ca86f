import { testProgram } from '../support/agents/program-tests.ts';

const shell = (command: string) => ({ name: 'run_shell_command', input: { command, description: 'x' } });

testProgram({
  id: 'gemini',
  environment: (models) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: models }),
  files: () => ({
    '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    '.gemini/policies/tests.toml':
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "rm"\ndecision = "deny"\npriority = 900\n',
  }),
  run: (prompt) => ['-p', prompt, '--approval-mode', 'yolo', '--skip-trust'],
  spelling: {
    shell,
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
    edit: (path, from, to) => ({
      name: 'replace',
      input: { file_path: path, instruction: 'x', old_string: from, new_string: to },
    }),
    badInput: (mark) => ({ name: 'read_file', input: { x: mark } }),
    forbids: (file) => shell(`rm ${file}`),
    subAgent: (told) => ({ name: 'invoke_agent', input: { agent_name: 'generalist', prompt: told } }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, completed | ok 2',
    'tool.agent invoke_agent | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok',
    // Its transcript tells that its rules refused a call.
    'tool.shell rm | proposed, refused | denied',
    'tool.shell date | proposed, completed | ok',
  ],
  saysEnd: true,
  findings: [],
});
