import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resourcePath } from '../../../node/light.ts';
import type { Json } from '../../../protocol/light.ts';
import { unusable } from '../config/config-file.ts';
import { addTomlHooks, removeTomlHooks, tomlHooks } from '../config/toml-hooks.ts';
import { jsonHooksFile, ownFile } from './files.ts';
import { HOOK_TIMEOUT_S, type ProgramSetup, type SetupFile, shellWord } from './setup.ts';

/** Not PermissionRequest, which comes for every call, also where nobody is asked. */
const COPILOT_EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
];

/** A value as our own files have it. */
function asText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export const copilot: ProgramSetup = {
  binary: 'copilot',
  events: COPILOT_EVENTS,
  files: ({ script, project, environment, userHome }) => {
    const handler = { type: 'command', bash: shellWord(script), timeoutSec: HOOK_TIMEOUT_S };
    // The names in this form make the payloads say which event it is.
    const hooks = Object.fromEntries(COPILOT_EVENTS.map((event) => [event, [handler]]));
    const folder =
      project === null
        ? join(environment['COPILOT_HOME'] || join(userHome, '.copilot'), 'hooks')
        : join(project, '.github', 'hooks');
    return [ownFile(join(folder, 'countersign.json'), asText({ version: 1, hooks }), COPILOT_EVENTS)];
  },
  failure: 'blocks the tool where the hook fails in any way but by taking too long, which lets it run',
  notes: [],
};

const OPENCODE_EVENTS = ['tool.execute.before', 'tool.execute.after', 'chat.message', 'event'];

export const opencode: ProgramSetup = {
  binary: 'opencode',
  events: OPENCODE_EVENTS,
  files: ({ script, project, environment, userHome }) => {
    const settings = environment['XDG_CONFIG_HOME'];
    const folder =
      project === null
        ? join(settings?.startsWith('/') === true ? settings : join(userHome, '.config'), 'opencode')
        : join(project, '.opencode');
    const plugin = readFileSync(resourcePath('recorder', 'opencode-plugin.js'), 'utf8').replace(
      'const FOLDER = undefined;',
      // In a replacement a dollar sign would mean something.
      () => `const FOLDER = ${JSON.stringify(dirname(dirname(script)))};`,
    );
    return [ownFile(join(folder, 'plugins', 'countersign.js'), plugin, OPENCODE_EVENTS)];
  },
  failure: 'runs the tool where the plugin cannot be loaded; once loaded, the plugin stops it by an error',
  notes: [],
};

const KIMI_EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionResult',
  'SubagentStart',
  'SubagentStop',
];

export const kimi: ProgramSetup = {
  binary: 'kimi',
  events: KIMI_EVENTS,
  files: ({ script, project, environment, userHome }) => {
    if (project !== null) throw unusable(project, 'cannot have hooks of Kimi Code, which has them for the user alone');
    const command = shellWord(script);
    const hooks = KIMI_EVENTS.map((event) => ({ event, command, timeout: HOOK_TIMEOUT_S }));
    const events = (text: string): string[] =>
      tomlHooks(text, command).map((hook) => String((hook as { event?: unknown }).event));
    const file: SetupFile = {
      path: join(environment['KIMI_CODE_HOME'] || join(userHome, '.kimi-code'), 'config.toml'),
      empty: '',
      add: (text) => addTomlHooks(text, hooks, command),
      remove: (text) => removeTomlHooks(text, command),
      hooked: (text) => [...new Set(events(text))],
      doubled: (text) => events(text).filter((event, at, all) => all.indexOf(event) !== at),
    };
    return [file];
  },
  failure: 'runs the tool unless the hook exits with 2: also where the script is missing',
  notes: ['With -p Kimi Code does not tell when a session ends.'],
};

const CURSOR_EVENTS = [
  'sessionStart',
  'sessionEnd',
  'beforeSubmitPrompt',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'subagentStart',
  'subagentStop',
];

export const cursor: ProgramSetup = {
  binary: null,
  events: CURSOR_EVENTS,
  files: ({ script, project, userHome, blocksOnFailure }) => {
    const command = shellWord(script);
    const entry = { command, timeout: HOOK_TIMEOUT_S, ...(blocksOnFailure ? { failClosed: true } : {}) };
    const path = join(project ?? userHome, '.cursor', 'hooks.json');
    return [jsonHooksFile(path, command, CURSOR_EVENTS, () => entry, { version: 1 })];
  },
  failure: 'by its documentation runs the tool unless the hook exits with 2; --on-failure block sets its failClosed',
  notes: [
    'Not run with Cursor itself: after its documentation.',
    'Cloud agents cannot reach a recorder on this machine.',
  ],
};

const KIRO_EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];

/** Kiro CLI 3 and Kiro IDE 1 read the same folder: one file for both, recorded as whichever was installed. */
function kiro(id: 'kirocli' | 'kiroide', notes: readonly string[]): ProgramSetup {
  return {
    binary: id === 'kirocli' ? 'kiro-cli' : null,
    events: KIRO_EVENTS,
    files: ({ script, project, userHome }) => {
      const hooks = KIRO_EVENTS.map((trigger) => ({
        name: `countersign-${trigger}`,
        trigger,
        ...(trigger.endsWith('ToolUse') ? { matcher: '.*' } : {}),
        action: { type: 'command', command: shellWord(script) },
        timeout: HOOK_TIMEOUT_S,
        enabled: true,
      }));
      const path = join(project ?? userHome, '.kiro', 'hooks', 'countersign.json');
      return [ownFile(path, asText({ version: 'v1', hooks }), KIRO_EVENTS)];
    },
    failure: 'by its documentation a hook before a tool blocks it by any code but 0; that it does was not tried',
    notes: ['Not run with Kiro itself: after its documentation.', ...notes],
  };
}

export const kirocli = kiro('kirocli', [
  'Kiro CLI 2 reads hooks from the file of an agent alone (.kiro/agents/NAME.json): add the script there as preToolUse and postToolUse.',
]);
export const kiroide = kiro('kiroide', ['Hooks of Kiro IDE before 1.0 are told nothing of what the agent does.']);
