import { json, members, text, toolOf } from '../../actions/tools/index.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { CARRIED_OUT } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** The hooks of OpenHands, as its documentation and its SDK have them. They name no call, and do not say how one ended. */
const hookOf = members({
  event_type: text,
  session_id: text,
  working_dir: text,
  tool_name: text,
  tool_input: json,
  tool_output: json,
  tool_response: json,
  message: json,
});

const readOpenHands: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.event_type ?? '';
  const facts = { event: name, session: hook.session_id, cwd: hook.working_dir };
  const event = new HookEvent(facts, run);
  const call = { tool: toolOf(hook.tool_name), input: hook.tool_input };
  switch (name) {
    case 'PreToolUse':
      return [event.call('proposed', call)];
    case 'PostToolUse':
      return [
        event.call(CARRIED_OUT.stage, { ...call, ...CARRIED_OUT, output: hook.tool_response ?? hook.tool_output }),
      ];
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

const EVENTS = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];

export const openhands: ProgramDescription = {
  read: readOpenHands,
  prints: '',
  binary: 'openhands',
  events: EVENTS,
  settings: {
    user: { variable: null, folder: ['.openhands'], file: ['hooks.json'] },
    project: ['.openhands', 'hooks.json'],
    form: { kind: 'json-hooks', entry: (event, context) => hookGroup(event, context, HOOK_TIMEOUT_S) },
  },
  failure: 'by its documentation runs the tool unless the hook exits with 2',
  notes: [
    'Not run with OpenHands itself: after its documentation.',
    'Its hooks name no call and not how a call ended: each end is recorded as unknown.',
    'OpenHands Cloud cannot reach a recorder on this machine.',
  ],
};
