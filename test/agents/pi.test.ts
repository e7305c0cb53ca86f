import { versionOf } from '../../scripts/support/agent-programs.ts';
import { testProgram } from '../support/agents/program-tests.ts';

/** Older versions tell the exit code of a command that failed alone. */
const ok = versionOf('pi').startsWith('0.') ? 'ok' : 'ok 0';

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
  },
  calls: [
    `tool.shell echo | proposed, completed | ${ok}`,
    'tool.file_read a.txt | proposed, completed | ok',
    'tool.shell ls | proposed, failed | error 2',
    `tool.shell date | proposed, completed | ${ok}`,
  ],
  saysEnd: true,
  findings: [],
});
