import { flag, isMcpError, json, list, members, number, openedJson, text, toolOf } from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { HOOK_TIMEOUT_S, type ProgramDescription, shellWord } from './description.ts';
import { type Ending, failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Cursor's hooks as its documentation has them. The user's email address, which every body holds, is not taken. */
const hookOf = members({
  hook_event_name: text,
  conversation_id: text,
  generation_id: text,
  session_id: text,
  model: text,
  cursor_version: text,
  cwd: text,
  workspace_roots: list(text),
  transcript_path: text,
  tool_name: text,
  tool_use_id: text,
  tool_input: json,
  tool_output: json,
  duration: number,
  error_message: text,
  failure_type: text,
  is_interrupt: flag,
  prompt: json,
  composer_mode: text,
  reason: text,
});

const readCursor: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.hook_event_name ?? '';
  const facts = {
    event: name,
    session: hook.conversation_id ?? hook.session_id,
    model: hook.model,
    programVersion: hook.cursor_version,
    cwd: hook.cwd === undefined || hook.cwd === '' ? hook.workspace_roots?.[0] : hook.cwd,
  };
  const event = new HookEvent({ ...facts, extra: { generation_id: hook.generation_id } }, run);
  const call = {
    tool: toolOf(hook.tool_name),
    callId: hook.tool_use_id,
    // Inputs and outputs come as JSON within a text.
    input: hook.tool_input && openedJson(hook.tool_input),
    durationMs: hook.duration,
  };
  switch (name.charAt(0).toLowerCase() + name.slice(1)) {
    case 'preToolUse':
      return [event.call('proposed', call)];
    case 'postToolUse': {
      const output = hook.tool_output && openedJson(hook.tool_output);
      const ending = endingOf(output);
      return [event.call(ending.stage, { ...call, ...ending, output })];
    }
    case 'postToolUseFailure': {
      const ending = failed({
        type: hook.failure_type,
        message: hook.error_message,
        status: hook.is_interrupt === true ? 'cancelled' : statusOf(hook.failure_type),
      });
      return [event.call(ending.stage, { ...call, ...ending })];
    }
    case 'beforeSubmitPrompt':
    case 'userPromptSubmit':
      return [event.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'sessionStart':
      return [event.session('session_started', hook.composer_mode)];
    case 'sessionEnd':
      return [event.session('session_ended', hook.reason)];
    default:
      return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
  }
};

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
