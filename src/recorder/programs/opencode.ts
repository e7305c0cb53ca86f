import type { ProgramDescription } from './description.ts';
import { pluginText } from './plugin-text.ts';

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
      kind: 'own-files',
      content: ({ script }) => pluginText('opencode', script),
    },
  },
  failure: 'runs the tool where the plugin cannot be loaded; once loaded, the plugin stops it by an error',
  notes: [],
};
