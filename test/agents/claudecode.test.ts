import { testProgram } from '../support/agents/program-tests.ts';

const shell = (command: string) => ({ name: 'Bash', input: { command, description: 'x' } });

testProgram({
  id: 'claudecode',
  environment: (models) => ({
    ANTHROPIC_BASE_URL: models,
    ANTHROPIC_API_KEY: 'x',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  files: (_, project) => ({
    '.claude/settings.json': JSON.stringify({
      permissions: { allow: ['Bash', 'Read', 'Edit', 'Write', 'Agent'], ask: ['Bash(mkdir:*)'], deny: ['Bash(rm:*)'] },
    }),
    // What it asks on its first start at a terminal.
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: ['x'], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true } },
    }),
  }),
  run: (prompt) => ['-p', prompt],
  terminal: {
    run: (prompt) => [prompt],
    steps: [
      { shown: 'Doyouwanttoproceed?', keys: '2' },
      { shown: 'Interrupted', keys: '\x03' },
      { shown: 'again', keys: '\x03' },
    ],
  },
  spelling: {
    shell,
    read: (path) => ({ name: 'Read', input: { file_path: path } }),
    write: (path, text) => ({ name: 'Write', input: { file_path: path, content: text } }),
    edit: (path, from, to) => ({ name: 'Edit', input: { file_path: path, old_string: from, new_string: to } }),
    badInput: (mark) => ({ name: 'Read', input: { path: mark } }),
    forbids: (file) => shell(`rm ${file}`),
    asks: (mark) => shell(`mkdir asked-${mark}`),
    subAgent: (told) => ({
      name: 'Agent',
      input: { description: 'x', prompt: told, subagent_type: 'general-purpose', run_in_background: false },
    }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, failed | error 2',
    'tool.agent Agent | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok | in a sub-agent',
    'tool.shell rm | proposed, refused | denied',
    'tool.shell date | proposed, completed | ok',
  ],
  saysEnd: true,
  findings: [],
});
