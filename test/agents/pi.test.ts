import { testProgram } from '../support/agents/program-tests.ts';

testProgram({
  id: 'pi',
  environment: () => ({}),
  files: (models) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        fake: { baseUrl: `${models}/v1`, api: 'openai-completions', apiKey: 'x', models: [{ id: 'fake-model' }] },
      },
    }),
  }),
  run: (prompt) => ['-p', prompt, '--provider', 'fake', '--model', 'fake-model'],
  spelling: {
    shell: (command) => ({ name: 'bash', input: { command } }),
    read: (path) => ({ name: 'read', input: { path } }),
    write: (path, text) => ({ name: 'write', input: { path, content: text } }),
    edit: (path, from, to) => ({ name: 'edit', input: { path, edits: [{ oldText: from, newText: to }] } }),
    badInput: (mark) => ({ name: 'read', input: { x: mark } }),
    forbids: () => ({ name: 'no_such_tool', input: { a: 1 } }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, failed | error 2',
    'tool.other no_such_tool | failed | error',
    'tool.shell date | proposed, completed | ok',
  ],
  plan: {
    turns: (project) => [
      [
        { name: 'Levitate', input: { x: 1 } },
        { name: 'read', input: { path: `${project}/missing.txt` } },
      ],
      [
        { name: 'write', input: { path: `${project}/größe-数.txt`, content: 'größe 数' } },
        { name: 'bash', input: { command: 'echo "größe 数"; exit 3' } },
      ],
    ],
    calls: [
      'tool.other Levitate | failed | error',
      'tool.file_read missing.txt | proposed, failed | error',
      'tool.file_write größe-数.txt | proposed, completed | ok',
      'tool.shell echo | proposed, failed | error 3',
    ],
  },
  saysEnd: true,
  findings: [],
});
