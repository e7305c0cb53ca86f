import {
  exitCodeIn,
  flag,
  isMcpError,
  json,
  list,
  members,
  number,
  object,
  text,
  toolOf,
} from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { failed, succeeded } from './hook-ending.ts';
import {
  askedUnanswered,
  closed,
  denied,
  ended,
  hookReader,
  prompted,
  proposed,
  startedOrCompacted,
  transcriptOf,
} from './hook-reader.ts';

/** Qwen Code's hooks (0.24.4). `tool_use_id` is drawn for each hook's call, and only `tool_call_id` is the same in a batch. */
const FIELDS = {
  timestamp: text,
  permission_mode: text,
  prompt_id: text,
  agent_id: text,
  agent_type: text,
  model: text,
  tool_use_id: text,
  tool_call_id: text,
  error: text,
  is_interrupt: flag,
  duration_ms: number,
  tool_calls: list(
    object({
      tool_name: text,
      tool_call_id: text,
      tool_use_id: text,
      tool_input: json,
      status: text,
      tool_response: json,
    }),
  ),
};

const responseOf = members({ error: text, result_display: text });

const readQwen = hookReader({
  fields: FIELDS,
  facts: (hook) => ({
    at: hook.timestamp,
    subAgent: hook.agent_id,
    subAgentType: hook.agent_type,
    model: hook.model,
  }),
  extra: ({ prompt_id, permission_mode, transcript_path }, event) => ({
    prompt_id,
    permission_mode,
    ...transcriptOf(event, transcript_path),
  }),
  call: (hook) => ({
    callId: hook.tool_call_id ?? hook.tool_use_id,
    durationMs: hook.duration_ms,
  }),
  moments: {
    PreToolUse: proposed,
    PermissionRequest: askedUnanswered,
    PostToolUse: (told) => {
      const { tool_response: output } = told.hook;
      const ending = isMcpError(output) ? failed({}) : succeeded(exitCodeOf(output));
      return [closed(told, told.event, ending, { output })];
    },
    PostToolUseFailure: (told) => {
      const { error: message, is_interrupt } = told.hook;
      const status = is_interrupt === true ? 'cancelled' : 'error';
      return [closed(told, told.event, failed({ status, message, exitCode: exitCodeIn(message, 'qwen') }))];
    },
    PermissionDenied: (told) => {
      const { reason } = told.hook;
      return denied(told, 'classifier', failed({ status: 'denied', message: reason }), reason);
    },
    PostToolBatch: ({ hook, event }) =>
      (hook.tool_calls ?? []).flatMap((one) => {
        // The others were told by their own hooks; of a tool that does not exist, or a call that was not made, nothing else tells.
        if (one.status === 'success' || one.status === undefined) return [];
        const { error, result_display } = responseOf(isMembers(one.tool_response) ? one.tool_response : {});
        const message = error ?? result_display;
        const isDenied = message !== undefined && DENIED.test(message);
        const status = isDenied ? 'denied' : one.status === 'cancelled' ? 'cancelled' : 'error';
        const ending = failed({ status, message, exitCode: exitCodeIn(message, 'qwen') });
        const callId = one.tool_call_id ?? one.tool_use_id;
        return [event.call(ending.stage, { ...ending, tool: toolOf(one.tool_name), callId, input: one.tool_input })];
      }),
    // At its end it hands in an empty one.
    UserPromptSubmit: (told) => (told.hook.prompt === '' ? [] : prompted(told)),
    SessionStart: startedOrCompacted,
    SessionEnd: ended,
  },
  other: ({ event }, name, { message }) => [event.note(name, typeof message === 'string' ? message : undefined)],
});

/** What it writes of a call that its rules do not allow. */
const DENIED = /^This "[^"]{1,200}" invocation was denied by permission rules\./;

/** The exit code of a command, which the text for the model ends with. */
function exitCodeOf(response: ExactJson | undefined): number | undefined {
  const shown = isMembers(response) ? response['llmContent'] : undefined;
  return typeof shown === 'string' ? exitCodeIn(shown, 'qwen') : undefined;
}

export const qwen: ProgramDescription = {
  read: readQwen,
  prints: '{}',
  binary: 'qwen',
  events: [
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
  ],
  settings: {
    user: { variable: null, folder: ['.qwen'], file: ['settings.json'] },
    project: ['.qwen', 'settings.json'],
    form: { kind: 'json-hooks', entry: (event, context) => hookGroup(event, context, HOOK_TIMEOUT_S) },
  },
  failure: 'runs the tool unless the hook exits with 2: also where the script is missing',
  notes: ['With -p Qwen Code does not tell when a session ends.'],
};
