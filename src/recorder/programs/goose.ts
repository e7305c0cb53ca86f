import { json, members, text, toolOf } from '../../actions/tools/index.ts';
import type { SeenTool } from '../seen/seen.ts';
import { fileText, HOOK_TIMEOUT_S, type ProgramDescription, type SetupContext, shellWord } from './description.ts';
import { failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Goose's hooks (1.38 and later), as its documentation has them. What a call gave is not among it. */
const hookOf = members({
  event: text,
  session_id: text,
  working_dir: text,
  tool_name: text,
  tool_call_id: text,
  tool_input: json,
  message: json,
  error: text,
  decision: text,
  reason: text,
  blocked_by: text,
  cause: text,
});

const readGoose: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.event ?? '';
  const facts = { event: name, session: hook.session_id, cwd: hook.working_dir };
  const event = new HookEvent(facts, run);
  const call = { tool: toolNamed(hook.tool_name), callId: hook.tool_call_id, input: hook.tool_input };
  switch (name) {
    case 'PreToolUse':
      return [event.call('proposed', call)];
    case 'PreToolUseResult': {
      if (hook.decision !== 'deny') return [];
      const ending = failed({ status: 'denied', message: hook.reason });
      const by = { kind: 'policy', id: hook.blocked_by ?? 'hook' } as const;
      return [event.decision(call, 'denied', by, hook.reason), event.call(ending.stage, { ...call, ...ending })];
    }
    case 'PostToolUse': {
      const ending = succeeded();
      return [event.call(ending.stage, { ...call, ...ending })];
    }
    case 'PostToolUseFailure': {
      const ending = failed({ message: hook.error });
      return [event.call(ending.stage, { ...call, ...ending })];
    }
    case 'UserPromptSubmit':
      return [event.told([{ kind: 'user', value: hook.message ?? '' }])];
    case 'SessionStart':
      return [event.session('session_started', undefined)];
    case 'SessionEnd':
      return [event.session('session_ended', undefined)];
    default:
      return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
  }
};

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
