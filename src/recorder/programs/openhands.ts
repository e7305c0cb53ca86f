import { json, text } from '../../actions/tools/index.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { CARRIED_OUT } from './hook-ending.ts';
import { closed, hookReader, proposed, said, UNREASONED } from './hook-reader.ts';

/** The hooks of OpenHands, as its documentation and its SDK have them. They name no call, and do not say how one ended. */
const FIELDS = { event_type: text, working_dir: text, tool_output: json, message: json };

const readOpenHands = hookReader({
  fields: FIELDS,
  event: (hook) => hook.event_type,
  facts: (hook) => ({ cwd: hook.working_dir }),
  moments: {
    PreToolUse: proposed,
    PostToolUse: (told) => {
      const { tool_response, tool_output } = told.hook;
      return [closed(told, told.event, CARRIED_OUT, { output: tool_response ?? tool_output })];
    },
    UserPromptSubmit: ({ hook, event }) => said(hook.message, event),
    ...UNREASONED,
  },
});

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
