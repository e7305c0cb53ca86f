import type { ProgramDescription } from './description.ts';
import { pluginText } from './plugin-text.ts';

export const pi: ProgramDescription = {
  read: 'generic',
  prints: '{}',
  isPlugin: true,
  binary: 'pi',
  events: [
    'session_start',
    'session_shutdown',
    'input',
    'tool_execution_start',
    'tool_call',
    'tool_result',
    'tool_execution_end',
    'user_bash',
  ],
  settings: {
    user: {
      variable: { name: 'PI_CODING_AGENT_DIR', stands: 'folder' },
      folder: ['.pi', 'agent'],
      file: ['extensions', 'countersign.js'],
    },
    project: ['.pi', 'extensions', 'countersign.js'],
    form: { kind: 'own-files', content: ({ script }) => pluginText('pi', script) },
  },
  failure: 'runs the tool where the extension cannot be loaded; once loaded, the extension stops it',
  notes: ['Commands that the person types (!) are recorded as notes: nothing tells how they ended.'],
};
