import { testProgram } from '../support/agents/program-tests.ts';

testProgram({
  id: 'cline',
  environment: () => ({}),
  files: (models) => ({
    '.cline/data/settings/providers.json': JSON.stringify({
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: {
            provider: 'openai-compatible',
            apiKey: 'x',
            model: 'fake-model',
            baseUrl: `${models}/v1`,
          },
          updatedAt: '2026-11-27T08:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  }),
  run: (prompt) => [prompt],
  spelling: {
    shell: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
    read: (path) => ({ name: 'read_files', input: { files: [{ path }] } }),
    write: (path, text) => ({ name: 'editor', input: { path, new_text: text } }),
    edit: (path, from, to) => ({ name: 'editor', input: { path, old_text: from, new_text: to } }),
    badInput: (mark) => ({ name: 'read_files', input: { x: mark } }),
  },
  calls: [
    'tool.shell echo | proposed, completed | ok',
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, failed | error 2',
    'tool.shell date | proposed, completed | ok',
  ],
  saysEnd: true,
  findings: [],
});
