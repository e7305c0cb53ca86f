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
  shell: (command) => ({ name: 'bash', input: { command } }),
  read: (path) => ({ name: 'read', input: { path } }),
  forbidden: { name: 'no_such_tool', input: { a: 1 } },
  calls: [
    'tool.shell echo | proposed, completed | ok',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, failed | error 2',
    'tool.other no_such_tool | failed | error',
    'tool.shell date | proposed, completed | ok',
  ],
  saysEnd: true,
  findings: [],
});
