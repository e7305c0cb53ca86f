import { exitCodeIn, flag, json, list, members, object, text, toolOf } from '../../actions/tools/index.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Letta Code's hooks (0.25.9), which later releases call deprecated. Without a terminal it names no session, only its agent. */
const hookOf = members({
  event_type: text,
  hook_event_name: text,
  session_id: text,
  conversation_id: text,
  agent_id: text,
  working_directory: text,
  tool_name: text,
  tool_call_id: text,
  tool_input: json,
  tool_result: object({ status: text, output: json }),
  error_message: text,
  error_type: text,
  prompt: json,
  is_command: flag,
  source: text,
  reason: text,
});

const readLetta: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.event_type ?? hook.hook_event_name ?? '';
  const facts = {
    event: name,
    session: hook.session_id ?? hook.conversation_id ?? hook.agent_id,
    cwd: hook.working_directory,
  };
  const event = new HookEvent({ ...facts, extra: { letta_agent_id: hook.agent_id } }, run);
  const call = { tool: toolOf(hook.tool_name), callId: hook.tool_call_id, input: hook.tool_input };
  switch (name) {
    case 'PreToolUse':
      return [event.call('proposed', call)];
    case 'PermissionRequest':
      return [event.call('asked', call)];
    case 'PostToolUse': {
      const output = hook.tool_result?.output;
      const shown = typeof output === 'string' ? output : undefined;
      const error = hook.tool_result?.status === 'error';
      const ending = error ? failed({ message: shown, exitCode: exitCodeIn(shown, 'first') }) : succeeded();
      return [event.call(ending.stage, { ...call, ...ending, output })];
    }
    case 'PostToolUseFailure': {
      // PostToolUse has come for the same failure.
      const message = textOf(hook.error_message);
      const ending = failed({ message, exitCode: exitCodeIn(message, 'first') });
      const extra = { letta_agent_id: hook.agent_id, error_type: hook.error_type };
      return [new HookEvent({ ...facts, extra }, run).call(ending.stage, { ...call, ...ending })];
    }
    case 'UserPromptSubmit':
      return [event.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'SessionStart':
      return [event.session('session_started', hook.source)];
    case 'SessionEnd':
      return [event.session('session_ended', hook.reason)];
    default:
      return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
  }
};

const partsOf = list(object({ text }));

/** The text of a message that may be a list of parts, written as JSON. */
function textOf(message: string | undefined): string | undefined {
  if (message === undefined || !message.startsWith('[')) return message;
  try {
    const texts = partsOf(JSON.parse(message))?.map((part) => part.text);
    return texts === undefined || texts.includes(undefined) ? message : texts.join('');
  } catch {
    // No such list: the message as it is.
    return message;
  }
}

/** Letta Code up to the versions that replaced hooks by mods. */
export const letta: ProgramDescription = {
  read: readLetta,
  prints: '',
  binary: 'letta',
  events: [
    'SessionStart',
    'SessionEnd',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
    'SubagentStop',
  ],
  settings: {
    user: { variable: null, folder: ['.letta'], file: ['settings.json'] },
    project: ['.letta', 'settings.local.json'],
    form: { kind: 'json-hooks', entry: (event, context) => hookGroup(event, context, HOOK_TIMEOUT_S * 1000) },
  },
  failure: 'runs the tool unless the hook exits with 2',
  notes: ['Without a terminal Letta Code 0.25.9 tells only of tools: no session, no prompt.'],
};
