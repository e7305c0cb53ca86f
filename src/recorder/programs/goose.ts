import { json, text, toolOf } from '../../actions/tools/index.ts';
import type { SeenTool } from '../seen/seen.ts';
import { fileText, HOOK_TIMEOUT_S, type ProgramDescription, type SetupContext, shellWord } from './description.ts';
import { failed, succeeded } from './hook-ending.ts';
import { closed, denied, hookReader, proposed, said, UNREASONED } from './hook-reader.ts';

/** Goose's hooks (1.38 and later), as its documentation has them. What a call gave is not among it. */
const FIELDS = {
  event: text,
  working_dir: text,
  tool_call_id: text,
  message: json,
  error: text,
  decision: text,
  blocked_by: text,
};

const readGoose = hookReader({
  fields: FIELDS,
  event: (hook) => hook.event,
  facts: (hook) => ({ cwd: hook.working_dir }),
  call: (hook) => ({ tool: toolNamed(hook.tool_name), callId: hook.tool_call_id }),
  moments: {
    PreToolUse: proposed,
    PreToolUseResult: (told) => {
      const { decision, blocked_by: by = 'hook', reason } = told.hook;
      return decision === 'deny' ? denied(told, by, failed({ status: 'denied', message: reason }), reason) : [];
    },
    PostToolUse: (told) => [closed(told, told.event, succeeded())],
    PostToolUseFailure: (told) => [closed(told, told.event, failed({ message: told.hook.error }))],
    UserPromptSubmit: ({ hook, event }) => said(hook.message, event),
    ...UNREASONED,
  },
});

/** It writes the extension before a tool. Its own is called developer; any other one is a server of MCP. */
function toolNamed(name: string | undefined): SeenTool {
  const [, extension, tool] = /^([^_]+(?:_[^_]+)*)__(.+)$/s.exec(name ?? '') ?? [];
  if (extension === undefined || tool === undefined) return toolOf(name);
  return extension === 'developer' ? toolOf(tool) : toolOf(name, { server: extension, tool });
}

const EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PreToolUseResult',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
];

/** Without a pattern a rule is for every event of its kind; a bare asterisk is no valid pattern. */
function hooksFile({ script, blocksOnFailure }: SetupContext): string {
  const groups = EVENTS.map((event) => {
    const fails = event === 'PreToolUse' && blocksOnFailure ? { on_failure: 'block' } : {};
    return [event, [{ hooks: [{ type: 'command', command: shellWord(script), timeout: HOOK_TIMEOUT_S, ...fails }] }]];
  });
  return fileText({ hooks: Object.fromEntries(groups) });
}

export const goose: ProgramDescription = {
  read: readGoose,
  prints: '',
  binary: 'goose',
  events: EVENTS,
  settings: {
    user: { variable: null, folder: ['.agents', 'plugins', 'countersign'], file: ['hooks', 'hooks.json'] },
    project: ['.agents', 'plugins', 'countersign', 'hooks', 'hooks.json'],
    form: {
      kind: 'own-files',
      content: hooksFile,
      more: {
        '../plugin.json': () =>
          fileText({ name: 'countersign', version: '1.0.0', description: 'Records what goose does, by Countersign' }),
      },
    },
  },
  failure:
    'by its documentation runs the tool unless the hook exits with 2; with --on-failure block its on_failure blocks a missing script too',
  notes: ['Not run with Goose itself: after its documentation.', 'Its hooks do not say what a call gave.'],
};
