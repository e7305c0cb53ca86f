import { testProgram } from '../support/agents/program-tests.ts';

testProgram({
  id: 'claudecode',
  environment: (models) => ({
    ANTHROPIC_BASE_URL: models,
    ANTHROPIC_API_KEY: 'x',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  files: () => ({
    '.claude/settings.json': JSON.stringify({
      permissions: { allow: ['Bash', 'Read', 'Edit', 'Agent'], deny: ['Bash(rm:*)'] },
    }),
  }),
  run: (prompt) => ['-p', prompt],
  shell: (command) => ({ name: 'Bash', input: { command, description: 'x' } }),
  read: (path) => ({ name: 'Read', input: { file_path: path } }),
  forbidden: { name: 'Bash', input: { command: 'rm a.txt', description: 'x' } },
  subAgent: (told) => ({
    name: 'Agent',
    input: { description: 'x', prompt: told, subagent_type: 'general-purpose', run_in_background: false },
  }),
  calls: [
    'tool.shell echo | proposed, completed | ok',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, failed | error 2',
    'tool.agent Agent | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok | in a sub-agent',
    'tool.shell rm | proposed, refused | denied',
    'tool.shell date | proposed, completed | ok',
  ],
  plan: {
    turns: (project) => [
      [
        { name: 'Levitate', input: { x: 1 } },
        { name: 'Read', input: { path: 5 } },
        { name: 'Read', input: { file_path: 'a.txt' } },
        { name: 'Edit', input: { file_path: `${project}/a.txt`, old_string: 'nowhere', new_string: 'y' } },
      ],
      [
        { name: 'Edit', input: { file_path: `${project}/a.txt`, old_string: 'hello', new_string: 'größe 数' } },
        { name: 'Bash', input: { command: 'echo "größe 数"; exit 3', description: 'x' } },
        { name: 'Bash', input: { command: 'rm a.txt', description: 'x' } },
      ],
    ],
    calls: [
      'tool.other Levitate | failed | error',
      'tool.file_read Read | failed | error',
      'tool.file_read a.txt | proposed, completed | ok',
      'tool.file_write a.txt | failed | error',
      'tool.file_write a.txt | proposed, completed | ok',
      'tool.shell echo | proposed, failed | error 3',
      'tool.shell rm | proposed, refused | denied',
    ],
  },
  saysEnd: true,
  findings: [],
});
