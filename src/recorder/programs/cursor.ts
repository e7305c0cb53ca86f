import { flag, isMcpError, json, list, number, openedJson, text } from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { HOOK_TIMEOUT_S, type ProgramDescription, shellWord } from './description.ts';
import { type Ending, failed, succeeded } from './hook-ending.ts';
import { closed, ended, hookReader, prompted, proposed } from './hook-reader.ts';

/** Cursor's hooks as its documentation has them. The user's email address, which every body holds, is not taken. */
const FIELDS = {
  conversation_id: text,
  generation_id: text,
  model: text,
  cursor_version: text,
  workspace_roots: list(text),
  tool_use_id: text,
  tool_output: json,
  duration: number,
  error_message: text,
  failure_type: text,
  is_interrupt: flag,
  composer_mode: text,
};

const readCursor = hookReader({
  fields: FIELDS,
  facts: (hook) => ({
    session: hook.conversation_id ?? hook.session_id,
    model: hook.model,
    programVersion: hook.cursor_version,
    cwd: hook.cwd === undefined || hook.cwd === '' ? hook.workspace_roots?.[0] : hook.cwd,
  }),
  extra: (hook) => ({ generation_id: hook.generation_id }),
  call: (hook) => ({
    callId: hook.tool_use_id,
    // Inputs and outputs come as JSON within a text.
    input: hook.tool_input && openedJson(hook.tool_input),
    durationMs: hook.duration,
  }),
  isWrittenInTwoWays: true,
  moments: {
    PreToolUse: proposed,
    PostToolUse: (told) => {
      const output = told.hook.tool_output && openedJson(told.hook.tool_output);
      return [closed(told, told.event, endingOf(output), { output })];
    },
    PostToolUseFailure: (told) => {
      const { failure_type: type, error_message: message, is_interrupt } = told.hook;
      const status = is_interrupt === true ? 'cancelled' : statusOf(type);
      return [closed(told, told.event, failed({ type, message, status }))];
    },
    BeforeSubmitPrompt: prompted,
    UserPromptSubmit: prompted,
    SessionStart: ({ hook, event }) => [event.session('session_started', hook.composer_mode)],
    SessionEnd: ended,
  },
});

function statusOf(type: string | undefined): 'error' | 'timeout' | 'denied' {
  if (type === 'permission_denied') return 'denied';
  return type === 'timeout' ? 'timeout' : 'error';
}

function endingOf(output: ExactJson | undefined): Ending {
  if (isMcpError(output)) return failed({});
  const code = isMembers(output) ? output['exitCode'] : undefined;
  return succeeded(typeof code === 'number' && Number.isSafeInteger(code) ? code : undefined);
}

export const cursor: ProgramDescription = {
  read: readCursor,
  prints: '{}',
  binary: null,
  events: [
    'sessionStart',
    'sessionEnd',
    'beforeSubmitPrompt',
    'preToolUse',
    'postToolUse',
    'postToolUseFailure',
    'subagentStart',
    'subagentStop',
  ],
  settings: {
    user: { variable: null, folder: ['.cursor'], file: ['hooks.json'] },
    project: ['.cursor', 'hooks.json'],
    form: {
      kind: 'json-hooks',
      entry: (_, { script, blocksOnFailure }) => ({
        command: shellWord(script),
        timeout: HOOK_TIMEOUT_S,
        ...(blocksOnFailure ? { failClosed: true } : {}),
      }),
      top: { version: 1 },
    },
  },
  failure: 'by its documentation runs the tool unless the hook exits with 2; --on-failure block sets its failClosed',
  notes: [
    'Not run with Cursor itself: after its documentation.',
    'Cloud agents cannot reach a recorder on this machine.',
  ],
};
