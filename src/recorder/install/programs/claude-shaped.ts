import { join } from 'node:path';
import type { Json } from '../../../protocol/light.ts';
import { jsonHooksFile } from './files.ts';
import { HOOK_TIMEOUT_S, type ProgramSetup, type SetupContext, shellWord } from './setup.ts';

/** Events of a tool take a pattern for its name. */
const MATCHED = /Tool(Use|$)|^Permission/;

/** An entry as Claude Code has it, and others after it: a group with a pattern, and its handlers. */
function group(event: string, handler: { readonly [member: string]: Json }, matcher: string): Json {
  return MATCHED.test(event) ? { matcher, hooks: [handler] } : { hooks: [handler] };
}

function folder(context: SetupContext, variable: string, name: string): string {
  const { environment, userHome, project } = context;
  if (project !== null) return join(project, name);
  return environment[variable] || join(userHome, name);
}

const CLAUDE_EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'SubagentStart',
  'SubagentStop',
  'ConfigChange',
];

export const claudecode: ProgramSetup = {
  binary: 'claude',
  events: CLAUDE_EVENTS,
  files: (context) => {
    // Not the project's settings.json, which is committed: the path of the script is of this machine.
    const name = context.project === null ? 'settings.json' : 'settings.local.json';
    const command = shellWord(context.script);
    const handler = {
      type: 'command',
      command,
      timeout: HOOK_TIMEOUT_S,
      ...(context.blocksOnFailure ? { onFailure: 'block' } : {}),
    };
    const path = join(folder(context, 'CLAUDE_CONFIG_DIR', '.claude'), name);
    return [jsonHooksFile(path, command, CLAUDE_EVENTS, (event) => group(event, handler, '*'))];
  },
  failure:
    'runs the tool unless the hook exits with 2; with --on-failure block its onFailure blocks a missing script too',
  notes: [],
};

const CODEX_EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'SubagentStart',
  'SubagentStop',
];

export const codex: ProgramSetup = {
  binary: 'codex',
  events: CODEX_EVENTS,
  files: (context) => {
    const command = shellWord(context.script);
    const handler = { type: 'command', command, timeout: HOOK_TIMEOUT_S };
    const path = join(folder(context, 'CODEX_HOME', '.codex'), 'hooks.json');
    return [jsonHooksFile(path, command, CODEX_EVENTS, (event) => group(event, handler, '*'))];
  },
  failure: 'runs the tool unless the hook exits with 2: also where the script is missing or not trusted',
  notes: ['Codex runs a hook only once it is trusted, and skips it without a word before.'],
};

const GEMINI_EVENTS = ['SessionStart', 'SessionEnd', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'Notification'];

export const gemini: ProgramSetup = {
  binary: 'gemini',
  events: GEMINI_EVENTS,
  files: (context) => {
    const command = shellWord(context.script);
    // Milliseconds here; without a name /hooks cannot switch it.
    const handler = { type: 'command', name: 'countersign', command, timeout: HOOK_TIMEOUT_S * 1000 };
    const base = context.project ?? context.environment['GEMINI_CLI_HOME'] ?? context.userHome;
    const path = join(base, '.gemini', 'settings.json');
    return [jsonHooksFile(path, command, GEMINI_EVENTS, (event) => group(event, handler, '*'))];
  },
  failure: 'runs the tool where the hook exits with 0 or 1, and blocks it for any other code and for a missing script',
  notes: [],
};

const LETTA_EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'SubagentStop',
];

/** Letta Code up to the versions that replaced hooks by mods. */
export const lettaHooks: ProgramSetup = {
  binary: 'letta',
  events: LETTA_EVENTS,
  files: (context) => {
    const command = shellWord(context.script);
    const handler = { type: 'command', command, timeout: HOOK_TIMEOUT_S * 1000 };
    const { project, userHome } = context;
    const path =
      project === null ? join(userHome, '.letta', 'settings.json') : join(project, '.letta', 'settings.local.json');
    return [jsonHooksFile(path, command, LETTA_EVENTS, (event) => group(event, handler, '*'))];
  },
  failure: 'runs the tool unless the hook exits with 2',
  notes: ['Without a terminal Letta Code 0.25.9 tells only of tools: no session, no prompt.'],
};
