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
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Qwen Code's hooks (0.24.4). `tool_use_id` is drawn for each hook's call, and only `tool_call_id` is the same in a batch. */
const hookOf = members({
  hook_event_name: text,
  session_id: text,
  cwd: text,
  timestamp: text,
  transcript_path: text,
  permission_mode: text,
  prompt_id: text,
  agent_id: text,
  agent_type: text,
  model: text,
  tool_name: text,
  tool_use_id: text,
  tool_call_id: text,
  tool_input: json,
  tool_response: json,
  error: text,
  is_interrupt: flag,
  duration_ms: number,
  reason: text,
  source: text,
  prompt: json,
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
});

const responseOf = members({ error: text, result_display: text });

const readQwen: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.hook_event_name ?? '';
  const start = name === 'SessionStart' || name === 'SessionEnd';
  const event = new HookEvent(
    {
      event: name,
      at: hook.timestamp,
      session: hook.session_id,
      subAgent: hook.agent_id,
      subAgentType: hook.agent_type,
      model: hook.model,
      cwd: hook.cwd,
      extra: {
        prompt_id: hook.prompt_id,
        permission_mode: hook.permission_mode,
        ...(start && { transcript_path: hook.transcript_path }),
      },
    },
    run,
  );
  const call = {
    tool: toolOf(hook.tool_name),
    callId: hook.tool_call_id ?? hook.tool_use_id,
    input: hook.tool_input,
    durationMs: hook.duration_ms,
  };
  switch (name) {
    case 'PreToolUse':
      return [event.call('proposed', call)];
    case 'PermissionRequest':
      // Nothing tells what was answered.
      return [event.note('permission_request', hook.tool_name)];
    case 'PostToolUse': {
      const ending = isMcpError(hook.tool_response) ? failed({}) : succeeded(exitCodeOf(hook.tool_response));
      return [event.call(ending.stage, { ...call, ...ending, output: hook.tool_response })];
    }
    case 'PostToolUseFailure': {
      const status = hook.is_interrupt === true ? 'cancelled' : 'error';
      const ending = failed({ status, message: hook.error, exitCode: exitCodeIn(hook.error, 'qwen') });
      return [event.call(ending.stage, { ...call, ...ending })];
    }
    case 'PermissionDenied': {
      const ending = failed({ status: 'denied', message: hook.reason });
      const by = { kind: 'policy', id: 'classifier' } as const;
      return [event.decision(call, 'denied', by, hook.reason), event.call(ending.stage, { ...call, ...ending })];
    }
    case 'PostToolBatch':
      return (hook.tool_calls ?? []).flatMap((one) => {
        // The others were told by their own hooks; of a tool that does not exist, or a call that was not made, nothing else tells.
        if (one.status === 'success' || one.status === undefined) return [];
        const { error, result_display } = responseOf(isMembers(one.tool_response) ? one.tool_response : {});
        const message = error ?? result_display;
        const status = one.status === 'cancelled' ? 'cancelled' : 'error';
        const ending = failed({ status, message, exitCode: exitCodeIn(message, 'qwen') });
        const callId = one.tool_call_id ?? one.tool_use_id;
        return [event.call(ending.stage, { ...ending, tool: toolOf(one.tool_name), callId, input: one.tool_input })];
      });
    case 'UserPromptSubmit':
      // At its end it hands in an empty one.
      return hook.prompt === '' ? [] : [event.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'SessionStart':
      return [hook.source === 'compact' ? event.note('compacted') : event.session('session_started', hook.source)];
    case 'SessionEnd':
      return [event.session('session_ended', hook.reason)];
    default:
      return [
        event.note(
          noteName(name),
          typeof otherMembers(body)['message'] === 'string' ? String(otherMembers(body)['message']) : undefined,
        ),
      ];
  }
};

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
