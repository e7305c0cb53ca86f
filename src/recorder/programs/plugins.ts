import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { resourcePath } from '../../node/light.ts';
import { fileText, type ProgramDescription } from './description.ts';

/** The line by which a plugin has what speaks to the recorder. */
const IMPORT = /^import .* from '\.\/plugin-client\.js';\n/m;

/**
 * The plugin of a program in one file, for the recorder that a script of a hook is of.
 * @param id of the program; what differs is in resources/recorder
 */
function pluginText(id: 'opencode' | 'openclaw' | 'pi', script: string): string {
  const own = readFileSync(resourcePath('recorder', `${id}-plugin.js`), 'utf8');
  const client = readFileSync(resourcePath('recorder', 'plugin-client.js'), 'utf8');
  return `${own.replace(IMPORT, '')}\n${client.replaceAll(/^export /gm, '')}`.replace(
    'const FOLDER = undefined;',
    // In a replacement a dollar sign would mean something.
    () => `const FOLDER = ${JSON.stringify(dirname(dirname(script)))};`,
  );
}

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
  notes: [
    'Commands that the person types (!) are recorded as notes: nothing tells how they ended.',
    'Of a script (codemode) each call is recorded too; its id begins with that of the script.',
  ],
};

/** Its plugin is a folder: what runs, what it is, and where what runs stands. */
export const openclaw: ProgramDescription = {
  read: 'generic',
  prints: '{}',
  isPlugin: true,
  binary: 'openclaw',
  events: ['session_start', 'session_end', 'before_tool_call', 'after_tool_call'],
  settings: {
    user: {
      variable: { name: 'OPENCLAW_STATE_DIR', stands: 'folder' },
      folder: ['.openclaw'],
      file: ['extensions', 'countersign', 'index.js'],
    },
    project: null,
    form: {
      kind: 'own-files',
      content: ({ script }) => pluginText('openclaw', script),
      more: {
        'openclaw.plugin.json': () =>
          fileText({
            id: 'countersign',
            name: 'Countersign',
            description: 'Records what OpenClaw does',
            activation: { onStartup: true, onCapabilities: ['hook'] },
            configSchema: { type: 'object', additionalProperties: false, properties: {} },
          }),
        'package.json': () =>
          fileText({
            name: 'countersign',
            version: '1.0.0',
            private: true,
            type: 'module',
            openclaw: { extensions: ['./index.js'] },
          }),
      },
    },
  },
  failure:
    'by its documentation runs the tool where the plugin is not loaded or takes longer than 15 seconds; once loaded, the plugin stops it',
  notes: [
    'Not run with OpenClaw itself: after its documentation.',
    'Restart its gateway. Where plugins.allow is set in openclaw.json, add countersign to it; openclaw plugins inspect countersign --runtime shows whether its hooks run.',
    'What people write to it and its model is not recorded: plugins see that only where plugins.entries.countersign.hooks.allowConversationAccess is set.',
  ],
};
