import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { resourcePath } from '../../node/light.ts';
import type { ProgramDescription } from './description.ts';

export const opencode: ProgramDescription = {
  read: 'generic',
  prints: '{}',
  isPlugin: true,
  binary: 'opencode',
  events: ['tool.execute.before', 'tool.execute.after', 'chat.message', 'event'],
  settings: {
    user: {
      variable: { name: 'XDG_CONFIG_HOME', stands: 'folder' },
      folder: ['.config'],
      file: ['opencode', 'plugins', 'countersign.js'],
    },
    project: ['.opencode', 'plugins', 'countersign.js'],
    form: {
      kind: 'own-file',
      content: ({ script }) =>
        readFileSync(resourcePath('recorder', 'opencode-plugin.js'), 'utf8').replace(
          'const FOLDER = undefined;',
          // In a replacement a dollar sign would mean something.
          () => `const FOLDER = ${JSON.stringify(dirname(dirname(script)))};`,
        ),
    },
  },
  failure: 'runs the tool where the plugin cannot be loaded; once loaded, the plugin stops it by an error',
  notes: [],
};
